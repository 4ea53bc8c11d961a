import { countRows, type PageFigures } from '@atoll/contract/wire'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { DataTable, type DataTableProps } from './DataTable.tsx'
import { lastPage, Pager } from './Pager.tsx'
import { TableCard } from './TableCard.tsx'
import type { ListState } from './use-list-search.ts'

interface PagedTableProps<Data extends PageFigures, Row> extends Omit<DataTableProps<Row>, 'rows'> {
  /** The result of `useCall` for the paged call. */
  query: { data: Data | undefined; error: Error | null; dataUpdatedAt: number; refetch: () => Promise<unknown> }
  rows: (data: Data) => readonly Row[]
  list: Pick<ListState<unknown>, 'isFiltered' | 'toPage'>
  /** The sentence for missing content: 'Activity did not load'. */
  errorTitle: string
  /** Shown when there is nothing at all. */
  empty: ReactNode
}

/** One page of a list in a card with its pager, in all states; below 768 px each row is a card of its lines. */
export function PagedTable<Data extends PageFigures, Row>({
  query,
  rows: rowsOf,
  list,
  errorTitle,
  empty,
  ...table
}: PagedTableProps<Data, Row>) {
  const { data, error } = query
  const rows = data && rowsOf(data)
  // An address may name a page that the list does not have, or no longer.
  const shown = countRows(rows)
  const beyond = data && shown === 0 && data.rowsNumber > 0 ? lastPage(data) : undefined
  const toPage = useEffectEvent(list.toPage)
  useEffect(() => {
    if (beyond !== undefined) toPage(beyond)
  }, [beyond])
  return (
    <TableCard
      rows={beyond === undefined ? shown : undefined}
      isFiltered={list.isFiltered}
      error={error}
      updatedAt={query.dataUpdatedAt}
      onRetry={() => query.refetch()}
      errorTitle={errorTitle}
      empty={empty}
    >
      <DataTable rows={rows ?? []} {...table} />
      {data && <Pager {...data} list={table.label} onPage={list.toPage} />}
    </TableCard>
  )
}
