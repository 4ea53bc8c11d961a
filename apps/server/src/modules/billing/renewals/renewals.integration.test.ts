import { addMonths, type Zone } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { assumeCards, type Cards } from '../due/assume-cards.ts'
import { verifyDocuments } from '../operator/verify-documents.ts'
import { endPayment } from '../pay/begin-payment.ts'
import { movePaymentOn } from '../records/documents/payment-store.ts'
import { isPastDue } from '../records/dunning-store.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { listDueAccounts } from '../schedule/due-store.ts'
import { countParked, unparkAccount } from '../schedule/parked-accounts.ts'
import { overdueBillOf } from '../sell/overdue-bill.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
let harness: Harness
let card: { id: string; gateway: string } | null

beforeEach(async () => {
  clock.set(start)
  card = null
  harness = await openHarness(database, { clock, findMethod: async () => card })
})

async function order(prices: number[], clusterId?: string) {
  const { userid, billing } = harness
  const cluster = clusterId ?? (await harness.insertCluster())
  const instances = []
  for (const price of prices) {
    instances.push({ instanceId: await harness.insertInstance(cluster), terms: instanceTerms(price) })
  }
  const facts = { userid, clusterId: cluster, instances, at: clock.now(), coupons: [], method: card }
  await harness.transact((trx) => billing.order(trx, facts))
  await charge('pay')
  return cluster
}

const charge = (cards: Cards) =>
  harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at: clock.now(), cards }))

/** Runs what is due at `at`, cards answering at once. */
async function runAt(at: Date, cards: Cards = 'pay') {
  clock.set(at)
  await harness.runDue()
  await charge(cards)
}

const renewals = async () =>
  (
    await database.pool.query(
      `select total_minor as total, state, json_agg(json_build_array(amount_minor,
         to_char(period_start at time zone 'utc', 'MM-DD HH24:MI'), to_char(period_end at time zone 'utc', 'MM-DD HH24:MI'))
         order by period_start, amount_minor desc) as lines
       from invoices join invoice_items on invoice_id = id where invoices.userid = $1 and kind = 'renewal'
       group by id order by issued_at, number`,
      [harness.userid],
    )
  ).rows

/** The bill that a cluster is stopped for, as lists of clusters show it. */
const overdueOf = async (clusterId: string) =>
  (
    await database.db
      .selectFrom('clusters')
      .select((from) => overdueBillOf(from.ref('clusters.id')).as('bill'))
      .where('id', '=', clusterId)
      .executeTakeFirstOrThrow()
  ).bill

async function isWhole() {
  const { userid } = harness
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
  expect(await verifyLedger(database.db, { sealer: createSealer(Buffer.alloc(32, 7)), userid })).toMatchObject({
    whole: true,
  })
}

