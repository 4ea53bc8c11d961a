/**
 * Brings the database's tables up to date. Files `migrations/NNNN-name.sql` run in order, each in its own transaction
 * together with the row that records it, so a crash leaves either all of a file or none. One session advisory lock
 * makes processes that start together take turns. A file that changed after it ran is refused: databases would differ.
 * So is a database with a file that the code lacks: a newer version made it.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import type { Pool, PoolClient } from 'pg'
import { OperatorError } from '../operator-error.ts'

const migrationsDir = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** Keys of the advisory locks this application takes, first half; the second half is each use's own. */
export const advisoryLockClass = 7001
const migrationLock = 0

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** The migrations of `dir` in order; a name that is not `NNNN-name.sql` or a number used twice is an error. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  const numbers = new Set<string>()
  for (const name of names) {
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`Migration ${name} is not named NNNN-name.sql`)
    const number = name.slice(0, 4)
    if (numbers.has(number)) throw new Error(`Two migrations have the number ${number}`)
    numbers.add(number)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(dir, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Runs what is missing, the job queue's own tables included; safe to call from many processes at once. Throws an
 * `OperatorError` for a database that is newer than the code, or whose files were changed.
 */
export async function migrate(pool: Pool, dir: string = migrationsDir): Promise<void> {
  const migrations = await readMigrations(dir)
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1, $2)', [advisoryLockClass, migrationLock])
    try {
      await client.query(
        `create table if not exists schema_migrations (
           name text constraint schema_migrations_pkey primary key, checksum text not null,
           applied_at timestamptz not null default now())`,
      )
      const pending = await listPending(client, migrations)
      await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) })
      for (const migration of pending) await apply(client, migration)
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', [advisoryLockClass, migrationLock])
    }
  } finally {
    client.release()
  }
}

/** Names of migrations the code has and the database lacks; readiness asks this. */
export async function listMissingMigrations(pool: Pool, dir: string = migrationsDir): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations')
  const applied = new Set(rows.map((row) => row.name))
  return (await readMigrations(dir)).map((migration) => migration.name).filter((name) => !applied.has(name))
}

async function listPending(client: PoolClient, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations order by name',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const migration of migrations) {
    const checksum = applied.get(migration.name)
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new OperatorError(
        `The migration ${migration.name} was changed after this database ran it: put that file back as it was released.`,
      )
    }
  }
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = rows.map(({ name }) => name).find((name) => !known.has(name))
  if (unknown !== undefined) {
    throw new OperatorError(
      `The database is newer than this program, which does not know its migration ${unknown}: start the version that ` +
        'last ran on it or a later one, or restore a backup from before that version.',
    )
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed: ${String(error)}`, { cause: error })
  }
}
