import { CopyValue } from '../../kit/page/CopyValue.tsx'
import { Tag } from '../../kit/page/Tag.tsx'
import { UnreadableCells } from '../../kit/table/UnreadableCells.tsx'
import { useText } from '../../locales/text.ts'
import classes from './dns-check/Cards.module.css'

interface RecordsTableProps {
  rows: readonly { type: string; name: string; value: string }[]
  /** They are to be written elsewhere: each has its copy buttons. */
  isCopied?: boolean
}

/** Records of a zone; on a phone a card each. */
export function RecordsTable({ rows, isCopied = false }: RecordsTableProps) {
  const t = useText()
  const cell = (text: string, what: string) => (
    <span className={isCopied ? classes.copied : undefined}>
      <code>{text}</code>
      {isCopied && <CopyValue value={text} what={what} />}
    </span>
  )
  return (
    <table
      className={classes.records}
      aria-label={t('domains.records', { count: rows.length })}
      data-single={rows.length === 1 || undefined}
    >
      <thead>
        <tr>
          <th scope="col">{t('domains.type')}</th>
          <th scope="col">{t('domains.recordName')}</th>
          <th scope="col">{t('domains.value')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ type, name, value }) => (
          <tr key={`${type} ${name} ${value}`}>
            <td data-label={t('domains.type')}>
              <Tag>{type}</Tag>
            </td>
            <td data-label={t('domains.recordName')}>{cell(name, t('domains.whatName', { type, value }))}</td>
            <td data-label={t('domains.value')}>{cell(value, t('domains.whatValue', { type, value }))}</td>
          </tr>
        ))}
        <UnreadableCells of={rows} columns={3} />
      </tbody>
    </table>
  )
}
