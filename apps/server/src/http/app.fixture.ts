import { avatarSet, login } from '@atoll/contract/accounts'
import { backupUsage, trafficUsage } from '@atoll/contract/billing'
import { ClusterId, defineCall, type Role } from '@atoll/contract/wire'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { loadConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { type ChangeStore, createChangeFeed, type Listener, type NumberedChange } from '../platform/events/index.ts'
import { createLog, type Log } from '../platform/log.ts'
import { refuse } from '../platform/refusal.ts'
import { createConsoleApp } from './app.ts'
import { createEventStreams } from './events.ts'
import type { Authenticate } from './request/authenticate-request.ts'
import { implement } from './route.ts'

/** Answers what it was given, and who asked. */
const echo = defineCall({
  name: 'echo',
  path: '/v1/test/echo',
  reach: 'self',
  reads: true,
  summary: 'For tests.',
  body: z.strictObject({
    text: z.string().max(20),
    cluster: ClusterId.optional(),
    nested: z.strictObject({ list: z.array(z.strictObject({ n: z.string() })).optional() }).optional(),
  }),
  data: z.unknown(),
})
const open = defineCall({
  name: 'open',
  path: '/v2/test/open',
  reads: true,
  reach: 'anyone',
  summary: 'For tests.',
  body: z.strictObject({ fail: z.enum(['refuse', 'throw', 'silence']).optional() }),
  data: z.unknown(),
})

export const knownCaller = { userid: 'did:key:known', token: 'a-token-that-is-known' }
/** The id of its account. */
export const knownAccount = 'ac_known'
const session = { sessionId: 'ss_1', expiresAt: new Date(Date.now() + 3_600_000) }

/** A listener without a database: `say` is what would arrive from it. */
function createFakeListener(): Listener & { say(channel: string, payload: unknown): void; resync(): void } {
  const handlers = new Map<string, (payload: unknown) => void>()
  const resyncs: (() => void)[] = []
  return {
    on(channel, fn) {
      handlers.set(channel, fn)
      return () => handlers.delete(channel)
    },
    onResync(fn) {
      resyncs.push(fn)
      return () => undefined
    },
    ready: async () => undefined,
    connected: () => true,
    close: async () => undefined,
    say: (channel, payload) => handlers.get(channel)?.(payload),
    resync() {
      for (const fn of resyncs) fn()
    },
  }
}

/** The table of changes without a database: position 100, and what a test puts in. */
function createFakeChanges(): ChangeStore & { missed: NumberedChange[]; forgotten: boolean } {
  const store = {
    missed: [] as NumberedChange[],
    /** Changes after any number are no longer stored. */
    forgotten: false,
    getPosition: async () => 100,
    async listMissed(_: unknown, after: number) {
      if (store.forgotten || after < 0) return undefined
      return { changes: store.missed.filter((change) => change.seq > after), position: 100 }
    },
  }
  return store
}

export interface TestApp {
  app: FastifyInstance
  listener: ReturnType<typeof createFakeListener>
  changes: ReturnType<typeof createFakeChanges>
  /** Everything that was logged, as text. */
  logged(): string
  /** Ends the session of `knownCaller`: it no longer authenticates. */
  endSession(): void
  /** Gives `knownCaller` the role Admin. */
  becomeAdmin(): void
  /** Lets every authentication from now on wait for `gate`. */
  holdAuthentication(gate: Promise<void>): void
  /** Authentications under way. */
  authenticating(): number
  /** Event streams that were opened so far. */
  streamsOpened(): number
  /** Ends every event stream and lets none begin. */
  endStreams(): void
}

/** The console's application with two calls of its own and one caller that it knows; no database. */
export async function createTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  let text = ''
  const log: Log = createLog(
    { level: 'trace' },
    {
      write: (line: string) => {
        text += line
      },
    },
  )
  let isSignedIn = true
  let role: Role = 'User'
  let gate: Promise<void> | undefined
  let authenticating = 0
  let streamsOpened = 0
  const authenticate: Authenticate = async (did, token) => {
    authenticating += 1
    await gate
    authenticating -= 1
    // The known caller has siblings: `did:key:known2`.
    if (!isSignedIn || !did.startsWith(knownCaller.userid) || token !== knownCaller.token) refuse('signedOut')
    return { userid: did.replace(knownCaller.userid, knownAccount), did, role, ...session }
  }
  const listener = createFakeListener()
  const changes = createFakeChanges()
  const events = createEventStreams({
    feed: createChangeFeed(listener, changes, log),
    authenticate,
    onOpened() {
      streamsOpened += 1
    },
    onClosed: () => undefined,
  })
  const taken = new Map<string, number>()
  const app = await createConsoleApp({
    config: loadConfig(env, '/nowhere'),
    log,
    clock: systemClock,
    authenticate,
    // Held in memory: each account may use up fifteen.
    takeScarce: async ({ pot, account }) => {
      const used = (taken.get(`${pot} ${account}`) ?? 0) + 1
      taken.set(`${pot} ${account}`, used)
      return used > 15 ? 30 : 0
    },
    events,
    isOutboxShown: false,
    plugins: [],
    routes: [
      implement(echo, async (body, { account }) => ({ body, account })),
      implement(open, async ({ fail }) => {
        if (fail === 'refuse') refuse('vCpuQuotaPassed', { wanted: 20, quota: 16 })
        if (fail === 'silence') throw new Error('Query read timeout')
        if (fail === 'throw') throw new Error('a detail that callers must not see')
        return {}
      }),
      implement(login, async () => ({})),
      implement(avatarSet, async () => ({ avatar: '' })),
      // Only who may ask them is looked at.
      ...[trafficUsage, backupUsage].map((call) => ({ call, handle: async () => ({}) })),
    ],
    operations: {
      metrics: {
        observe: () => undefined,
        jobFinished: () => undefined,
        streamOpened: () => undefined,
        streamClosed: () => undefined,
        addChecks: () => undefined,
        text: async () => 'atoll_up 1\n',
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
      },
      checks: { works: async () => undefined },
      details: { sweep: async () => 'paused' },
      metricsToken: () => env['ATOLL_METRICS_TOKEN'],
      isPublic: env['ATOLL_PUBLIC_URL'] !== undefined,
    },
  })
  app.addHook('preClose', async () => events.closeAll())
  return {
    app,
    listener,
    changes,
    logged: () => text,
    endSession() {
      isSignedIn = false
    },
    becomeAdmin() {
      role = 'Admin'
    },
    holdAuthentication(promise) {
      gate = promise
    },
    authenticating: () => authenticating,
    streamsOpened: () => streamsOpened,
    endStreams: () => events.closeAll(),
  }
}
