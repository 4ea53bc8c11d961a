import type { DomainDetail } from '@atoll/contract/domains'
import { useCopy } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { Tag } from '../../kit/page/Tag.tsx'
import { useText } from '../../locales/text.ts'
import classes from './Cards.module.css'
import { parentOf } from './parent-of.ts'

/** The records to add, each with its own copy buttons; on a phone a card each. */
export function RecordsCard({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const { state, copy } = useCopy()
  const rows = detail.records.flatMap(({ type, name, values }) => values.map((value) => ({ type, name, value })))
  if (rows.length === 0) return null
  const isCopied = state === 'copied'
  const Icon = isCopied ? IconCheck : IconCopy
  const isBack = detail.problem?.key === 'delegationLost' || detail.problem?.key === 'contested'
  return (
    <section className="box clip" aria-labelledby="records">
      <div className={classes.cardHead}>
        <div className={classes.cardWords}>
          <h2 id="records">{t(isBack ? 'domains.recordsBack' : 'domains.records', { count: rows.length })}</h2>
          <p>{t('domains.recordsWhere', { domain: parentOf(detail) })}</p>
        </div>
        <Button
          leftSection={<Icon size={15} stroke={1.6} aria-hidden="true" />}
          onClick={() => copy(rows.map(({ type, name, value }) => `${name} ${type} ${value}`).join('\n'))}
        >
          {isCopied ? t('common.copied') : t('domains.copyAll')}
        </Button>
      </div>
      <table className={classes.records} data-single={rows.length === 1 || undefined}>
        <thead>
          <tr>
            <th scope="col">{t('domains.type')}</th>
            <th scope="col">{t('domains.recordName')}</th>
            <th scope="col">{t('domains.value')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ type, name, value }) => (
            <tr key={value}>
              <td className={classes.td} data-label={t('domains.type')}>
                <Tag>{type}</Tag>
              </td>
              <td className={classes.td} data-label={t('domains.recordName')}>
                <span className={classes.copied}>
                  <code>{name}</code>
                  <CopyValue value={name} what={t('domains.whatName', { type, value })} />
                </span>
              </td>
              <td className={classes.td} data-label={t('domains.value')}>
                <span className={classes.copied}>
                  <code>{value}</code>
                  <CopyValue value={value} what={t('domains.whatValue', { type, value })} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
