import { randomBytes } from 'node:crypto'
import { money, periodAt } from '@atoll/money'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../../platform/caller.ts'
import { createDatabase, type Database } from '../../../../platform/db/index.ts'
import { createChangeFeed, createListener, type Listener, storeOf } from '../../../../platform/events/index.ts'
import { type RunningWorker, startWorker } from '../../../../platform/jobs/index.ts'
import { silentLog } from '../../../../platform/log.ts'
import { getLimits, lockLimits } from '../../../accounts/account-service.ts'
import { setDefaultCard } from '../../../payments/cards/card-store.ts'
import { couponFacts } from '../../pricing/coupons/coupon-facts.ts'
import type { AttemptDeps } from '../../records/attempt-deps.ts'
import { insertRedemption, listUsable } from '../../records/coupon-store.ts'
import { getInvoice, listInvoiceItems } from '../../records/documents/invoice-store.ts'
import { getPayment } from '../../records/documents/payment-store.ts'
import { showPaymentInfo } from '../../routes/payment-info.ts'
import { type PayRequest, pay } from '../../sell/pay-service.ts'
import { instanceTerms } from '../../testing/billing-harness.ts'
import { type ChargingHarness, openChargingHarness } from '../../testing/charging-harness.ts'
import { expectSound } from '../../testing/expect-sound.ts'
import { sandboxCharging } from '../../testing/sandbox-charging.ts'
import { outcomeOf } from '../await-outcome.ts'

const start = new Date('2027-01-31T12:00:00Z')
const minutes = 60_000
const clock = createTestClock(start)
let scratch: TestDatabase
let database: Database
let listener: Listener
let worker: RunningWorker
let harness: ChargingHarness
let deps: AttemptDeps

beforeAll(async () => {
  scratch = await createTestDatabase()
  const connection = { connectionString: scratch.url }
  database = createDatabase(connection, { max: 12 })
  listener = await createListener({ connection, log: silentLog })
  const feed = createChangeFeed(listener, storeOf(database.db), silentLog)
  const { billing } = await openChargingHarness(database, { clock, feed })
  worker = await startWorker({ connection, jobs: billing.jobs, log: silentLog })
  deps = {
    ...sandboxCharging(database.db, clock),
    db: database.db,
    clock,
    feed,
    outcomeMs: 10_000,
    accounts: {
      getLimits: (db, id) => getLimits(() => 16, db, id),
      lockLimits: (trx, id) => lockLimits(() => 16, trx, id),
      putOnPlan: async () => undefined,
    },
    keepUsageCovered: async () => undefined,
    wakeCluster: async () => undefined,
    mail: { post: async () => 'ml_none' },
    catalog: { current: () => ({ clouds: [], plans: [], coupons: [], versions: [], maxWorkers: 8 }) },
  }
})
afterAll(async () => {
  await worker.stop()
  await listener.close()
  await database.close()
  await scratch.drop()
})
beforeEach(async () => {
  clock.set(start)
  harness = await openChargingHarness(database, { clock })
})

const callerOf = (userid: string): Caller => ({
  userid,
  did: 'did:key:zTest',
  sessionId: 'ss_test',
  role: 'User',
  ip: '127.0.0.1',
})
const ask = (request: PayRequest, locale: 'en-US' | 'zh-CN' = 'en-US') =>
  pay(deps, callerOf(harness.userid), request, locale)
const info = (invoiceId: string) => showPaymentInfo(deps, harness.userid, invoiceId, 'en-US')
const newKey = () => randomBytes(8).toString('hex')
const paymentsOf = async (userid = harness.userid) =>
  await database.db.selectFrom('payments').selectAll().where('userid', '=', userid).execute()

/** The account's records of money in the audit log, with their amounts. */
async function moneyRecords({ did }: ChargingHarness): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `select action || ' ' || coalesce(after::jsonb ->> 'amount', '') as line from audit_entries where owner = $1 order by 1`,
    [did],
  )
  return rows.map(({ line }) => line)
}

