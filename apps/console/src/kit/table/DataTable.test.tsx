import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Column, DataTable, type DataTableProps } from './DataTable.tsx'

interface Item {
  id: string
  name: string
  amount: number
}
const items: Item[] = [
  { id: 'a', name: 'Manihi', amount: 1296 },
  { id: 'b', name: 'Rangiroa', amount: 1944 },
]
const columns: Column<Item>[] = [
  { header: 'Name', cell: ({ name }) => name, phone: 'first' },
  { header: 'Amount', cell: ({ amount }) => amount, align: 'right', phone: 'first-end' },
  { header: 'Id', cell: ({ id }) => id },
  { header: 'Actions', cell: () => '…', isActions: true, phone: 'none' },
]

function draw(props: Partial<DataTableProps<Item>> = {}): string {
  const table = <DataTable label="Items" rows={items} rowKey={({ id }) => id} columns={columns} {...props} />
  return renderToStaticMarkup(<MantineProvider>{table}</MantineProvider>)
}
const cellsOf = (html: string) => [...html.matchAll(/<td([^>]*)>([^<]*)</g)].map(([, names, text]) => [text, names])

test('a row is a cell under each header, and each says where it stands on a phone', () => {
  const html = draw()
  expect([...html.matchAll(/<th scope="col"/g)]).toHaveLength(columns.length)
  expect(cellsOf(html).slice(0, 4)).toEqual([
    ['Manihi', ' data-phone="first"'],
    ['1296', ' data-align="right" data-phone="first-end"'],
    ['a', ' data-phone="labelled" data-label="Id"'],
    ['…', ' data-actions="true" data-phone="none"'],
  ])
})

test('the total stands under its columns', () => {
  const totals = ['Total', 3240]
  const [, foot = ''] = draw({ columns: columns.map((column, at) => ({ ...column, total: totals[at] })) }).split(
    '<tfoot>',
  )
  expect(cellsOf(foot).map(([text]) => text)).toEqual(['Total', '3240', '', ''])
})

test('what always stands under a row spans all its columns; a row that opens begins closed', () => {
  const html = draw({ below: ({ id }) => (id === 'a' ? 'in trouble' : undefined), opened: () => 'more' })
  expect(html).toContain(`<td colSpan="${columns.length}">in trouble</td>`)
  expect([...html.matchAll(/aria-expanded="false"/g)]).toHaveLength(2)
  expect(html).not.toContain('more')
})
