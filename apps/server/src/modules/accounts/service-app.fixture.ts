import type { AddressInfo } from 'node:net'
import { createTestDatabase, type TestClock } from '@atoll/testkit'
import { loadConfig } from '../../config.ts'
import { createConsoleApp } from '../../http/app.ts'
import { createEventStreams } from '../../http/events.ts'
import { createMetrics } from '../../http/operations/metrics.ts'
import { createSealer } from '../../platform/crypto.ts'
import { createDatabase, type Db } from '../../platform/db/index.ts'
import { createChangeFeed, createListener, storeOf } from '../../platform/events/index.ts'
import { createLog } from '../../platform/log.ts'
import { takeScarce } from '../../platform/rates/index.ts'
import { createIdentity } from '../identity/index.ts'
import { createMail } from '../mail/index.ts'
import { type Accounts, createAccounts } from './index.ts'

export interface ServiceApp extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  origin: string
  clock: ServiceClock
  db: Db
  accounts: Accounts
  /** Everything logged so far, at every level, as it would be written. */
  log: string[]
}

/**
 * Goes with the real one, as wallets sign with the time that it is, until a test moves it: then it stands, so that
 * ages are exact however slow the machine is.
 */
interface ServiceClock extends TestClock {
  /** Goes with the real one again. */
  follow(): void
}

function createServiceClock(): ServiceClock {
  let stands: number | undefined
  const now = () => stands ?? Date.now()
  return {
    now: () => new Date(now()),
    advance(ms) {
      stands = now() + ms
    },
    set(time) {
      stands = time.getTime()
    },
    follow() {
      stands = undefined
    },
  }
}

/**
 * Identity and accounts in the real HTTP application, with a clock that tests move. Each has a fresh database, or
 * shares the one of `sibling` as a second process would.
 */
export async function startServiceApp(
  sibling?: { databaseUrl: string },
  settings: Record<string, string> = {},
): Promise<ServiceApp & { databaseUrl: string }> {
  const testDatabase = sibling ? undefined : await createTestDatabase()
  const databaseUrl = sibling?.databaseUrl ?? testDatabase?.url ?? ''
  const connection = { connectionString: databaseUrl }
  const lines: string[] = []
  const log = createLog({ level: 'trace' }, { write: (line) => lines.push(line) })
  const { db, pool, close } = createDatabase(connection, { log })
  const clock = createServiceClock()
  const defaults = {
    ATOLL_NAME_DOMAINS: 'atoll.test,reef.test',
    ATOLL_SIGN_IN_RATE: '1000000',
    ATOLL_RATE_FACTOR: '1000',
  }
  const config = loadConfig({ ...defaults, ...settings }, '.')
  const identity = createIdentity({ db, clock, config })
  const sealer = createSealer(Buffer.alloc(32, 7))
  const mail = createMail({
    db,
    clock,
    sealer,
    config,
    readInvoice: async () => ({ number: '', bytes: Buffer.alloc(0) }),
  })
  const isAccessLimited = async () => false
  const quotaOfPlan = () => config.vCpuQuota
  const accounts = createAccounts({ db, clock, identity, sealer, mail, config, quotaOfPlan, isAccessLimited })
  const listener = await createListener({ connection, log })
  const metrics = createMetrics(pool)
  const events = createEventStreams({
    feed: createChangeFeed(listener, storeOf(db), log),
    authenticate: accounts.authenticate,
    onOpened: metrics.streamOpened,
    onClosed: metrics.streamClosed,
  })
  const app = await createConsoleApp({
    config,
    log,
    clock,
    operations: { metrics, checks: {}, metricsToken: () => undefined, isPublic: false },
    routes: accounts.routes,
    plugins: [identity.plugin, accounts.plugin],
    authenticate: accounts.authenticate,
    takeScarce: (use) => takeScarce(db, use, { now: clock.now(), factor: config.rateFactor }),
    events,
    isOutboxShown: mail.isOutboxShown,
  })
  await listener.ready()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo // a TCP listener has one
  return {
    origin: `http://127.0.0.1:${port}`,
    databaseUrl,
    clock,
    db,
    accounts,
    log: lines,
    async [Symbol.asyncDispose]() {
      events.closeAll()
      await app.close()
      await listener.close()
      await close()
      await testDatabase?.drop()
    },
  }
}