describe('paying an invoice', () => {
  test('charges the default card and returns the paid invoice; the same request, and the next, charge nothing more', async () => {
    await harness.credit(400)
    const { invoiceId } = await harness.order(1440, null, start)
    await harness.addCard('4242424242424242')
    expect((await info(invoiceId)).split).toEqual({
      fromPromo: 0,
      fromBalance: 400,
      toCard: 1040,
      rolledOver: 0,
      collected: 0,
    })
    const requestId = newKey()
    const paid = await ask({ invoiceId, requestId })
    expect(paid).toEqual({ paid: true, status: 'succeeded', paymentId: expect.any(String), invoiceId })
    expect(await ask({ invoiceId, requestId })).toEqual(paid)
    expect(await ask({ invoiceId })).toEqual(paid)
    expect(await harness.captures()).toEqual({ [paid.paymentId]: 1040 })
    expect((await info(invoiceId)).split).toMatchObject({ fromBalance: 400, toCard: 1040 })
    expect(await moneyRecords(harness)).toEqual(['invoice.pay ', 'payment.charge 10.40'])
    await expectSound(database, harness)
  })

  test('in several tabs at once is one payment', async () => {
    const { invoiceId } = await harness.order(1440, null, start)
    await harness.addCard('4242424242424242')
    const tabs = await Promise.all([1, 2, 3].map(() => ask({ invoiceId, requestId: newKey() })))
    expect(tabs.map(({ paid }) => paid)).toEqual([true, true, true])
    expect(new Set(tabs.map(({ paymentId }) => paymentId)).size).toBe(1)
    await expectSound(database, harness)
  })

  test('by a card that asks answers with its page; by another card it ends that page and pays', async () => {
    const { invoiceId } = await harness.order(1440, null, start)
    await harness.addCard('4000000000003220')
    const asked = await ask({ invoiceId })
    expect(asked).toMatchObject({
      paid: false,
      status: 'needs_action',
      actionUrl: expect.stringContaining('/confirm/'),
    })
    expect(asked.pending).toBeUndefined()
    expect(await ask({ invoiceId })).toEqual(asked)
    const { id: methodId } = await harness.addCard('5555555555554444')
    const requestId = newKey()
    const paid = await ask({ invoiceId, methodId, requestId })
    expect(paid).toMatchObject({ paid: true, status: 'succeeded' })
    expect(paid.paymentId).not.toBe(asked.paymentId)
    expect(await ask({ invoiceId, methodId, requestId })).toEqual(paid)
    expect((await getPayment(database.db, harness.userid, asked.paymentId)).state).toBe('canceled')
    expect(Object.keys(await harness.captures())).toEqual([paid.paymentId])
    await expectSound(database, harness)
  })

  test('by a card that is named charges that one, though another is tried and declined at that moment', async () => {
    const good = await harness.addCard('4242424242424242')
    await harness.addCard('4000000000000341')
    const { invoiceId } = await harness.order(1440, null, start)
    const [, named] = await Promise.all([ask({ invoiceId }), ask({ invoiceId, methodId: good.id })])
    expect(named).toMatchObject({ paid: true, status: 'succeeded' })
    expect(await harness.captures()).toEqual({ [named.paymentId]: 1440 })
    await expectSound(database, harness)
  })

  test('by a card that is declined says why, in the language of the caller, and is tried again only on a new request', async () => {
    const { invoiceId } = await harness.order(1440, null, start)
    await harness.addCard('4000000000000341')
    const request = { invoiceId, requestId: newKey() }
    const declined = await ask(request)
    expect(declined).toMatchObject({ paid: false, status: 'declined', reason: expect.stringContaining('declined') })
    expect(await ask(request, 'zh-CN')).toMatchObject({
      paymentId: declined.paymentId,
      reason: expect.stringContaining('银行'),
    })
    expect((await ask({ invoiceId })).paymentId).not.toBe(declined.paymentId)
    expect(await moneyRecords(harness)).toContain('payment.decline 14.40')
    await expectSound(database, harness)
  })

  test('without a card is refused, and leaves what is set aside as it was, unless the balance pays it', async () => {
    await harness.credit(500)
    const { invoiceId, paymentId } = await harness.order(1440, null, start)
    await expect(ask({ invoiceId })).rejects.toMatchObject({ key: 'cardNeeded' })
    expect(await paymentsOf()).toMatchObject([{ id: paymentId, state: 'created' }])
    expect((await info(invoiceId)).split).toMatchObject({ fromBalance: 500, toCard: 940 })
    await harness.credit(940)
    expect((await info(invoiceId)).split).toMatchObject({ fromBalance: 1440, toCard: 0 })
    expect(await ask({ invoiceId })).toMatchObject({ paid: true })
    await expectSound(database, harness)
  })

  test('of another, by the card of another, or after its time, is refused', async () => {
    const { invoiceId } = await harness.order(1440, null, start)
    const other = await openChargingHarness(database, { clock })
    const { id: methodId } = await other.addCard('4242424242424242')
    await expect(ask({ invoiceId, methodId })).rejects.toMatchObject({ key: 'cardUnknown' })
    await expect(pay(deps, callerOf(other.userid), { invoiceId }, 'en-US')).rejects.toMatchObject({ key: 'notFound' })
    await expect(showPaymentInfo(deps, other.userid, invoiceId, 'en-US')).rejects.toMatchObject({ key: 'notFound' })
    await harness.addCard('4242424242424242')
    clock.advance(24 * 60 * minutes)
    await expect(ask({ invoiceId })).rejects.toMatchObject({ key: 'invoiceClosed' })
    await expect(info(invoiceId)).rejects.toMatchObject({ key: 'invoiceClosed' })
    expect(await paymentsOf()).toHaveLength(1)
  })

  test('is pending as long as the bank has not answered', () => {
    const row = { state: 'sending', action_url: null, method_id: 'pm_1', canceling_for: null } as Awaited<
      ReturnType<typeof paymentsOf>
    >[0]
    const states = ['created', 'sending', 'unknown', 'declined'] as const
    expect(states.map((state) => outcomeOf({ ...row, state }).pending)).toEqual([true, true, true, undefined])
    expect(outcomeOf({ ...row, state: 'created', method_id: null })).toEqual({ paid: false })
  })
})

