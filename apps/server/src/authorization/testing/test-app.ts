/** The very application that a server runs, on a database of its own, and people who ask it. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StaffRole } from '@atoll/contract/wire'
import { type ApiClient, createApiClient, createScriptedWallet, createTestDatabase } from '@atoll/testkit'
import type { FastifyInstance } from 'fastify'
import { compose, type System } from '../../composition/compose.ts'
import { loadConfig } from '../../config.ts'
import { createConsoleApp } from '../../http/app.ts'
import type { Access } from '../../http/rates/define-endpoint.ts'
import { changeStaff, findAccountOfDid } from '../../modules/accounts/index.ts'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { silentLog } from '../../platform/log.ts'

const project = fileURLToPath(new URL('../../../../..', import.meta.url))

export interface Person {
  /** The id of the account. */
  userid: string
  /** The account's id in calls. */
  did: string
  api: ApiClient
}

export interface TestApp extends AsyncDisposable {
  database: Database
  system: System
  origin: string
  dataDir: string
  /** `METHOD path` of everything that was mounted, with what it says of who may use it. */
  mounted: ReadonlyMap<string, Access | undefined>
  /** A new account with an ID, signed in. */
  createPerson(role?: 'User' | 'Admin', staff?: StaffRole): Promise<Person>
}

/** Starts the application; no worker takes its jobs, so a cluster stays as it was ordered. */
export async function openTestApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const scratch = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-authorization-'))
  const connection = { connectionString: scratch.url }
  const database = createDatabase(connection)
  const config = loadConfig(
    {
      ATOLL_DATA_DIR: dataDir,
      ATOLL_ROLES: 'api,edge',
      DATABASE_URL: scratch.url,
      ATOLL_SECRET_KEY: 'a key for this test alone, 32 characters',
      ATOLL_VCPU_QUOTA: '100000',
      ATOLL_SIGN_IN_RATE: '1000000',
      ATOLL_RATE_FACTOR: '1000',
      ...settings,
    },
    project,
  )
  const system = await compose(config, { ...database, connection, stopServer: async () => undefined }, silentLog)
  const mounted = new Map<string, Access | undefined>()
  function noteRoutes(message: unknown): void {
    const { fastify } = message as { fastify: FastifyInstance } // what Fastify publishes on this channel
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const each of [method].flat()) if (each !== 'HEAD') mounted.set(`${each} ${url}`, config?.access)
    })
  }
  subscribe('fastify.initialization', noteRoutes)
  const operations = { metrics: system.metrics, checks: {}, metricsToken: () => undefined, isPublic: false }
  const app = await createConsoleApp({ config, log: silentLog, ...system, operations })
  unsubscribe('fastify.initialization', noteRoutes)
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })

  async function createPerson(role: 'User' | 'Admin' = 'User', staff?: StaffRole): Promise<Person> {
    const wallet = createScriptedWallet()
    await wallet.register(origin)
    const name = `p${wallet.did
      .slice(-12)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}@atoll.test`
    const bound = await wallet.bindName(origin, name)
    if (bound.code !== 0) throw new Error(bound.message)
    const { userid: did, token } = await wallet.signIn(origin)
    const userid = (await findAccountOfDid(database.db, did)) ?? ''
    await database.db.updateTable('accounts').set({ role }).where('account_id', '=', userid).execute()
    if (staff) {
      const change = { userid, role: staff, source: { actor: 'system', ip: null }, now: new Date() } as const
      await database.db.transaction().execute((trx) => changeStaff(trx, change))
    }
    return { userid, did, api: createApiClient(origin, { userid: did, token }) }
  }

  return {
    database,
    system,
    origin,
    dataDir,
    mounted,
    createPerson,
    async [Symbol.asyncDispose]() {
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
