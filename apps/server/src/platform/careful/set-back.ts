/**
 * Times that were written while the clock ran ahead lie in the future once it is set back, and until that day nothing
 * is retried, checked or run. One mechanism corrects them, whenever the clock is found to have been ahead: each store
 * declares which of its columns are such times. Deadlines that destroy something are not among them: they may be late,
 * but never early.
 */
import { sql } from 'kysely'
import type { Db, Tables } from '../db/index.ts'

/** Columns before whose time nothing is done, or that say when something was done last; of graphile-worker, too. */
export interface StoredTimes {
  table: Extract<keyof Tables, string> | `graphile_worker.${string}`
  columns: readonly [string, ...string[]]
  /**
   * Limits the change to rows where this column lies ahead. Default: rows where any of `columns` does. Every one of
   * `columns` that lies ahead becomes now; the work checks whether it is due.
   */
  ifAhead?: string
  /** A column that says when the row was written: where it lies ahead it moves to now, and `columns` by as much. */
  shiftedWith?: string
}

/** Times of the platform's own tables. */
export const platformTimes: readonly StoredTimes[] = [
  // Without it none of the jobs that the clock starts would run.
  { table: 'graphile_worker._private_known_crontabs', columns: ['last_execution'] },
  { table: 'graphile_worker._private_jobs', columns: ['run_at'] },
  // A source's answer settles what was raised before it.
  { table: 'doubts', columns: ['since'] },
  { table: 'rate_counts', columns: ['full_at'] },
  { table: 'operations', columns: ['deadline_at'], shiftedWith: 'started_at' },
]

/** Moves times that lie in the future back to now. Safe to repeat; one statement per table. */
export async function bringBackTimes(db: Db, times: readonly StoredTimes[], now: Date): Promise<void> {
  const at = sql`${now}::timestamptz`
  for (const { table, columns, ifAhead, shiftedWith } of times) {
    const refs = columns.map((column) => sql.ref(column))
    const deciding = shiftedWith ?? ifAhead
    const ahead = (deciding === undefined ? refs : [sql.ref(deciding)]).map((ref) => sql`${ref} > ${at}`)
    const changes =
      shiftedWith === undefined
        ? // Not `least`, which would give what is null a time.
          refs.map((ref) => sql`${ref} = case when ${ref} > ${at} then ${at} else ${ref} end`)
        : [
            sql`${sql.ref(shiftedWith)} = ${at}`,
            ...refs.map((ref) => sql`${ref} = ${ref} - (${sql.ref(shiftedWith)} - ${at})`),
          ]
    await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${sql.join(ahead, sql` or `)}`.execute(db)
  }
}
