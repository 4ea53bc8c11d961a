import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { acceptClock, createClockWatch, raiseDoubt, settleDoubt } from '../../../platform/careful/index.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import { lockLimits } from '../../accounts/account-service.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../index.ts'
import { endPayment } from '../pay/begin-payment.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { type DueRunners, runNextDue } from '../schedule/due-runner.ts'
import { dropDue, listDueAccounts, scheduleDue } from '../schedule/due-store.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'

const start = new Date('2027-01-31T12:00:00Z')
const hours = 60 * 60_000
const database = useDatabase()
let harness: Harness
const clock = createTestClock(start)

beforeEach(async () => {
  clock.set(start)
  harness = await openHarness(database, { clock })
})

const dueOf = async () =>
  (await database.pool.query('select kind, object from due_items where userid = $1 order by due_at', [harness.userid]))
    .rows

async function order(price: number) {
  const { userid, billing } = harness
  const clusterId = await harness.insertCluster()
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) }]
  const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
  return { clusterId, ...(await harness.transact((trx) => billing.order(trx, facts))) }
}

const stateOf = async (invoiceId: string | null) =>
  (await getInvoice(database.db, harness.userid, invoiceId ?? '')).state

test('an order that nobody paid lapses after its 24 hours, and not before', async () => {
  await harness.credit(500)
  const { invoiceId, clusterId } = await order(1440)
  clock.advance(24 * hours - 1)
  await harness.runDue()
  expect(await stateOf(invoiceId)).toBe('open')
  clock.advance(1)
  expect(await listDueAccounts(database.db, clock.now())).toContain(harness.userid)
  await harness.runDue()
  await harness.runDue()
  expect(await stateOf(invoiceId)).toBe('void')
  expect(harness.woken).toEqual([clusterId])
  expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-500, 0])
  expect(await listDueAccounts(database.db, clock.now())).not.toContain(harness.userid)
})

test('after a stop that no outside clock vouches for, only what fell due meanwhile waits', async () => {
  const watch = () =>
    createClockWatch({ db: database.db, clock, log: silentLog, readOutside: async () => undefined, storedTimes: [] })
  const startServer = async () => {
    const watching = watch()
    await watching.start()
    await watching.stop()
  }
  await database.pool.query('truncate clock_marks')
  await startServer()
  const during = await order(1440)
  clock.advance(23 * hours)
  await startServer()
  await acceptClock(database.db, [], clock.now())
  const later = await order(900)
  clock.advance(2 * hours)
  await startServer()
  clock.advance(22 * hours)
  expect(await listDueAccounts(database.db, clock.now())).toContain(harness.userid)
  await harness.runDue()
  expect([await stateOf(during.invoiceId), await stateOf(later.invoiceId)]).toEqual(['open', 'void'])
  await acceptClock(database.db, [], clock.now())
  await harness.runDue()
  expect(await stateOf(during.invoiceId)).toBe('void')
})

test('an order lapses by the clock of its account', async () => {
  const { invoiceId } = await order(1440)
  await database.pool.query('update accounts set clock_offset_ms = $2 where account_id = $1', [
    harness.userid,
    24 * hours,
  ])
  await database.pool.query("update due_items set wall_at = wall_at - $2 * interval '1 ms' where userid = $1", [
    harness.userid,
    24 * hours,
  ])
  await harness.runDue()
  expect(await stateOf(invoiceId)).toBe('void')
})

test('an order that a card may have paid is waited for, and keeps nothing else of the account waiting', async () => {
  const first = await order(1440)
  const second = await order(900)
  const payment = await getPayment(database.db, harness.userid, first.paymentId ?? '')
  await harness.transact((trx) => movePaymentOn(trx, payment, 'sent', { at: start }))
  clock.advance(24 * hours)
  await harness.runDue()
  expect([await stateOf(first.invoiceId), await stateOf(second.invoiceId)]).toEqual(['open', 'void'])
  const sent = { ...payment, state: 'sending' as const }
  await harness.transact((trx) => endPayment(trx, sent, { event: 'declined', at: clock.now() }))
  clock.advance(60_000)
  await harness.runDue()
  expect(await stateOf(first.invoiceId)).toBe('void')
})

