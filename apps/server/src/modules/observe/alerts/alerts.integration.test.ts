import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { createMail, type Mail } from '../../mail/index.ts'
import { openSamples } from '../postgres/postgres-samples.ts'
import { readAlerts } from './alert-reads.ts'
import { alertsEvaluate } from './alerts-evaluate.ts'

const minute = 60_000
const owner = 'did:key:z6MkAlerts'
const id = 'in_alerts'
let testDatabase: TestDatabase
let database: Database
let clock: ReturnType<typeof createTestClock>
let isWatched: boolean
let orders: { rule: string; event: string; locale: string; to: string }[]

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url })
  clock = createTestClock(new Date('2026-06-01T00:00:00Z'))
  isWatched = true
  orders = []
  await database.db
    .insertInto('accounts')
    .values({ userid: owner, can_create_cluster: true, vcpu_quota: 0, created_at: clock.now() })
    .execute()
  await database.pool.query(`update accounts set email = 'reef@mail.example', locale = 'zh-CN'`)
})
afterEach(async () => {
  await database.close()
  await testDatabase.drop()
})

/** The real mail, noting what was ordered. */
function openMail(): Pick<Mail, 'post'> {
  const config = {
    ...{ smtpUrl: undefined, smtpCaFile: undefined, mailFrom: 'atoll@mail.example', product: 'Atoll' },
    ...{ publicUrl: 'http://localhost', dataDir: '/nowhere', databaseUrl: undefined, host: '127.0.0.1', trustProxy: 0 },
  }
  const mail = createMail({ db: database.db, clock, sealer: createSealer(Buffer.alloc(32, 7)), config })
  return {
    async post(trx, order) {
      const { rule, event } = order.kind.params.parse(order.params) as { rule: string; event: string } // of alertMail
      orders.push({ rule, event, locale: order.locale, to: order.to })
      return await mail.post(trx, order)
    },
  }
}

function evaluate(): Promise<void> {
  const instance = { name: 'master', clusterId: 'cl_reef', clusterName: 'Reef', owner }
  const job = alertsEvaluate({
    db: database.db,
    clock,
    mail: openMail(),
    listWatched: async (_, ids) => (isWatched ? ids.map((instanceId) => ({ instanceId, ...instance })) : []),
  })
  return job.run({}, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
async function sample(diskUsed: number): Promise<void> {
  const latest = { at: clock.now(), cpu: 0, memoryUsed: 1, memoryTotal: 100, diskUsed, diskTotal: 100 }
  await openSamples(database.db, clock).write({ latest: new Map([[id, latest]]), parts: [] })
}
/** Each minute for so long: a sample, if there is one, and the job. */
async function pass(minutes: number, diskUsed?: number): Promise<void> {
  for (let at = 0; at < minutes; at += 1) {
    clock.advance(minute)
    if (diskUsed !== undefined) await sample(diskUsed)
    await evaluate()
  }
}
const states = () => database.db.selectFrom('alert_states').select(['rule', 'state']).execute()
const history = () => database.db.selectFrom('alert_events').select(['rule', 'kind', 'value']).orderBy('id').execute()
const mails = () => database.db.selectFrom('mails').select(['kind', 'recipient']).execute()

test('an owner is mailed in their language when a disk fills up, and when it has room again', async () => {
  await pass(11, 95)
  const firing = await readAlerts(database.db, 'cl_reef', [{ instanceId: id, name: 'master' }])
  expect(firing.current).toMatchObject([{ rule: 'disk', state: 'firing', instance: 'master', instanceId: id }])
  await pass(3, 95)
  await pass(2, 10)
  const to = { locale: 'zh-CN', to: 'reef@mail.example' }
  expect(orders).toEqual([
    { rule: 'disk', event: 'fired', ...to },
    { rule: 'disk', event: 'cleared', ...to },
  ])
  expect(await mails()).toHaveLength(2)
  expect(await history()).toMatchObject([
    { rule: 'disk', kind: 'fired', value: 0.95 },
    { rule: 'disk', kind: 'cleared', value: 0.1 },
  ])
  expect(await readAlerts(database.db, 'cl_reef', [{ instanceId: id, name: 'master' }])).toMatchObject({
    rules: [{ rule: 'disk', threshold: 0.9 }, { rule: 'memory' }, { rule: 'offline', threshold: null }],
    current: [],
    history: [
      { rule: 'disk', kind: 'cleared', instance: 'master' },
      { rule: 'disk', kind: 'fired', value: expect.closeTo(0.95, 3) },
    ],
  })
  expect(await readAlerts(database.db, 'cl_other', [])).toMatchObject({ current: [], history: [] })
  // What is remembered is that a mail was sent within the hour; then nothing.
  expect(await states()).toEqual([{ rule: 'disk', state: 'ok' }])
  await pass(60, 10)
  expect(await states()).toEqual([])
})

test('a disk that flickers about its threshold for an hour sends two mails at most', async () => {
  await pass(11, 95)
  for (let at = 0; at < 25; at += 1) await pass(2, at % 2 === 0 ? 89 : 91)
  expect(orders.length).toBeLessThanOrEqual(2)
  expect(await history()).toHaveLength(1)
})

test('missing samples send nothing but that it is offline, and nothing once it was stopped on purpose', async () => {
  await pass(5, 95)
  await pass(30)
  expect(orders).toMatchObject([{ rule: 'offline', event: 'fired' }])
  isWatched = false
  await pass(30)
  expect(orders).toHaveLength(1)
  expect(await states()).toEqual([])
  isWatched = true
  await pass(3, 10)
  expect(orders).toHaveLength(1)
})

test('an owner without an address gets no mail, and the history all the same', async () => {
  await database.pool.query('update accounts set email = null')
  await pass(12, 95)
  expect(orders).toEqual([])
  expect(await history()).toHaveLength(1)
})

test('what is known of an instance that is forgotten goes with it', async () => {
  await pass(12, 95)
  await openSamples(database.db, clock).forget([id])
  expect(await states()).toEqual([])
})

test('a worker killed between deciding and mailing leaves one mail to be sent, not two and not none', async () => {
  await pass(10, 95)
  clock.advance(minute)
  await sample(95)
  const args = [testDatabase.url, clock.now().toISOString(), owner]
  const doomed = spawn(process.execPath, [join(import.meta.dirname, 'doomed-alerts.fixture.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(doomed.stdout, 'data')
  // Meanwhile another worker begins, and waits.
  const other = evaluate()
  const ended = once(doomed, 'exit')
  doomed.kill('SIGKILL')
  await ended
  await other
  await Promise.all([evaluate(), evaluate()])
  expect(orders).toMatchObject([{ rule: 'disk', event: 'fired' }])
  expect(await mails()).toEqual([{ kind: 'alert', recipient: 'reef@mail.example' }])
  expect(await history()).toHaveLength(1)
})
