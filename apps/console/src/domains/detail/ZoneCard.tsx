import type { DomainZone } from '@atoll/contract/domains'
import { countUnreadable } from '@atoll/contract/wire'
import { useText } from '../../locales/text.ts'
import classes from './dns-check/Cards.module.css'
import { RecordsTable } from './RecordsTable.tsx'

/** The zone as our name servers answer it; on a phone a card a row. */
export function ZoneCard({ domain, zone }: { domain: string; zone: DomainZone }) {
  const t = useText()
  return (
    <section className="box clip" aria-labelledby="zone">
      <div className={classes.cardHead}>
        <div className={classes.cardWords}>
          <h2 id="zone">{t('domains.zone', { domain })}</h2>
          <p>{t('domains.zoneText')}</p>
        </div>
      </div>
      <RecordsTable
        label={t('domains.zone', { domain })}
        rows={countUnreadable(
          zone.records.map(({ type, name, values }) => {
            const soa = () => t('domains.soaValue', { server: values.join(), serial: zone.serial })
            return { type, name, value: type === 'SOA' ? soa() : values.join(', ') }
          }),
          zone.records,
        )}
      />
    </section>
  )
}