test('one that fails is retried later and later, is logged, and keeps nothing else waiting', async () => {
  const ran: string[] = []
  const runners: DueRunners = {
    broken: async (trx) => {
      await trx
        .insertInto('due_items')
        .values({ userid: harness.userid, kind: 'x', object: 'x', due_at: start, wall_at: start })
        .execute()
      throw new Error('broken on purpose')
    },
    whole: async (_, { object }) => {
      ran.push(object)
      return object === 'again' && ran.length < 3 ? { next: clock.now() } : 'done'
    },
  }
  const { userid } = harness
  await harness.transact(async (trx) => {
    for (const [kind, object, at] of [
      ['broken', 'one', 0],
      ['whole', 'second', 2],
      ['whole', 'again', 1],
      ['whole', 'dropped', 1],
    ] as const) {
      await scheduleDue(trx, { userid, kind, object, dueAt: new Date(start.getTime() + at) })
    }
    await dropDue(trx, { userid, kind: 'whole', object: 'dropped' })
  })
  clock.advance(1000)
  const deps = {
    db: database.db,
    clock,
    accounts: { lockLimits: lockLimits.bind(undefined, () => 16) },
  }
  for (let more = true; more; ) more = await runNextDue(deps, runners, { userid, waits: 'deadline', log: silentLog })
  expect(ran).toEqual(['again', 'second', 'again'])
  expect(await dueOf()).toEqual([{ kind: 'broken', object: 'one' }])
  expect(await listDueAccounts(database.db, clock.now())).not.toContain(userid)
  clock.advance(24 * hours)
  expect(await listDueAccounts(database.db, clock.now())).toContain(userid)
})

test('a doubt that comes up between two items holds the second', async () => {
  const { userid } = harness
  const ran: string[] = []
  let isAhead = false
  const runners: DueRunners = {
    whole: async (_, { object }) => {
      ran.push(object)
      isAhead = true
      return 'done'
    },
  }
  await harness.transact((trx) =>
    scheduleDue(trx, ...['first', 'second'].map((object) => ({ userid, kind: 'whole', object, dueAt: start }))),
  )
  const deps = {
    db: database.db,
    clock,
    accounts: { lockLimits: lockLimits.bind(undefined, () => 16) },
    // As the clock's watch does where it finds a jump.
    beforeDue: async () => (isAhead ? await raiseDoubt(database.db, 'clock', 'it jumped', clock.now()) : undefined),
  }
  const runAll = async () => {
    while (await runNextDue(deps, runners, { userid, waits: 'deadline', log: silentLog }));
  }
  await runAll()
  expect(ran).toEqual(['first'])
  isAhead = false
  await settleDoubt(database.db, 'clock')
  await raiseDoubt(database.db, 'gateway', 'not asked', clock.now())
  await runAll()
  expect(ran).toEqual(['first'])
  await settleDoubt(database.db, 'gateway')
  await runAll()
  expect(ran).toEqual(['first', 'second'])
  await settleDoubt(database.db, 'clock')
})

test('promotional credit that expires is taken back, also what was set aside for a payment meanwhile', async () => {
  const { userid } = harness
  await harness.grant(1000, start, new Date(start.getTime() + 12 * hours))
  const { invoiceId } = await order(1600)
  expect(await harness.balance('held:promo')).toBe(-1000)
  clock.advance(13 * hours)
  await harness.runDue()
  clock.advance(11 * hours)
  await harness.runDue()
  await harness.runDue()
  expect(await stateOf(invoiceId)).toBe('void')
  expect([
    await harness.balance('promo'),
    await harness.balance('held:promo'),
    await harness.balance('promo_cost'),
  ]).toEqual([0, 0, 0])
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(database.db, { sealer, userid })).toMatchObject({ whole: true })
})
