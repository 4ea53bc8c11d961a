/** The counts of rows that `readOpen` could not read, for pages. Apart from it, as signing in needs none. */
import { unreadable, unreadableRows } from './read-open.ts'

/** How many rows a list of an answer has, those that could not be read too; undefined while there is no answer. */
export function countRows(rows: readonly unknown[] | undefined): number | undefined {
  return rows && rows.length + unreadableRows(rows)
}

/** Returns `rows`, made from those of `lists`, with the count of rows that could not be read. */
export function countUnreadable<Rows extends object>(rows: Rows, ...lists: readonly (object | undefined)[]): Rows {
  const count = lists.reduce((sum: number, list) => sum + unreadableRows(list), 0)
  if (count > 0) unreadable.set(rows, count)
  return rows
}

/** Whether a list anywhere in `data` lacks rows: such data must not be copied, which would lose the count. */
export function lacksRows(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false
  return unreadable.has(data) || Object.values(data).some(lacksRows)
}
