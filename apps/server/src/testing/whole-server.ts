/** A whole server with one process of jobs, on a port of its own, whose log is kept. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ApiClient,
  createApiClient,
  createScriptedWallet,
  createTestDatabase,
  findFreePorts,
} from '@atoll/testkit'
import { sql } from 'kysely'
import { compose, type System } from '../composition/compose.ts'
import { loadConfig } from '../config.ts'
import { createConsoleApp } from '../http/app.ts'
import { findAccountOfDid } from '../modules/accounts/index.ts'
import { createDatabase, type Database } from '../platform/db/index.ts'
import { startWorker } from '../platform/jobs/index.ts'
import { createLog } from '../platform/log.ts'

const project = fileURLToPath(new URL('../../../..', import.meta.url))

export interface WholeServer {
  origin: string
  database: Database
  system: System
  /** A new account, signed in; with an ID, which clusters ask for, when given one such as `reef@atoll.test`. */
  createPerson(name?: string): Promise<{ /** The id of the account. */ userid: string; did: string; api: ApiClient }>
  /** The log so far, at every level. */
  readLog(): string
  /** Every row of every table, every line of the log and every kept mail, as text. */
  readEverything(): Promise<string>
  close(): Promise<void>
}

export interface WholeServerOptions {
  /** Over the settings that it has here. */
  settings?: Record<string, string>
  /** False: nothing is done but what requests do. */
  hasJobs?: boolean
}

export async function startWholeServer({
  settings = {},
  hasJobs = true,
}: WholeServerOptions = {}): Promise<WholeServer> {
  const scratch = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-server-'))
  const connection = { connectionString: scratch.url }
  const database = createDatabase(connection)
  const [port = 0] = await findFreePorts(1)
  const origin = `http://127.0.0.1:${port}`
  const config = loadConfig(
    {
      ATOLL_DATA_DIR: dataDir,
      DATABASE_URL: scratch.url,
      ATOLL_SECRET_KEY: 'a key for this test alone, 32 characters',
      ATOLL_PUBLIC_URL: origin,
      ATOLL_SIGN_IN_RATE: '1000000',
      ATOLL_RATE_FACTOR: '1000',
      ...settings,
    },
    project,
  )
  let logged = ''
  const log = createLog(
    { level: 'trace' },
    {
      write(line: string) {
        logged += line
      },
    },
  )
  const system = await compose(config, { ...database, connection, stopServer: async () => undefined }, log)
  const operations = { metrics: system.metrics, checks: {}, metricsToken: () => undefined, isPublic: false }
  const app = await createConsoleApp({ config, log, ...system, operations })
  await app.listen({ host: '127.0.0.1', port })
  const worker = hasJobs ? await startWorker({ connection, jobs: system.jobs, log }) : undefined
  return {
    origin,
    database,
    system,
    async createPerson(name) {
      const wallet = createScriptedWallet()
      await wallet.register(origin)
      if (name !== undefined) await wallet.bindName(origin, name)
      const { userid: did, token } = await wallet.signIn(origin)
      const userid = (await findAccountOfDid(database.db, did)) ?? ''
      return { userid, did, api: createApiClient(origin, { userid: did, token }) }
    },
    readLog: () => logged,
    async readEverything() {
      const { rows } = await sql<{ name: string }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'graphile_worker')`.execute(database.db)
      const tables = await Promise.all(
        rows.map(({ name }) =>
          database.pool.query(`select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`),
        ),
      )
      const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      return [logged, ...tables.map((table) => String(table.rows[0]?.text)), ...kept].join('\n')
    },
    async close() {
      await worker?.stop()
      system.events.closeAll()
      await app.close()
      await system.catalog.stop()
      await system.listener.close()
      await database.close()
      await scratch.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
