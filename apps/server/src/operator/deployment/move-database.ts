/**
 * `npm run move-database -- postgres://…`: moves the deployment to a database on another server. Nothing else runs on
 * either meanwhile; the database of before is kept, careful, and is left to the operator.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import type { Config } from '../../config.ts'
import { beCareful } from '../../platform/careful/index.ts'
import { systemClock as clock } from '../../platform/clock.ts'
import { FolderTaken } from '../../platform/data-folder/folder-lock.ts'
import { startEmbeddedPostgres } from '../../platform/db/embedded/embedded.ts'
import {
  createDatabase,
  type DatabaseConnection,
  findPooler,
  migrate,
  moveRows,
  PrimaryClient,
  requireMigrated,
} from '../../platform/db/index.ts'
import { findFact } from '../../platform/facts/index.ts'
import { isRelease } from '../../platform/install.ts'
import { keyMarkFact } from '../../platform/keys/index.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { runOperatorCommand, say, sayJson } from '../run-operator-command.ts'

const help = `Usage: ${isRelease ? 'atollctl move-database' : 'npm run move-database --'} [postgres://USER@HOST/DATABASE] [--json]

The address is asked for where it is not named, or read from standard input: one with a password has to come this way, as
arguments can be read by everybody on this machine.

Copies the deployment's database into an empty one on another server (PostgreSQL 15 or newer), compares each table, and
leaves the old one as it is, careful. ${
  isRelease ? 'The roles are stopped meanwhile.' : 'The server has to be stopped.'
} Killed anywhere, run it again.
  --json   what was moved as JSON

Exit codes: 0 moved; 2 it could not be done, and the old database is the one in use.`

/** The present database: that of DATABASE_URL, or the embedded one, which no other process may use. */
async function openSource(
  { databaseUrl, dataDir }: Config,
  log: Log,
): Promise<{ connection: DatabaseConnection; stop(): Promise<void> }> {
  if (databaseUrl !== undefined) return { connection: { connectionString: databaseUrl }, stop: async () => undefined }
  if (!existsSync(join(dataDir, 'postgres', 'data'))) throw new OperatorError(`There is no deployment in ${dataDir}.`)
  try {
    return await startEmbeddedPostgres({ dataDir, log })
  } catch (error) {
    if (error instanceof FolderTaken) throw new OperatorError('The server is running: stop it, then move its database.')
    throw error
  }
}

async function withClient<T>(connection: DatabaseConnection, work: (client: Client) => Promise<T>): Promise<T> {
  const client: Client = new PrimaryClient(connection)
  client.on('error', () => undefined) // the query that runs then says so
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Any other connected client could write rows that the copy does not have. */
async function requireAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  const others = rows[0]?.count ?? 0
  if (others > 0)
    throw new OperatorError(`${others} others are connected to the database: stop all roles, on every host.`)
}

/** Brings the target up to date. Refuses one that a deployment has ever run on: each leaves the mark of its key. */
async function prepareTarget(target: DatabaseConnection, log: Log): Promise<void> {
  const { db, pool, close } = createDatabase(target, { log, max: 2 })
  try {
    const pooler = await findPooler(pool)
    if (pooler !== undefined) throw new OperatorError(pooler)
    const { rows } = await pool.query<{ tables: number; isOurs: boolean }>(
      `select count(*)::int as tables, to_regclass('public.deployment_facts') is not null as "isOurs" from pg_class
       where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    )
    const { tables = 0, isOurs = false } = rows[0] ?? {}
    const isUsed = isOurs ? (await findFact(db, keyMarkFact)) !== undefined : tables > 0
    if (isUsed) throw new OperatorError('The database to move to is not empty: name one that nothing has used yet.')
    await migrate(pool, undefined, { log })
  } finally {
    await close()
  }
}

/** Where to move to: of the arguments, or else the first line of standard input. */
async function readTarget(named: string | undefined): Promise<string> {
  const isUrl = (text: string) => /^postgres(ql)?:\/\/\S+$/.test(text)
  if (named !== undefined && isUrl(named)) {
    const { password, searchParams } = new URL(named)
    if (password !== '' || searchParams.has('password'))
      throw new OperatorError('Everybody on this machine can read arguments: give this address on standard input.')
    return named
  }
  const read = named ?? (await readLine('Database to move to: ')).trim()
  if (!isUrl(read)) throw new OperatorError('Name the database to move to: postgres://USER@HOST/DATABASE.')
  return read
}

/** The first line of standard input; asks a person for it. */
async function readLine(question: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(question)
  for await (const line of createInterface({ input: process.stdin })) return line
  return ''
}

await runOperatorCommand(async ({ config, log }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    say(help)
    return 0
  }
  const [named, ...rest] = positionals
  if (rest.length > 0) throw new OperatorError('Name one database to move to: postgres://USER@HOST/DATABASE.')
  const url = await readTarget(named)
  if (url === config.databaseUrl) throw new OperatorError('That is the database in use.')
  const target = { connectionString: url }
  const source = await openSource(config, log)
  try {
    const old = createDatabase(source.connection, { log, max: 1 })
    try {
      await requireMigrated(old.pool)
    } finally {
      await old.close()
    }
    await prepareTarget(target, log)
    const moved = await withClient(source.connection, async (from) => {
      await requireAlone(from)
      return await withClient(target, (to) => moveRows(from, to))
    })
    const kept = createDatabase(source.connection, { log, max: 1 })
    try {
      await beCareful(kept.db, 'its deployment was moved to another database', clock.now())
    } finally {
      await kept.close()
    }
    const rows = moved.reduce((sum, one) => sum + one.rows, 0)
    if (values.json) sayJson({ tables: moved.length, rows, moved })
    else {
      say(`Moved ${moved.length} tables with ${rows} rows; each was compared by count and hash.`)
      say(
        isRelease
          ? 'The settings of this host name the new database; set DATABASE_URL on every other host, too.'
          : 'Now set DATABASE_URL to the new database and start the server.',
      )
      say('The database of before is as it was, and careful: should a role start on it, no money moves there.')
    }
    return 0
  } finally {
    await source.stop()
  }
})
