/** Rows as CSV (RFC 4180), made for spreadsheets: every field quoted, none of them taken for a formula. */

/** Tells Excel that the text is UTF-8; without it Chinese names are garbled. */
const byteOrderMark = '\uFEFF'

/** The value under each column head. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>

export function csvHead(columns: CsvColumns<never>): string {
  return `${byteOrderMark}${Object.keys(columns).map(field).join(',')}\r\n`
}

export function csvLine<Row>(columns: CsvColumns<Row>, row: Row): string {
  return `${Object.values(columns)
    .map((read) => field(read(row)))
    .join(',')}\r\n`
}

/** A spreadsheet runs what begins like a formula; an apostrophe before it makes it text. Figures are left figures. */
function field(value: string | number | null): string {
  const text = String(value ?? '')
  const plain = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}
