import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { raiseDoubt, settleDoubt } from '../../../platform/careful/index.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { createMail, type Mail } from '../../mail/index.ts'
import { openSamples } from '../postgres/postgres-samples.ts'
import { readAlerts } from './alert-reads.ts'
import { saveRule } from './alert-rules.ts'
import type { AlertSource, SourcedRule } from './alert-store.ts'
import { alertsEvaluate } from './alerts-evaluate.ts'

const minute = 60_000
const owner = 'ac_alerts'
const id = 'in_alerts'
let testDatabase: TestDatabase
let database: Database
let clock: ReturnType<typeof createTestClock>
let isWatched: boolean
/** Whether a process runs that agents could report to. */
let isServed: boolean
/** Values of the instance from other modules, by rule. */
let said: Partial<Record<SourcedRule, { value: number; subject: string }>>
let orders: { rule: string; event: string; subject: string; locale: string; to: string }[]

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  database = createDatabase({ connectionString: testDatabase.url })
  clock = createTestClock(new Date('2026-06-01T00:00:00Z'))
  isWatched = true
  isServed = true
  said = {}
  orders = []
  await database.db
    .insertInto('accounts')
    .values({
      account_id: owner,
      did: 'did:key:z6MkReef',
      can_create_cluster: true,
      vcpu_quota: 0,
      created_at: clock.now(),
    })
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
    smtpUrl: undefined,
    smtpCaFile: undefined,
    mailFrom: 'atoll@mail.example',
    product: 'Atoll',
    publicUrl: 'http://localhost',
    dataDir: '/nowhere',
    databaseUrl: undefined,
    host: '127.0.0.1',
    trustProxy: 0,
  }
  const mail = createMail({
    db: database.db,
    clock,
    sealer: createSealer(Buffer.alloc(32, 7)),
    config,
    readInvoice: async () => ({ number: '', bytes: Buffer.alloc(0) }),
  })
  return {
    async post(trx, order) {
      const read = order.kind.params.parse(order.params)
      const params = read as Record<'rule' | 'event' | 'subject', string> // of alertMail
      const { rule, event, subject } = params
      orders.push({ rule, event, subject, locale: order.locale, to: order.to })
      return await mail.post(trx, order)
    },
  }
}

function source(rule: SourcedRule, needsSample: boolean): AlertSource {
  const list = async () => [said[rule]].flatMap((value) => (value ? [{ instanceId: id, ...value }] : []))
  return { needsSample, list }
}

