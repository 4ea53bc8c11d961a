import { countRows } from '@atoll/contract/wire'
import type { ReactNode } from 'react'
import { Panel } from '../../billing/shared/Panel.tsx'
import { DataTable, type DataTableProps } from '../../kit/table/DataTable.tsx'
import classes from './TablePanel.module.css'

interface TablePanelProps<Row> extends Omit<DataTableProps<Row>, 'label'> {
  title: string
  note?: ReactNode
  /** Stands in place of no rows; left out, the card is left out then. */
  none?: string
}

/** A card with a table of its own. */
export function TablePanel<Row>({ title, note, none, ...table }: TablePanelProps<Row>) {
  const isEmpty = countRows(table.rows) === 0
  if (isEmpty && none === undefined) return null
  return (
    <div className={classes.section}>
      <Panel title={title} note={note}>
        {isEmpty ? <p className={classes.none}>{none}</p> : <DataTable label={title} {...table} />}
      </Panel>
    </div>
  )
}
