import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/**
 * Environment variable by which the global setup passes test files the address of PostgreSQL; not one of the server's
 * own.
 */
export const postgresVariable = 'TEST_POSTGRES_URL'
export const templateDatabase = 'atoll_template'

export interface TestDatabase extends AsyncDisposable {
  /** Connection URL, for `pg` and for `DATABASE_URL` of a real server. */
  url: string
  /** Removes the database, connections included. */
  drop(): Promise<void>
}

interface TestDatabaseOptions {
  /** Start without any table instead of with every migration applied. */
  empty?: boolean
  /** Start as what the database of this URL holds now, as from a dump of it; its connections are ended. */
  copyOf?: string
}

/**
 * A database of one's own with every migration applied: a clone of the run's template, some 30 ms.
 * Needs `packages/testkit/src/postgres/postgres-setup.ts` as `globalSetup` of the Vitest project.
 */
export async function createTestDatabase({ empty = false, copyOf }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const adminUrl = process.env[postgresVariable]
  if (!adminUrl) throw new Error(`${postgresVariable} is not set: the project lacks postgres-setup.ts as globalSetup`)
  const name = `test_${randomBytes(8).toString('hex')}`
  const original = copyOf === undefined ? templateDatabase : new URL(copyOf).pathname.slice(1)
  if (copyOf !== undefined) {
    await runAsAdmin(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${original}'`)
  }
  // file_copy: with fsync off a clone takes half the time of the default wal_log.
  const source = empty ? 'template0' : `${original} strategy file_copy`
  await runAsAdmin(adminUrl, `create database ${name} template ${source}`)
  const drop = () => runAsAdmin(adminUrl, `drop database if exists ${name} with (force)`)
  return { url: adminUrl.replace('/postgres?', `/${name}?`), drop, [Symbol.asyncDispose]: drop }
}

export async function runAsAdmin(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