describe('renewals', () => {
  test('that end on one day are one invoice at the earliest, each for its own next period at the price of its order', async () => {
    await harness.credit(10_000)
    clock.set(new Date('2027-01-15T06:00:00Z'))
    await order([1440])
    clock.set(new Date('2027-01-15T20:00:00Z'))
    await order([900, 60])
    clock.set(new Date('2027-01-16T01:00:00Z'))
    await order([500])
    await runAt(new Date('2027-02-15T05:59:59Z'))
    expect(await renewals()).toEqual([])
    await runAt(new Date('2027-02-16T02:00:00Z'))
    expect(await renewals()).toEqual([
      {
        total: 2400,
        state: 'paid',
        lines: [
          [1440, '02-15 06:00', '03-15 06:00'],
          [900, '02-15 20:00', '03-15 20:00'],
          [60, '02-15 20:00', '03-15 20:00'],
        ],
      },
      { total: 500, state: 'paid', lines: [[500, '02-16 01:00', '03-16 01:00']] },
    ])
    await harness.runDue()
    expect(await renewals()).toHaveLength(2)
    await isWhole()
  })

  test('come where its own period ends for a worker that was ordered after its cluster was renewed with another', async () => {
    await harness.credit(10_000)
    clock.set(new Date('2027-01-15T06:00:00Z'))
    await order([1440])
    clock.set(new Date('2027-01-15T20:00:00Z'))
    const cluster = await order([900])
    await runAt(new Date('2027-02-15T06:00:00Z'))
    clock.set(new Date('2027-02-15T12:00:00Z'))
    await order([700], cluster)
    await runAt(new Date('2027-02-15T20:00:00Z'))
    const worker = { total: 700, state: 'paid', lines: [[700, '02-15 20:00', '03-15 20:00']] }
    expect((await renewals()).slice(1)).toEqual([worker])
    await runAt(new Date('2027-03-15T20:00:00Z'))
    expect((await renewals()).slice(2)).toMatchObject([{ total: 3040 }])
    await isWhole()
  })

  test('are of the whole price after an order of the last minutes, which costs nothing', async () => {
    await harness.credit(10_000)
    const cluster = await order([1440])
    clock.set(new Date('2027-02-28T11:59:00Z'))
    await order([720], cluster)
    await runAt(new Date('2027-02-28T12:00:00Z'))
    expect(await renewals()).toMatchObject([{ total: 2160 }])
    await isWhole()
  })

  test('leave out what ended, and a worker that was ordered after its period had ended, before they ran', async () => {
    await harness.credit(10_000)
    const cluster = await order([1440, 700])
    const { rows } = await database.pool.query(
      'select instance_id from subscription_items where userid = $1 order by id',
      [harness.userid],
    )
    const late = new Date('2027-02-28T12:00:30Z')
    clock.set(late)
    await order([900], cluster)
    const { userid, billing } = harness
    const { rows: cheap } = await database.pool.query(
      `select instance_id as "instanceId" from subscription_items item join prices on prices.id = price_id
       where userid = $1 and terms like '%"amount":700,%'`,
      [userid],
    )
    expect(rows).toHaveLength(2)
    const instances = cheap.map((one) => ({ ...one, hasRun: true }))
    await harness.transact((trx) => billing.refund(trx, { userid, instances, at: late }))
    await runAt(late)
    expect(await renewals()).toMatchObject([{ total: 1440, lines: [[1440, '02-28 12:00', '03-31 12:00']] }])
    await runAt(new Date('2027-03-31T12:00:00Z'))
    expect((await renewals())[1]).toMatchObject({ total: 2340 })
    await isWhole()
  })

  test.each(['UTC', 'UTC+8'] as Zone[])(
    'begin on the anchor’s day for 36 months, on the last where a month is shorter: %s',
    async (zone) => {
      await database.pool.query('update accounts set zone = $2 where account_id = $1', [harness.userid, zone])
      await harness.credit(100_000)
      await order([1000])
      for (let month = 1; month <= 36; month += 1) {
        await runAt(addMonths(start, month, zone))
      }
      const { rows } = await database.pool.query<{ period_start: Date; period_end: Date }>(
        'select period_start, period_end from invoice_items where userid = $1 order by period_start',
        [harness.userid],
      )
      expect(rows.map(({ period_start }) => period_start)).toEqual(
        Array.from({ length: 37 }, (_, month) => addMonths(start, month, zone)),
      )
      expect(rows.slice(0, -1).map(({ period_end }) => period_end)).toEqual(
        rows.slice(1).map(({ period_start }) => period_start),
      )
      expect(await harness.balance('cash')).toBe(-100_000 + 37 * 1000)
      await isWhole()
    },
  )

  test('of too little for a card stand on the next one', async () => {
    card = { id: await harness.keepCard(), gateway: 'sandbox' }
    await order([60])
    await runAt(new Date('2027-02-28T12:00:00Z'))
    expect(await renewals()).toMatchObject([{ total: 60, state: 'paid' }])
    expect(await harness.balance('cash')).toBe(0)
    expect(await harness.balance('gateway:sandbox')).toBe(120)
    await isWhole()
  })
})

