/**
 * A pool that counts the boundaries which a piece of work passes: before each statement that writes and before each
 * commit. Together with provider calls these are all the moments whose outcome differs for the process that takes over
 * from a killed worker. At the given boundary the work stops for good in the middle, as if its process had died there;
 * `SIGKILL` to the process then makes that true for the database.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'

export interface BoundaryCount {
  passed: number
  /** Counted from 1; never reached: the work goes to its end. */
  boundary: number
  halted(): void
}

const current = new AsyncLocalStorage<BoundaryCount>()

/** Runs `work`, counting what it passes; resolves when it ended, or when it has stopped at `boundary`. */
export async function runToBoundary(
  boundary: number,
  work: () => Promise<unknown>,
): Promise<{ passed: number; halted: boolean }> {
  const stop = Promise.withResolvers<void>()
  let halted = false
  const count: BoundaryCount = {
    passed: 0,
    boundary,
    halted() {
      halted = true
      stop.resolve()
    },
  }
  await Promise.race([current.run(count, work), stop.promise])
  return { passed: count.passed, halted }
}

/** The work that runs reaches a boundary; never resolves at the one where it is to stop. */
export function reachBoundary(): Promise<void> | undefined {
  const count = current.getStore()
  if (!count) return undefined
  count.passed += 1
  if (count.passed < count.boundary) return undefined
  count.halted()
  return new Promise(() => undefined)
}

const writes = /^\s*(insert|update|delete|commit|select graphile_worker|select pg_notify)/i

/** `pool` for Kysely, with the boundaries of its statements. */
export function countBoundaries(pool: Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      const query = async (text: unknown, values?: unknown) => {
        if (typeof text === 'string' && writes.test(text)) await reachBoundary()
        return await (client.query as (text: unknown, values?: unknown) => Promise<unknown>)(text, values)
      }
      // Kysely calls these two of a client, with texts only.
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  } as PostgresPool
}
