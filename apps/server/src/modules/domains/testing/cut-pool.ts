/**
 * A pool whose work loses the database: a statement that writes, or a commit, is executed, its answer is lost with the
 * connection, and no new connection is available while the work runs. PostgreSQL rolls back the open transaction, so
 * this covers every moment at which a database can go away.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'

interface Cut {
  passed: number
  /** Counted from 1; never reached: nothing is cut. */
  boundary: number
  isAway: boolean
}

const current = new AsyncLocalStorage<Cut>()
const writes = /^\s*(insert|update|delete|commit|select graphile_worker|select pg_notify)/i

/** Runs `work` until it ends, or fails because the database is away; says how many statements it carried out. */
export async function runToCut(boundary: number, work: () => Promise<unknown>): Promise<{ passed: number }> {
  const cut: Cut = { passed: 0, boundary, isAway: false }
  try {
    await current.run(cut, work)
  } catch (error) {
    if (!cut.isAway) throw error
  }
  return { passed: cut.passed }
}

/** `pool` for Kysely, whose connections are cut where `runToCut` says. */
export function cutAfterBoundary(pool: Pool): PostgresPool {
  function requireDatabase(): void {
    if (current.getStore()?.isAway) throw new Error('the database is away')
  }
  return {
    async connect() {
      requireDatabase()
      const client = await pool.connect()
      const query = async (text: unknown, values?: unknown) => {
        requireDatabase()
        const result = await (client.query as (text: unknown, values?: unknown) => Promise<unknown>)(text, values)
        const cut = current.getStore()
        if (cut && typeof text === 'string' && writes.test(text)) {
          cut.passed += 1
          cut.isAway ||= cut.passed === cut.boundary
          requireDatabase()
        }
        return result
      }
      // With `true` the connection is closed, and what it had open is undone.
      const release = () => client.release(current.getStore()?.isAway === true)
      // Kysely calls these two of a client, with texts only.
      return { query, release } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  } as PostgresPool
}