describe('collecting', () => {
  test('asks nothing of a card that is dead, nor sets anything aside for it', async () => {
    card = { id: await harness.keepCard(), gateway: 'sandbox' }
    await order([1440])
    await harness.credit(100)
    const due = new Date('2027-02-28T12:00:00Z')
    clock.set(due)
    await harness.runDue()
    const payment = await database.db
      .selectFrom('payments')
      .selectAll()
      .where('userid', '=', harness.userid)
      .where('state', '=', 'created')
      .executeTakeFirstOrThrow()
    await harness.transact(async (trx) => {
      await movePaymentOn(trx, payment, 'sent', { at: due })
      await endPayment(trx, { ...payment, state: 'sending' }, { event: 'declined', at: due, code: 'cardExpired' })
    })
    await runAt(new Date('2027-03-01T12:00:00Z'))
    expect(await harness.balance('held:cash')).toBe(0)
    const { rows } = await database.pool.query('select id from payments where userid = $1', [harness.userid])
    expect(rows).toHaveLength(2)
    expect(await renewals()).toMatchObject([{ state: 'open' }])
  })

  test('refuses to create while a bill is past due, what is free too, until it is paid', async () => {
    const { userid } = harness
    await harness.credit(1440)
    const cluster = await order([1440])
    for (const day of ['02-28', '03-01', '03-03']) await runAt(new Date(`2027-${day}T12:00:00Z`))
    expect(await overdueOf(cluster)).toBeNull()
    await runAt(new Date('2027-03-05T12:00:00Z'))
    expect(await isPastDue(database.db, userid)).toBe(true)
    const { rows } = await database.pool.query(`select id from invoices where userid = $1 and state = 'open'`, [userid])
    expect(await overdueOf(cluster)).toEqual({
      invoiceId: rows[0].id,
      amount: 1440,
      currency: 'usd',
      dueAt: '2027-02-28T12:00:00.000Z',
      stoppedAt: '2027-03-05T12:00:00.000Z',
      destroyAt: '2027-03-19T12:00:00.000Z',
    })
    for (const price of [900, 0]) {
      await expect(order([price], cluster)).rejects.toMatchObject({ key: 'accountPastDue' })
    }
    await harness.credit(2000)
    await harness.transact((trx) => retryOwed(trx, userid, clock.now()))
    await harness.runDue()
    expect(await isPastDue(database.db, userid)).toBe(false)
    expect(await overdueOf(cluster)).toBeNull()
    await order([500], cluster)
    await isWhole()
  })

  test('is tried at once with what a destroyed instance gives back', async () => {
    const { userid, billing } = harness
    await harness.credit(3000)
    await order([1440])
    clock.set(new Date('2027-02-20T12:00:00Z'))
    const other = await order([1500])
    await runAt(new Date('2027-02-28T12:00:00Z'))
    expect(await renewals()).toMatchObject([{ total: 1440, state: 'open' }])
    await harness.credit(600)
    const { rows } = await database.pool.query(
      `select instance_id as "instanceId", true as "hasRun" from subscription_items item join subscriptions on subscriptions.id = subscription_id
       where cluster_id = $1`,
      [other],
    )
    await harness.transact((trx) => billing.refund(trx, { userid, instances: rows, at: clock.now() }))
    await harness.runDue()
    expect(await renewals()).toMatchObject([{ total: 1440, state: 'paid' }])
    await isWhole()
  })

  test('ends with what was given up: the days that it ran are owed, and may still be paid', async () => {
    const { userid, billing } = harness
    await harness.credit(1440)
    await order([1440])
    for (const day of ['02-28', '03-01', '03-03', '03-05', '03-19']) await runAt(new Date(`2027-${day}T12:00:00Z`))
    const [invoice] = await database.db
      .selectFrom('invoices')
      .selectAll()
      .where('kind', '=', 'renewal')
      .where('userid', '=', userid)
      .execute()
    expect(invoice).toMatchObject({ state: 'uncollectible' })
    const records = await database.db
      .selectFrom('audit_entries')
      .select(['action', 'object_name'])
      .where('owner', '=', harness.did)
      .execute()
    expect(records).toEqual([{ action: 'invoice.giveUp', object_name: invoice?.number }])
    // 5 of 31 days: it is stopped since.
    expect([await harness.balance('receivable'), await harness.balance('writeoff')]).toEqual([0, 232])
    await harness.credit(232)
    await harness.transact((trx) =>
      billing.pay(trx, { userid, invoiceId: invoice?.id ?? '', at: clock.now(), method: null }),
    )
    expect(await renewals()).toMatchObject([{ state: 'paid' }])
    expect([await harness.balance('receivable'), await harness.balance('writeoff')]).toEqual([0, 0])
    expect(await harness.balance('cash')).toBe(0)
    const { rows } = await database.pool.query('select state from subscription_items where userid = $1', [userid])
    expect(rows).toEqual([{ state: 'ended' }])
    await isWhole()
  })
})

test('an account with more than 20 renewals in a day is parked, until the operator lets it go on', async () => {
  const { userid } = harness
  await harness.credit(100_000)
  await order([1000])
  // Nothing ran for two years: all of them fall due on one day.
  await runAt(addMonths(start, 24, 'UTC'))
  expect(await renewals()).toHaveLength(20)
  expect(await countParked(database.db)).toBe(1)
  await harness.runDue()
  expect(await listDueAccounts(database.db, clock.now())).not.toContain(userid)
  expect(await renewals()).toHaveLength(20)
  expect(await unparkAccount(database.db, userid, clock.now())).toBe(true)
  expect(await unparkAccount(database.db, userid, clock.now())).toBe(false)
  expect(await listDueAccounts(database.db, clock.now())).toContain(userid)
  clock.advance(1)
  await harness.runDue()
  expect(await renewals()).toHaveLength(24)
  expect(await countParked(database.db)).toBe(0)
})