describe('an order that is paid late', () => {
  const linesOf = (invoiceId: string) => listInvoiceItems(database.db, invoiceId)

  test('within 15 minutes keeps its invoice', async () => {
    const { invoiceId } = await harness.order(1440, null, start)
    await harness.addCard('4242424242424242')
    clock.advance(15 * minutes)
    expect(await ask({ invoiceId })).toMatchObject({ paid: true, invoiceId })
  })

  test('has an invoice of the same price and coupon, whose period begins when it is paid for', async () => {
    const { userid, billing, transact } = harness
    const coupon = {
      code: `REEF${newKey().toUpperCase()}`,
      percentOff: 10,
      duration: 'once',
      appliesTo: ['instance'],
    } as const
    const redemption = { coupon: { ...coupon, appliesTo: ['instance' as const] }, redeemedAt: start }
    await transact(async (trx) => {
      await trx.insertInto('coupons').values({ code: coupon.code, redeemed: 1 }).execute()
      await insertRedemption(trx, userid, redemption)
    })
    const clusterId = await harness.insertCluster()
    const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(1440) }]
    const facts = { userid, clusterId, instances, at: start, coupons: [couponFacts(redemption, 'usd')], method: null }
    const { invoiceId = '' } = (await transact((trx) => billing.order(trx, facts))) as { invoiceId: string }
    await harness.addCard('4242424242424242')
    clock.advance(5 * 60 * minutes)
    const shown = await info(invoiceId)
    const paid = await ask({ invoiceId })
    expect(paid.paid).toBe(true)
    expect(paid.invoiceId).not.toBe(invoiceId)
    const period = periodAt(clock.now(), 0, 'UTC')
    const invoice = await getInvoice(database.db, userid, paid.invoiceId)
    expect(invoice).toMatchObject({ total_minor: 1296, coupon: coupon.code, state: 'paid', issued_at: clock.now() })
    expect(await linesOf(paid.invoiceId)).toMatchObject([{ period_start: period.start, period_end: period.end }])
    expect(shown).toMatchObject({ amount: 1296, split: { toCard: 1296 } })
    expect(shown.invoiceItemsInfo).toMatchObject([{ periodStart: period.start.getTime() / 1000, discount: 144 }])
    const { title, amount } = instanceTerms(1440)
    const productName = title['en-US']
    expect(shown.invoiceItemsInfo).toMatchObject([{ productName, priceInfo: { productName, amount } }])
    expect((await getInvoice(database.db, userid, invoiceId)).state).toBe('void')
    const { rows } = await database.pool.query('select anchor from subscriptions where userid = $1', [userid])
    expect(rows).toEqual([{ anchor: clock.now() }])
    expect(await listUsable(database.db, userid)).toEqual([])
    // A client that still shows the first invoice pays nothing twice.
    expect(await ask({ invoiceId })).toMatchObject({ paid: true, invoiceId: paid.invoiceId })
    clock.advance(24 * 60 * minutes)
    await harness.runDue()
    expect((await getInvoice(database.db, userid, paid.invoiceId)).state).toBe('paid')
    await expectSound(database, harness)
  })

  test('for a worker of a cluster that runs costs what is left of its period, and lapses when it would have', async () => {
    const { userid, billing, transact } = harness
    const method = await harness.addCard('4242424242424242')
    const clusterId = await harness.insertCluster()
    const order = async (withCard: boolean) => {
      const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(1440) }]
      const facts = { userid, clusterId, instances, at: clock.now(), coupons: [], method: withCard ? method : null }
      return await transact((trx) => billing.order(trx, facts))
    }
    await harness.carry((await order(true)).paymentId ?? '')
    clock.advance(10 * 24 * 60 * minutes)
    const { invoiceId, amount } = await order(false)
    await transact((trx) => setDefaultCard(trx, userid, undefined))
    const declining = await harness.addCard('4000000000000341')
    clock.advance(12 * 60 * minutes)
    const declined = await ask({ invoiceId: invoiceId ?? '', methodId: declining.id })
    const late = await getInvoice(database.db, userid, declined.invoiceId)
    expect(late.total_minor).toBeLessThan(amount.minor)
    expect(late).toMatchObject({ state: 'open', valid_until: new Date(clock.now().getTime() + 12 * 60 * minutes) })
    const [line] = await linesOf(late.id)
    expect(line).toMatchObject({ period_start: clock.now(), period_end: periodAt(start, 0, 'UTC').end })
    clock.advance(12 * 60 * minutes)
    await harness.runDue()
    expect((await getInvoice(database.db, userid, late.id)).state).toBe('void')
    await expectSound(database, harness)
  })
})

