import type { DomainZone } from '@atoll/contract/domains'
import { Tag } from '../../kit/page/Tag.tsx'
import { useText } from '../../locales/text.ts'
import classes from './Cards.module.css'

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
      <table className={classes.records}>
        <thead>
          <tr>
            <th scope="col">{t('domains.type')}</th>
            <th scope="col">{t('domains.recordName')}</th>
            <th scope="col">{t('domains.value')}</th>
          </tr>
        </thead>
        <tbody>
          {zone.records.map(({ type, name, values }) => (
            <tr key={`${type} ${name}`}>
              <td className={classes.td} data-label={t('domains.type')}>
                <Tag>{type}</Tag>
              </td>
              <td className={classes.td} data-label={t('domains.recordName')}>
                <code>{name}</code>
              </td>
              <td className={classes.td} data-label={t('domains.value')}>
                <code>
                  {type === 'SOA'
                    ? t('domains.soaValue', { server: values.join(), serial: zone.serial })
                    : values.join(', ')}
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
