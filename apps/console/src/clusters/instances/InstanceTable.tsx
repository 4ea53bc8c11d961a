import type { ReactNode } from 'react'
import { useText } from '../../kit/i18n/text.ts'
import table from '../../kit/table/Table.module.css'
import { InstanceLine } from './InstanceLine.tsx'
import type { ShownInstance } from './shown-instance.ts'

interface InstanceTableProps {
  rows: ShownInstance[]
  /** Under the name: what the table around it does not say already. */
  detail?: (row: ShownInstance) => ReactNode
  /** What we last knew, not what is. */
  stale?: boolean
}

/**
 * Machines with what each is, how it is, how busy it is, and what can be done with it. Below 768 px a row is a card.
 */
export function InstanceTable({ rows, detail, stale = false }: InstanceTableProps) {
  const t = useText()
  return (
    <table className={`${table.table} ${table.instances}`}>
      <thead>
        <tr>
          <th scope="col">{t('detail.columnName')}</th>
          <th scope="col">{t('detail.columnStatus')}</th>
          <th scope="col">{t('detail.columnSize')}</th>
          <th scope="col">{t('instances.columnAddress')}</th>
          <th scope="col">{t('detail.columnCpu')}</th>
          <th scope="col">{t('detail.columnMemory')}</th>
          <th scope="col">
            <span className={table.hidden}>{t('instances.columnActions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <InstanceLine key={row.instance.instanceId} {...row} detail={detail?.(row)} stale={stale} />
        ))}
      </tbody>
    </table>
  )
}
