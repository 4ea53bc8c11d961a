import { unknownAmount, unreadableRows } from '@atoll/contract/wire'
import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useIsMiddle } from '../browser/use-is-narrow.ts'
import classes from './DataTable.module.css'
import { UnreadableCells } from './UnreadableCells.tsx'

/**
 * Where a cell stands on a phone, where a row is a card: at the beginning or the end of one of three lines, several
 * in one place beside each other; alone on a line with its header, which is where it stands without a word; or nowhere.
 */
export type PhonePlace = `${'first' | 'second' | 'third'}${'' | '-end'}` | 'labelled' | 'none'

export interface Column<Row> {
  /** No two columns of a table have the same. */
  header: string
  cell: (row: Row) => ReactNode
  /** CSS width; columns without one share what is left. */
  width?: string
  align?: 'right'
  /** Beside what the row is about: smaller and grey. */
  isQuiet?: boolean
  /** Buttons or a menu; the header is only for screen readers. */
  isActions?: boolean
  /** Holds the row's one link, which covers the whole row on a phone; a cell that opens its row always does. */
  leads?: boolean
  phone?: PhonePlace
  /** Left out below 1200 px and on paper, where it would leave no room for what the row is about. */
  isWide?: boolean
  /** In the last row: a sum, or what the sums are; none is formed where a row could not be read. */
  total?: ReactNode
}

export interface DataTableProps<Row> {
  /** Name of the table for screen readers. */
  label: string
  /** Rows of an answer that could not be read stand after the others, a row each; what is made of them counts them. */
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  columns: readonly Column<Row>[]
  /** The details that a row opens to; the first cell then opens them. */
  opened?: (row: Row) => ReactNode
  /** Content that is always under a row, such as its fault; undefined for rows without. */
  below?: (row: Row) => ReactNode | undefined
  /** A row that the others stand back for: tinted, with a bar at its start. */
  isMarked?: (row: Row) => boolean
}

/** Rows of equal things, one column a property. */
export function DataTable<Row>({ label, rows, rowKey, columns, opened, below, isMarked }: DataTableProps<Row>) {
  const unreadable = unreadableRows(rows)
  const isMiddle = useIsMiddle()
  // A cell over more columns than are shown would make room for the others all the same.
  const span = columns.filter(({ isWide }) => !(isWide && isMiddle)).length
  return (
    <table className={classes.table} aria-label={label} data-opens={opened !== undefined || undefined}>
      <thead>
        <tr>
          {columns.map(({ header, isActions, width, align, isWide }) => (
            <th
              key={header}
              scope="col"
              data-align={align}
              data-wide={isWide}
              style={width === undefined ? undefined : { width }}
            >
              {isActions ? <span className="visually-hidden">{header}</span> : header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <DataRow
            key={rowKey(row)}
            row={row}
            columns={columns}
            span={span}
            opened={opened}
            below={below?.(row)}
            marked={isMarked?.(row) ?? false}
          />
        ))}
        <UnreadableCells of={rows} columns={span} />
      </tbody>
      {columns.some(({ total }) => total !== undefined) && (
        <tfoot>
          <tr>
            {columns.map((column) => (
              <Cell key={column.header} column={column}>
                {unreadable > 0 && column.align === 'right' ? unknownAmount : column.total}
              </Cell>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}

interface DataRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  /** How many of them are shown. */
  span: number
  opened: ((row: Row) => ReactNode) | undefined
  below: ReactNode | undefined
  marked: boolean
}

function DataRow<Row>({ row, columns, span, opened, below, marked }: DataRowProps<Row>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <tr data-joined={open || below !== undefined || undefined} data-marked={marked || undefined}>
        {columns.map((column, at) => (
          <Cell key={column.header} column={column} leads={at === 0 && opened !== undefined}>
            {at === 0 && opened ? (
              <UnstyledButton className={classes.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
                <IconChevronRight className={classes.chevron} size={15} stroke={1.6} aria-hidden="true" />
                <span>{column.cell(row)}</span>
              </UnstyledButton>
            ) : (
              column.cell(row)
            )}
          </Cell>
        ))}
      </tr>
      {below !== undefined && (
        <tr className={classes.below}>
          <td colSpan={span}>{below}</td>
        </tr>
      )}
      {open && (
        <tr className={classes.opened}>
          <td colSpan={span}>{opened?.(row)}</td>
        </tr>
      )}
    </>
  )
}

interface CellProps {
  column: Omit<Column<never>, 'cell'>
  leads?: boolean
  children: ReactNode
}

function Cell({ column, leads = false, children }: CellProps) {
  const { header, align, isQuiet, isActions, isWide, phone = 'labelled' } = column
  return (
    <td
      data-align={align}
      data-quiet={isQuiet}
      data-actions={isActions}
      data-leads={leads || column.leads || undefined}
      data-wide={isWide}
      data-phone={phone}
      data-label={phone === 'labelled' ? header : undefined}
    >
      {children}
    </td>
  )
}
