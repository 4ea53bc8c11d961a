import { expect, test } from 'vitest'
import { type CsvColumns, csvHead, csvLine } from './csv.ts'

interface Row {
  name: string | null
  amount: number
}
const columns: CsvColumns<Row> = { name: ({ name }) => name, 'amount, minor': ({ amount }) => amount }

/** A CSV line as RFC 4180 reads it. */
function parse(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n$)/g)].map(([, field = '']) => field.replaceAll('""', '"'))
}

test('a row is a line with a field under each head', () => {
  expect(parse(csvHead(columns))).toEqual(['name', 'amount, minor'])
  expect(parse(csvLine(columns, { name: 'Rangiroa', amount: 1296 }))).toEqual(['Rangiroa', '1296'])
  expect(parse(csvLine(columns, { name: null, amount: 0 }))).toEqual(['', '0'])
})

test.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
  'text that begins like a formula stays text: %j',
  (name) => {
    expect(parse(csvLine(columns, { name, amount: 1 }))).toEqual([`'${name}`, '1'])
  },
)

test('a negative figure stays a figure', () => {
  expect(parse(csvLine(columns, { name: 'refund', amount: -5 }))).toEqual(['refund', '-5'])
})

test('quotes, commas and line ends stay inside their field', () => {
  const name = 'a "b", c\nd, 珊瑚'
  expect(parse(csvLine(columns, { name, amount: 1 }))).toEqual([name, '1'])
})
