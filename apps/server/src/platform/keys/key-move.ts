import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Sealer } from '../crypto.ts'
import type { Db } from '../db/index.ts'
import type { SealedUse } from '../key-uses.ts'

export interface KeyMoveDeps {
  db: Db
  clock: Clock
  /** With the new key first; the old ones are still there. */
  sealer: Sealer
}

/** How one use of the key comes to the new key. */
export interface KeyMove {
  /**
   * How many of what an old key made are still good for something. `since`: from then on every process made new values
   * with the new key.
   */
  count(deps: KeyMoveDeps, since: Date): Promise<number>
  /**
   * Makes them again with the new key. May be killed anywhere, safe to repeat; left out: they expire without being
   * moved.
   */
  move?(deps: KeyMoveDeps, signal: AbortSignal): Promise<void>
}

/** A column of sealed texts; null and empty ones hold nothing. */
interface SealedColumn {
  use: SealedUse
  table: string
  /** Names a row. */
  key: string
  column: string
  /** Within the column, JSON: the field that is sealed. */
  field?: string
}

const batch = 500

/** Seals a column's texts again, a row at a time: one that another process writes meanwhile keeps what that wrote. */
export function sealedColumn({ use, table, key, column, field }: SealedColumn): KeyMove {
  const value = field === undefined ? sql.ref<string>(column) : sql<string>`${sql.ref(column)} ->> ${field}`
  const isOld = ({ prefix }: Sealer) => sql<boolean>`${value} <> '' and not starts_with(${value}, ${prefix})`
  return {
    async count({ db, sealer }) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where ${isOld(sealer)}`.execute(db)
      return rows[0]?.count ?? 0
    },
    async move({ db, sealer }, signal) {
      let failure: unknown
      for (let after = ''; !signal.aborted; ) {
        const { rows } = await sql<{ key: string; sealed: string }>`
          select ${sql.ref(key)}::text as key, ${value} as sealed from ${sql.table(table)}
          where ${isOld(sealer)} and ${sql.ref(key)}::text > ${after}
          order by ${sql.ref(key)}::text limit ${batch}`.execute(db)
        for (const row of rows) {
          try {
            const again = sealer.seal(use, sealer.open(use, row.sealed))
            const next =
              field === undefined
                ? sql`${again}`
                : sql`jsonb_set(${sql.ref(column)}, array[${field}], to_jsonb(${again}::text))`
            await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${next}
              where ${sql.ref(key)}::text = ${row.key} and ${value} = ${row.sealed}`.execute(db)
          } catch (error) {
            // The others need not wait for one that is damaged.
            failure = new Error(`${table} ${row.key} could not be sealed again`, { cause: error })
          }
        }
        after = rows.at(-1)?.key ?? after
        if (rows.length < batch) break
      }
      if (failure !== undefined) throw failure
    },
  }
}

/** For values that expire `ms` after they were made, and are stored nowhere. */
export function forgottenAfter(ms: number): KeyMove {
  return { count: async ({ clock }, since) => (clock.now().getTime() - since.getTime() < ms ? 1 : 0) }
}

/** For values that processes make at their start and keep in memory: gone once all have started with the new key. */
export const madeAtStart: KeyMove = { count: async () => 0 }

/** Several as one. */
export function together(...moves: readonly KeyMove[]): KeyMove {
  return {
    async count(deps, since) {
      let sum = 0
      for (const one of moves) sum += await one.count(deps, since)
      return sum
    },
    async move(deps, signal) {
      for (const one of moves) await one.move?.(deps, signal)
    },
  }
}
