import type { AuditRecord } from '@atoll/contract/audit'
import { useText } from '../kit/i18n/text.ts'
import table from '../kit/table/Table.module.css'
import { ActivityLine } from './ActivityLine.tsx'
import classes from './ActivityPage.module.css'

interface ActivityTableProps {
  userid: string
  records: readonly AuditRecord[]
  /** Shows one object's records only. */
  onObject: (id: string) => void
}

/** The records, newest first; on a phone the sentence above one line of who, where and when. */
export function ActivityTable({ userid, records, onObject }: ActivityTableProps) {
  const t = useText()
  return (
    <table className={`${table.table} ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">{t('activity.columnWhat')}</th>
          <th scope="col">{t('activity.columnWho')}</th>
          <th scope="col">{t('activity.columnFrom')}</th>
          <th scope="col">{t('activity.columnWhen')}</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <ActivityLine key={record.seq} userid={userid} record={record} onObject={onObject} />
        ))}
      </tbody>
    </table>
  )
}