function evaluate(): Promise<void> {
  const instance = { name: 'master', clusterId: 'cl_reef', clusterName: 'Reef', owner }
  const job = alertsEvaluate({
    db: database.db,
    clock,
    mail: openMail(),
    sources: {
      workload: source('workload', true),
      backup: source('backup', false),
      proof: source('proof', false),
    },
    isChannelServed: async () => isServed,
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
  const firing = await readAlerts(database.db, clock, 'cl_reef', [{ instanceId: id, name: 'master' }])
  expect(firing.history).toMatchObject([{ rule: 'disk', goesOn: true, clearedAt: null }])
  expect(firing.current).toMatchObject([{ rule: 'disk', state: 'firing', instance: 'master', instanceId: id }])
  await pass(3, 95)
  await pass(2, 10)
  const to = { locale: 'zh-CN', to: 'reef@mail.example' }
  expect(orders).toEqual([
    { rule: 'disk', event: 'fired', subject: '', ...to },
    { rule: 'disk', event: 'cleared', subject: '', ...to },
  ])
  expect(await mails()).toHaveLength(2)
  expect(await history()).toMatchObject([
    { rule: 'disk', kind: 'fired', value: 0.95 },
    { rule: 'disk', kind: 'cleared', value: 0.1 },
  ])
  expect(await readAlerts(database.db, clock, 'cl_reef', [{ instanceId: id, name: 'master' }])).toMatchObject({
    rules: [
      { rule: 'disk', threshold: 90, clearBelow: 85, isOn: true },
      { rule: 'memory' },
      { rule: 'offline', threshold: null },
      { rule: 'workload' },
      { rule: 'backup', threshold: 2 },
      { rule: 'proof', threshold: 45 },
    ],
    current: [],
    history: [
      {
        rule: 'disk',
        instance: 'master',
        goesOn: false,
        value: expect.closeTo(95, 0),
        at: '2026-06-01T00:11:00.000Z',
        clearedAt: '2026-06-01T00:15:00.000Z',
      },
    ],
  })
  expect(await readAlerts(database.db, clock, 'cl_other', [])).toMatchObject({ current: [], history: [] })
  // The state is kept while a mail was sent within the last hour, and removed afterwards.
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

test('nobody is offline while no process runs that agents could report to, nor for that time after it', async () => {
  await pass(2, 10)
  isServed = false
  await pass(30)
  expect([orders, await history(), await states()]).toEqual([[], [], []])
  isServed = true
  await pass(4)
  isServed = false
  await pass(2)
  isServed = true
  await pass(5)
  expect(orders).toEqual([])
  await pass(1)
  expect(orders).toMatchObject([{ rule: 'offline', event: 'fired' }])
  isServed = false
  await pass(10)
  expect(await states()).toEqual([{ rule: 'offline', state: 'firing' }])
  isServed = true
  await pass(1, 10)
  expect(orders).toMatchObject([{ event: 'fired' }, { rule: 'offline', event: 'cleared' }])
})

/** A cluster of its own, so that a rule of it can be chosen. */
async function chooseDisk(choice: { isOn: boolean; mail: boolean; threshold: number; forMinutes: number }) {
  await database.pool.query(
    `insert into clusters (id, owner, name, cluster_type, host_label, status, desired, created_at, changed_at, checked_at)
      values ('cl_reef', $1, 'Reef', 'SelfHost', 'reef', 'running', 'running', now(), now(), now())
      on conflict do nothing`,
    [owner],
  )
  const change = { clusterId: 'cl_reef', rule: 'disk' as const, clearBelow: 40, ...choice }
  await database.db.transaction().execute((trx) => saveRule(trx, change))
}

test('the history goes back 30 days, and says of what nobody watches any more neither that it goes on nor that it is over', async () => {
  await pass(12, 95)
  isWatched = false
  await pass(1, 95)
  const read = async () =>
    (await readAlerts(database.db, clock, 'cl_reef', [{ instanceId: id, name: 'master' }])).history
  expect(await read()).toMatchObject([{ rule: 'disk', goesOn: false, clearedAt: null }])
  clock.advance(29 * 24 * 60 * minute)
  expect(await read()).toHaveLength(1)
  clock.advance(24 * 60 * minute)
  expect(await read()).toEqual([])
})

test('the history is forgotten after 90 days, and not while the clock is in doubt', async () => {
  await pass(12, 95)
  isWatched = false
  await pass(1, 95)
  const known = await history()
  expect(known).toMatchObject([{ rule: 'disk', kind: 'fired' }])
  await raiseDoubt(database.db, 'clock', 'it jumped', clock.now())
  clock.advance(100 * 24 * 60 * minute)
  await pass(1)
  expect(await history()).toEqual(known)
  await settleDoubt(database.db, 'clock')
  await pass(1)
  expect(await history()).toEqual([])
})

test('a rule fires as the owner chose, and one that is not watched is forgotten', async () => {
  await chooseDisk({ isOn: true, mail: true, threshold: 50, forMinutes: 2 })
  await pass(3, 55)
  expect(orders).toMatchObject([{ rule: 'disk', event: 'fired' }])
  await pass(3, 45)
  expect(orders).toHaveLength(1)
  await chooseDisk({ isOn: false, mail: true, threshold: 50, forMinutes: 2 })
  await pass(3, 95)
  expect(orders).toHaveLength(1)
  expect(await states()).toEqual([])
  await chooseDisk({ isOn: true, mail: false, threshold: 50, forMinutes: 2 })
  await pass(4, 95)
  expect(orders).toHaveLength(1)
  expect(await history()).toMatchObject([{ kind: 'fired' }, { kind: 'fired' }])
})

test('a workload that fails fires by its name; while the instance is silent its last word is no news', async () => {
  said = { workload: { value: 1, subject: 'Photos' } }
  await pass(4, 10)
  said = {}
  await pass(1, 10)
  said = { workload: { value: 1, subject: 'Photos' } }
  await pass(6, 10)
  expect(orders).toMatchObject([{ rule: 'workload', event: 'fired', subject: 'Photos' }])
  said = {}
  await pass(3)
  expect(orders).toHaveLength(1)
  await pass(1, 10)
  expect(orders).toMatchObject([{ event: 'fired' }, { rule: 'workload', event: 'cleared', subject: 'Photos' }])
})

test('a backup that is late for two intervals fires, though its machine is silent, and is over once it is in time', async () => {
  await sample(10)
  said = { backup: { value: 1.9, subject: 'Photos' } }
  await pass(90)
  said = { backup: { value: 2.1, subject: 'Photos' } }
  await pass(61)
  const known = await readAlerts(database.db, clock, 'cl_reef', [{ instanceId: id, name: 'master' }])
  expect(known.current.filter(({ rule }) => rule === 'backup')).toMatchObject([{ subject: 'Photos', state: 'firing' }])
  said = {}
  await pass(1)
  expect(orders.filter(({ rule }) => rule === 'backup')).toMatchObject([
    { event: 'fired', subject: 'Photos' },
    { event: 'cleared', subject: 'Photos' },
  ])
})

test('a proof of more than 45 days fires by the name of its backup, and is over once all is read back', async () => {
  await sample(10)
  said = { proof: { value: 44.9, subject: 'Photos' } }
  await pass(90)
  expect(orders.filter(({ rule }) => rule === 'proof')).toEqual([])
  said = { proof: { value: 46.2, subject: 'Photos' } }
  await pass(61)
  said = { proof: { value: 1, subject: 'Photos' } }
  await pass(1)
  expect(orders.filter(({ rule }) => rule === 'proof')).toMatchObject([
    { event: 'fired', subject: 'Photos' },
    { event: 'cleared', subject: 'Photos' },
  ])
  const { history } = await readAlerts(database.db, clock, 'cl_reef', [{ instanceId: id, name: 'master' }])
  expect(history.filter(({ rule }) => rule === 'proof')).toMatchObject([
    { subject: 'Photos', value: 46.2, clearedAt: clock.now().toISOString() },
  ])
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
  const crashing = spawn(process.execPath, [join(import.meta.dirname, 'crashing-alerts.fixture.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void crashing.kill('SIGKILL'))
  await once(crashing.stdout, 'data')
  // Meanwhile another worker begins, and waits.
  const other = evaluate()
  const ended = once(crashing, 'exit')
  crashing.kill('SIGKILL')
  await ended
  await other
  await Promise.all([evaluate(), evaluate()])
  expect(orders).toMatchObject([{ rule: 'disk', event: 'fired' }])
  expect(await mails()).toEqual([{ kind: 'alert', recipient: 'reef@mail.example' }])
  expect(await history()).toHaveLength(1)
})
