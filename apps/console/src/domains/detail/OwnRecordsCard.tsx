import { type DomainDetail, domainRecordDelete, type OwnRecord } from '@atoll/contract/domains'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { confirm } from '../../kit/confirm/confirm.ts'
import { ChangeButton } from '../../kit/page/ChangeButton.tsx'
import { useText } from '../../locales/text.ts'
import { OwnRecordDialog } from '../dialogs/OwnRecordDialog.tsx'
import classes from './dns-check/Cards.module.css'
import { RecordsTable } from './RecordsTable.tsx'

interface OwnRecordsCardProps {
  detail: DomainDetail
  records: readonly OwnRecord[]
}

/** The owner's own records in the zone that our name servers answer, to add and to remove. */
export function OwnRecordsCard({ detail: { domain, shown }, records }: OwnRecordsCardProps) {
  const t = useText()
  const [isAdding, setAdding] = useState(false)
  function remove(row: Record<'type' | 'name' | 'value', string>) {
    const found = records.find(({ type, name, value }) => type === row.type && name === row.name && value === row.value)
    if (!found) return
    const { type, name, value } = found
    confirm({
      title: t('domains.own.removeTitle', { name: shown }),
      lost: [t('domains.own.removeText', { record: `${name} ${type} ${value}` })],
      keep: t('domains.keep'),
      act: t('domains.own.remove'),
      danger: true,
      run: { call: domainRecordDelete, body: { domain, type, name, value } },
    })
  }
  return (
    <section className="box clip" aria-labelledby="own">
      <div className={classes.cardHead}>
        <div className={classes.cardWords}>
          <h2 id="own">{t('domains.own.title')}</h2>
          <p>{t('domains.own.text', { domain: shown })}</p>
        </div>
        <ChangeButton
          leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t('domains.own.add')}
        </ChangeButton>
      </div>
      {countRows(records) === 0 ? (
        <p className={classes.none}>{t('domains.own.none', { domain: shown })}</p>
      ) : (
        <RecordsTable
          label={t('domains.own.title')}
          rows={countUnreadable(
            records.map(({ type, name, value }) => ({ type, name, value })),
            records,
          )}
          end={(row) => (
            <ChangeButton
              size="xs"
              variant="subtle"
              aria-label={t('domains.own.removeNamed', { record: `${row.type} ${row.name} ${row.value}` })}
              onClick={() => remove(row)}
            >
              {t('domains.own.remove')}
            </ChangeButton>
          )}
        />
      )}
      {isAdding && <OwnRecordDialog domain={domain} shown={shown} onClose={() => setAdding(false)} />}
    </section>
  )
}
