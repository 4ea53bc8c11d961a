import { proposedTtl } from '@atoll/contract/domains'
import type { ReactNode } from 'react'
import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { Tag } from '../../kit/page/Tag.tsx'
import { UnreadableCells } from '../../kit/table/UnreadableCells.tsx'
import { useText } from '../../locales/text.ts'
import classes from './dns-check/Cards.module.css'

interface RecordRow {
  type: string
  name: string
  value: string
  /** Of a record to be written elsewhere, which has its copy buttons: the content of a name field. */
  host?: string
}

interface RecordsTableProps {
  rows: readonly RecordRow[]
  label: string
  /** A row's button, last. */
  end?: (row: RecordRow) => ReactNode
}

/** Records of a zone; on a phone a card each. */
export function RecordsTable({ rows, label, end }: RecordsTableProps) {
  const t = useText()
  const isCopied = rows.some(({ host }) => host !== undefined)
  const heads = isCopied
    ? [t('domains.type'), t('domains.host'), t('domains.fullName'), t('domains.value'), t('domains.ttl')]
    : [t('domains.type'), t('domains.recordName'), t('domains.value')]
  const copied = (text: string, what: string) => (
    <span className={classes.copied}>
      <code>{text}</code>
      <CopyValue value={text} what={what} />
    </span>
  )
  const cells = ({ type, name, value, host }: RecordRow): ReactNode[] => {
    if (host === undefined) return [<code key="name">{name}</code>, <code key="value">{value}</code>]
    return [
      copied(host, t('domains.whatHost', { type, value })),
      copied(name, t('domains.whatName', { type, value })),
      copied(value, t('domains.whatValue', { type, value })),
      copied(String(proposedTtl), t('domains.whatTtl', { type, value })),
    ]
  }
  return (
    <table className={classes.records} aria-label={label} data-single={(rows.length === 1 && !end) || undefined}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          {end && (
            <th scope="col">
              <span className="visually-hidden">{t('domains.actions')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.type} ${row.name} ${row.value}`}>
            <td data-label={heads[0]}>
              <Tag>{row.type}</Tag>
            </td>
            {cells(row).map((cell, at) => (
              <td key={heads[at + 1]} data-label={heads[at + 1]}>
                {cell}
              </td>
            ))}
            {end && <td className={classes.end}>{end(row)}</td>}
          </tr>
        ))}
        <UnreadableCells of={rows} columns={heads.length + (end ? 1 : 0)} />
      </tbody>
    </table>
  )
}