describe('the smallest amount that a card is charged', () => {
  test.each([
    ['usd', 99, 100],
    ['cny', 499, 500],
  ] as const)('in %s: %i stands on the next bill, %i is charged', async (currency, below, least) => {
    const { userid, billing, transact } = harness
    await database.pool.query('update accounts set currency = $2 where account_id = $1', [userid, currency])
    const method = await harness.addCard('4242424242424242')
    const order = async (minor: number, withCard = true) => {
      const clusterId = await harness.insertCluster()
      const terms = { ...instanceTerms(minor), currency }
      const instances = [{ instanceId: await harness.insertInstance(clusterId), terms }]
      const facts = { userid, clusterId, instances, at: start, coupons: [], method: withCard ? method : null }
      return await transact((trx) => billing.order(trx, facts))
    }
    // Without a card on file nobody could be asked for it on the next bill.
    expect(await order(below, false)).toMatchObject({ paid: false })
    const charged = await order(least)
    expect(charged).toMatchObject({ paid: false, amount: money(least, currency) })
    expect((await harness.carry(charged.paymentId ?? '')).state).toBe('succeeded')
    expect(await order(below)).toMatchObject({ paid: true })
    expect(await harness.captures()).toEqual({ [charged.paymentId ?? '']: least })
    const next = await order(1)
    expect((await harness.carry(next.paymentId ?? '')).state).toBe('succeeded')
    expect((await harness.captures())[next.paymentId ?? '']).toBe(least)
    await expectSound(database, harness)
  })
})
