/**
 * What was written while the clock ran ahead lies in the future once it is set back, and until that day nothing is
 * retried, checked or run. One mechanism mends it, whenever the clock is found to have been ahead: each store says which
 * of its columns are such times. Deadlines that destroy are no such times: they may be late, and never early.
 */
import { sql } from 'kysely'
import type { Db, Tables } from '../db/index.ts'

/** Columns before whose time nothing is done, or that say when something was done last; of graphile-worker, too. */
export interface StoredTimes {
  table: Extract<keyof Tables, string> | `graphile_worker.${string}`
  columns: readonly [string, ...string[]]
  /** Meant is what lies ahead, which moves to now: its work asks itself whether it is due. Else rows where this does. */
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

/** Brings back what lies in the future. Safe to repeat; each table by itself, as one statement. */
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
