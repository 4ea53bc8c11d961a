import type { DomainDetail } from '@atoll/contract/domains'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useText } from '../../locales/text.ts'
import classes from './dns-check/Cards.module.css'
import { parentOf } from './parent-of.ts'
import { RecordsTable } from './RecordsTable.tsx'

/** The records to add, each with its own copy buttons; on a phone a card each. */
export function RecordsCard({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const { state, copy } = useCopy()
  const rows = countUnreadable(
    detail.records.flatMap(({ type, name, values }) => values.map((value) => ({ type, name, value }))),
    detail.records,
  )
  if (countRows(rows) === 0) return null
  const isCopied = state === 'copied'
  const Icon = isCopied ? IconCheck : IconCopy
  const isBack = detail.problem?.key === 'delegationLost' || detail.problem?.key === 'contested'
  return (
    <section className="box clip" aria-labelledby="records">
      <div className={classes.cardHead}>
        <div className={classes.cardWords}>
          <h2 id="records">{t(isBack ? 'domains.recordsBack' : 'domains.records', { count: countRows(rows) ?? 0 })}</h2>
          <p>{t('domains.recordsWhere', { domain: parentOf(detail) })}</p>
        </div>
        <Button
          leftSection={<Icon size={15} stroke={1.6} aria-hidden="true" />}
          onClick={() => copy(rows.map(({ type, name, value }) => `${name} ${type} ${value}`).join('\n'))}
        >
          {isCopied ? t('common.copied') : t('domains.copyAll')}
        </Button>
      </div>
      <RecordsTable rows={rows} isCopied />
    </section>
  )
}
