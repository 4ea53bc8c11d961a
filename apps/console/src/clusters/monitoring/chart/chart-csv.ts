import type { MonitorGrid } from '@atoll/contract/clusters'
import { timeOf, type Values } from './steps.ts'
import { formatIso } from './time-axis.ts'

export interface CsvColumn {
  /** With its unit: `Master (%)`. */
  header: string
  values: Values
}

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A line a step, times with their zone; a step without a reading has an empty cell. */
export function writeCsv(timeHeader: string, columns: readonly CsvColumn[], grid: MonitorGrid): string {
  const rows = Array.from({ length: grid.points }, (_, index) => [
    formatIso(timeOf(grid, index)),
    ...columns.map(({ values }) => String(values[index] ?? '')),
  ])
  return [[timeHeader, ...columns.map(({ header }) => header)], ...rows]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('')
}
