/**
 * Brings the database's tables up to date. Files `migrations/NNNN-name.sql` run in order, each in its own transaction
 * together with the row that records it, so a crash leaves either all of a file or none; a file in steps
 * (migration-steps.ts) starts again from its beginning. A session advisory lock makes processes that start together
 * take turns. A file that changed after it ran is refused: databases would differ. A database with a file that the code
 * lacks was made by a newer version; it is refused unless that file says that this version may run on it
 * (migration-files.ts).
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import type { Pool, PoolClient } from 'pg'
import { currentBuild, installRoot } from '../../install.ts'
import { type Log, silentLog } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'
import { type AppliedMigration, adoptBaseline, recordBaseline } from './baseline.ts'
import { defaultPatience, type LockPatience, withLockRetries } from './lock-retries.ts'
import { isAtLeast, type Migration, readMigrations } from './migration-files.ts'
import { runSteps } from './migration-steps.ts'

const migrationsDir = join(installRoot, 'apps/server/migrations')

/** Keys of the advisory locks this application takes, first half; the second half is each use's own. */
export const advisoryLockClass = 7001
const migrationLock = 0
/** From one look whether it is free to the next. */
const turnMs = 100

export interface MigrateOptions {
  log?: Log
  /** Of this program. */
  version?: string
  patience?: LockPatience
}

/**
 * Runs what is missing, the job queue's own tables included; safe to call from many processes at once. Throws an
 * `OperatorError` for a database that this program may not run on, whose files were changed, or a table of which
 * somebody else holds for too long. `pool` needs a connection besides the one that migrates.
 */
export async function migrate(
  pool: Pool,
  dir: string = migrationsDir,
  { log = silentLog, version = currentBuild().version, patience = defaultPatience }: MigrateOptions = {},
): Promise<void> {
  const migrations = await readMigrations(dir)
  const client = await pool.connect()
  try {
    await takeTurn(client)
    const change = { pool, client, log, patience }
    try {
      await client.query(
        `create table if not exists schema_migrations (
           name text constraint schema_migrations_pkey primary key, checksum text not null,
           applied_at timestamptz not null default now(), oldest_program text)`,
      )
      const pending = await listPending(client, migrations, version)
      await withLockRetries(change, 'schema_migrations', () => addDeclarations(client))
      await withLockRetries(change, 'of the job queue', () => migrateQueue(pool, client))
      for (const migration of pending) {
        const begun = performance.now()
        await withLockRetries(change, migration.name, () => apply(client, migration, log))
        log.info({ migration: migration.name, ms: Math.round(performance.now() - begun) }, 'a migration was applied')
      }
    } finally {
      await client.query('select pg_advisory_unlock($1, $2)', [advisoryLockClass, migrationLock])
    }
  } finally {
    client.release()
  }
}

/**
 * Polls instead of waiting for the lock inside a query: an index that is built concurrently waits for every query that
 * began before it, and that query would wait for the index.
 */
async function takeTurn(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
      advisoryLockClass,
      migrationLock,
    ])
    if (rows[0]?.held === true) return
    await delay(turnMs)
  }
}

/** Throws an `OperatorError` unless the database is as this program needs it; changes nothing. */
export async function requireMigrated(
  pool: Pool,
  dir: string = migrationsDir,
  version: string = currentBuild().version,
): Promise<void> {
  const pending = await listPending(pool, await readMigrations(dir), version)
  if (pending.length === 0) return
  throw new OperatorError(
    `The database lacks ${pending.length} migrations of this program, the first of them ${pending[0]?.name}: run the ` +
      'command migrate first.',
  )
}

/** The files that `migrate` would run. Throws an `OperatorError` for a database that this program may not run on. */
export async function listPendingMigrations(
  pool: Pool,
  dir: string = migrationsDir,
  version: string = currentBuild().version,
): Promise<Migration[]> {
  return await listPending(pool, await readMigrations(dir), version)
}

/** Names of migrations the code has and the database lacks; readiness asks this. */
export async function listMissingMigrations(pool: Pool, dir: string = migrationsDir): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations')
  const applied = new Set(rows.map((row) => row.name))
  return (await readMigrations(dir)).map((migration) => migration.name).filter((name) => !applied.has(name))
}

async function listPending(on: Pool | PoolClient, migrations: Migration[], version: string): Promise<Migration[]> {
  const { rows, adoption } = adoptBaseline(await listApplied(on), migrations)
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
  const unknown = rows.filter(({ name }) => !known.has(name))
  const pending = migrations.filter((migration) => !applied.has(migration.name))
  const forbidding = unknown.find(({ oldest_program: oldest }) => oldest === null || !isAtLeast(version, oldest))
  if (forbidding !== undefined) {
    throw new OperatorError(
      `The database is newer than this program, which does not know its migration ${forbidding.name}: start the ` +
        'version that last ran on it or a later one, or restore a backup from before that version.',
    )
  }
  const [first] = pending
  if (first !== undefined && unknown[0] !== undefined) {
    throw new OperatorError(
      `The database has the migration ${unknown[0].name}, which this program does not know, and lacks ${first.name}: ` +
        'no version comes between them. Start the version that last ran on it or a later one.',
    )
  }
  return adoption ? [adoption, ...pending] : pending
}

/** None for an empty database. A table of before declarations has no column for them. */
async function listApplied(on: Pool | PoolClient): Promise<AppliedMigration[]> {
  const { rows: found } = await on.query<{ is: boolean }>(`select to_regclass('schema_migrations') is not null as is`)
  if (found[0]?.is !== true) return []
  const { rows } = await on.query<AppliedMigration>(
    `select name, checksum, to_jsonb(m) ->> 'oldest_program' as oldest_program from schema_migrations m order by name`,
  )
  return rows
}

/** Asked first: adding takes the table's lock even where there is nothing to add. */
async function addDeclarations(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ is: boolean }>(
    `select exists (select from pg_attribute where attrelid = 'schema_migrations'::regclass
                    and attname = 'oldest_program' and not attisdropped) as is`,
  )
  if (rows[0]?.is !== true) await client.query('alter table schema_migrations add column oldest_program text')
}

/** On the connection that migrates, whose waiting for locks is limited. */
async function migrateQueue(pool: Pool, client: PoolClient): Promise<void> {
  const kept = new Proxy(client, {
    get: (target, key) => (key === 'release' ? () => undefined : bound(target, key)),
  })
  const pgPool = new Proxy(pool, {
    get: (target, key) => (key === 'connect' ? async () => kept : bound(target, key)),
  })
  await runMigrations({ pgPool, logger: new Logger(() => () => undefined) })
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}

async function apply(client: PoolClient, migration: Migration, log: Log): Promise<void> {
  const { name, sql, steps, adopts } = migration
  try {
    if (steps) await runSteps(client, name, steps, log)
    await client.query('begin')
    if (adopts) await recordBaseline(client, adopts)
    else if (!steps) await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum, oldest_program) values ($1, $2, $3)', [
      name,
      migration.checksum,
      migration.oldestProgram,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed: ${String(error)}`, { cause: error })
  }
}
