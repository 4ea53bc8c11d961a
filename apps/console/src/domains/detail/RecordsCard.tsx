import type { DomainDetail } from '@atoll/contract/domains'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { useText } from '../../locales/text.ts'
import classes from './dns-check/Cards.module.css'
import { hostPart, zoneOf } from './dns-providers.ts'
import { ProviderHint } from './ProviderHint.tsx'
import { parentOf } from './parent-of.ts'
import { RecordsTable } from './RecordsTable.tsx'

interface RecordsCardProps {
  detail: DomainDetail
  /** They are there, and lead the domain here. */
  isSet?: boolean
}

/** The records to add, each with its own copy buttons; on a phone a card each. */
export function RecordsCard({ detail, isSet = false }: RecordsCardProps) {
  const t = useText()
  const { state, copy } = useCopy()
  const rows = countUnreadable(
    detail.records.flatMap(({ type, name, values }) =>
      values.map((value) => ({ type, name, value, host: hostPart(name, zoneOf(detail, { type, name })) })),
    ),
    detail.records,
  )
  const count = countRows(rows)
  if (!count) return null
  const isCopied = state === 'copied'
  const Icon = isCopied ? IconCheck : IconCopy
  const isBack = detail.problem?.key === 'delegationLost' || detail.problem?.key === 'contested'
  const title = t(isSet ? 'domains.recordsSet' : isBack ? 'domains.recordsBack' : 'domains.records', { count })
  const alsoAt = detail.records.flatMap((record) => record.alsoAt ?? [])
  return (
    <section className="box clip" aria-labelledby="records">
      <div className={classes.cardHead}>
        <div className={classes.cardWords}>
          <h2 id="records">{title}</h2>
          <p>{t('domains.recordsWhere', { domain: parentOf(detail) })}</p>
        </div>
        <Button
          leftSection={<Icon size={15} stroke={1.6} aria-hidden="true" />}
          onClick={() => copy(rows.map(({ type, name, value }) => `${name} ${type} ${value}`).join('\n'))}
        >
          {isCopied ? t('common.copied') : t('domains.copyAll')}
        </Button>
      </div>
      {detail.records.slice(0, 1).map((record) => (
        <ProviderHint key={record.name} detail={detail} record={record} />
      ))}
      <RecordsTable rows={rows} label={title} />
      {alsoAt.map((name) => (
        <p key={name} className={classes.alsoAt}>
          {t('domains.alsoAt')}
          <span className={classes.copied}>
            <code>{name}</code>
            <CopyValue value={name} what={t('domains.whatAlsoAt')} />
          </span>
        </p>
      ))}
    </section>
  )
}
