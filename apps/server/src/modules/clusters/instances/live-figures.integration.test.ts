import { createTestClock, until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  changesPrune,
  createChangeFeed,
  createListener,
  createWatchers,
  type FeedItem,
  type Listener,
  storeOf,
} from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { createFigurePublisher, type PublishFigures } from './live-figures.ts'

let harness: ClusterHarness
let listener: Listener
let owner: string
let other: string
let clusterId: string
let instanceId: string
let clock: ReturnType<typeof createTestClock>
/** Two processes that hold agents. */
let processes: [PublishFigures, PublishFigures]
/** Of which clusters the figures were published, to whomever. */
let published: string[]
const stops: (() => void)[] = []

beforeAll(async () => {
  const instances: MemoryHarness = new Map()
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
  ;[owner, other] = [await harness.newOwner('reef'), await harness.newOwner('motu')]
  clusterId = (await orderCluster(harness.deps, callerOf(owner), testOrder)).clusterId
  instanceId = (await harness.rows(clusterId)).master.id
})
afterAll(() => harness[Symbol.asyncDispose]())
beforeEach(async () => {
  clock = createTestClock(new Date('2026-11-22T10:00:00Z'))
  listener = await createListener({ connection: { connectionString: harness.databaseUrl }, log: silentLog })
  published = []
  listener.on('atoll_fleeting_change', (payload) => published.push((payload as { id: string }).id)) // as it is written
  const deps = { db: harness.db, clock }
  processes = [createFigurePublisher(deps), createFigurePublisher(deps)]
  await listener.ready()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await listener.close()
  await harness.db.deleteFrom('watchers').execute()
  await harness.db.deleteFrom('fleeting_changes').execute()
})

/** An open stream of `account`, as an api process has it; gives what it was sent. */
async function openStream(account: string, role: 'User' | 'Admin' = 'User'): Promise<FeedItem[]> {
  const filter = { account, everybodys: role === 'Admin' ? (['cluster', 'metrics'] as const) : [] }
  const watchers = createWatchers({ db: harness.db, clock, log: silentLog })
  const sent: FeedItem[] = []
  const feed = createChangeFeed(listener, storeOf(harness.db), silentLog)
  const publish = (item: FeedItem) => sent.push(item)
  const unsubscribe = await feed.subscribe({ filter, after: undefined, publish, onLost: () => undefined })
  watchers.enter(filter)
  stops.push(unsubscribe, () => watchers.leave(filter))
  const isThere = async () =>
    (await harness.db.selectFrom('watchers').selectAll().execute()).some((row) => row.account === account)
  await until('the watcher is known', isThere)
  sent.length = 0
  return sent
}

/** Everything that was notified so far has arrived: notifications come in order. */
async function flush(): Promise<void> {
  const marked = Promise.withResolvers<void>()
  const leave = listener.on('mark', () => marked.resolve())
  await listener.ready()
  await harness.database.pool.query(`select pg_notify('mark', '1')`)
  await marked.promise
  leave()
}

test('nothing is published while nobody watches, or only who may not see the cluster', async () => {
  await processes[0]([instanceId])
  const received = await openStream(other)
  await processes[0]([instanceId])
  await flush()
  expect(published).toEqual([])
  expect(received).toEqual([])
})

test('the owner who watches receives it without a number, and so does an Admin', async () => {
  const own = await openStream(owner)
  const admins = await openStream(other, 'Admin')
  const { seq } = await harness.db.selectFrom('change_position').select('seq').executeTakeFirstOrThrow()
  await processes[0]([instanceId, 'in_notaninstance'])
  await until('both received it', () => own.length > 0 && admins.length > 0)
  const change = { ready: false, account: owner, topic: 'metrics', id: clusterId, seq }
  expect([own, admins]).toEqual([[change], [change]])
  expect(await harness.db.selectFrom('change_position').select('seq').executeTakeFirstOrThrow()).toEqual({ seq })
})

test('a cluster is published at most once in 5 s, whichever process its instances report to; the last figures are', async () => {
  await openStream(owner)
  await processes[0]([instanceId])
  for (let second = 1; second < 5; second += 1) {
    clock.advance(1000)
    await processes[second % 2 === 0 ? 0 : 1]([instanceId])
  }
  await flush()
  expect(published).toEqual([clusterId])
  // Nothing new was measured: what came too soon is due.
  clock.advance(1000)
  await Promise.all(processes.map((publish) => publish([])))
  await flush()
  expect(published).toEqual([clusterId, clusterId])
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000)
    await Promise.all(processes.map((publish) => publish([])))
  }
  await flush()
  expect(published).toHaveLength(3)
})

test('who has left counts for half a minute at most, and what is kept of it goes', async () => {
  await openStream(owner)
  for (const stop of stops.splice(0)) stop()
  clock.advance(30_000)
  await processes[0]([instanceId])
  await flush()
  expect(published).toEqual([])
  clock.advance(60_000)
  await changesPrune({ db: harness.db, clock }).run(
    {},
    { log: silentLog, signal: new AbortController().signal, attempt: 1 },
  )
  expect(await harness.db.selectFrom('watchers').selectAll().execute()).toEqual([])
})
