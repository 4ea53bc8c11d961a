import { Kysely, type KyselyPlugin, PostgresDialect, type Transaction } from 'kysely'
import { Pool, types } from 'pg'
import type { Log } from '../log.ts'
import { PrimaryClient } from './connection/primary.ts'

export { isNoAnswer } from './connection/no-answer.ts'
export { findPooler } from './connection/pooler.ts'
export { PrimaryClient } from './connection/primary.ts'
export { listMissingMigrations, listPendingMigrations, migrate, requireMigrated } from './migrations/migrate.ts'
export { isAtLeast } from './migrations/migration-files.ts'
export { type MovedTable, moveRows } from './move-rows/move-rows.ts'

/**
 * Every table of the server by name. A module adds its own beside its store:
 * `declare module '../../platform/db/index.ts' { interface Tables { clusters: ClustersTable } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their tables by declaration merging
export interface Tables {}

export type Db = Kysely<Tables>
/** A running transaction; accepted wherever a `Db` is, and demanded where a lock must be held. */
export type Trx = Transaction<Tables>

/** Where PostgreSQL answers: a URL, or the folder of a unix socket. */
export type DatabaseConnection =
  | { readonly connectionString: string }
  | { host: string; port?: number; user: string; database: string; password?: string }

export interface Database {
  db: Db
  pool: Pool
  /** Waits for queries under way and closes every connection. */
  close(): Promise<void>
}

const int8 = 20

/** bigint columns are counts and sizes: numbers while exact, a loud error instead of a wrong figure beyond 2^53. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond what a number holds exactly`)
  return value
}

/** No query of a request, a job or the queue takes long; a database that hangs must not keep people waiting. ms */
export const queryTimeoutMs = 20_000

export interface PoolOptions {
  log?: Log
  max?: number
  /** A query that has no answer after so long is given up, ms; left out, it is waited for. */
  queryTimeoutMs?: number
}

/**
 * A pool whose lost connections are logged instead of ending the process: when one backend of PostgreSQL crashes, it
 * resets all connections, idle ones too, and an unhandled 'error' event would be fatal.
 */
export function createPool(connection: DatabaseConnection, options: PoolOptions = {}): Pool {
  const pool = new Pool({
    ...connection,
    Client: PrimaryClient,
    max: options.max ?? 10,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    ...(options.queryTimeoutMs !== undefined && { query_timeout: options.queryTimeoutMs }),
    application_name: 'atoll',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 && format !== 'binary' ? parseInt8 : types.getTypeParser(oid, format),
    },
  })
  // Looked at for each new connection; copied, it would stay as it was.
  if ('connectionString' in connection)
    Object.defineProperty(pool.options, 'connectionString', {
      get: () => connection.connectionString,
      enumerable: true,
    })
  const lost = (error: Error) => {
    // The last words of connections that are being closed are no news.
    if (!pool.ending) options.log?.warn({ err: error }, 'a database connection was lost')
  }
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))
  return pool
}

/** Opens a pool (connections are made when first used) and Kysely on it. */
export function createDatabase(connection: DatabaseConnection, options: PoolOptions = {}): Database {
  const pool = createPool(connection, options)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const close = async () => {
    await db.destroy()
    // Kysely ends the pool only if it was used through Kysely.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/** Runs `work` on the database as it is at one moment; it can write nothing. */
export async function inSnapshot<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/**
 * `trx`, and how many statements were sent through it that may have written: all but those that Kysely built as a
 * query, without a `with`, which may write.
 */
export function countWrites(trx: Trx): { trx: Trx; writes(): number } {
  let writes = 0
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind !== 'SelectQueryNode' || node.with) writes += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { trx: trx.withPlugin(plugin), writes: () => writes }
}
