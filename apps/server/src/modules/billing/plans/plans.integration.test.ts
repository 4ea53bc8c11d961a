import { addMonths } from '@atoll/money'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { insertRedemption } from '../coupons/coupon-store.ts'
import { findPlanSubscription } from '../documents/subscription-store.ts'
import { verifyDocuments } from '../index.ts'
import { type Desk, instanceTerms, openDesk } from '../testing/billing-desk.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { renewPlan } from './begin-plans.ts'
import { requestPlan } from './change-plan.ts'
import { listPlans, showPeriod } from './list-plans.ts'
import { quotePlan } from './quote-plan.ts'

const start = new Date('2027-01-01T00:00:00Z')
const days = 86_400_000
let scratch: TestDatabase
let database: Database
let desk: Desk
let catalog = catalogOf(testPlans)
const clock = createTestClock(start)

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})
beforeEach(async () => {
  clock.set(start)
  catalog = catalogOf(testPlans)
  desk = await openDesk(database, { clock, catalog: { current: () => catalog.current() } })
})

const caller = () => ({ userid: desk.userid, sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' })
const change = (planLevel: number, more: { estimateToken?: string; requestId?: string } = {}) =>
  requestPlan(desk.deps, caller(), { planLevel, ...more })
const quote = (planLevel: number) => quotePlan(desk.deps, desk.userid, planLevel)
const show = () => listPlans(desk.deps, desk.userid, 'en-US')
const limits = async () => (await desk.deps.accounts.getLimits(database.db, desk.userid)).vCpuQuota
const refusalOf = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error !== undefined && !(error instanceof Refusal)) throw error
  return error?.key
}
const pay = (invoiceId: string | undefined) =>
  desk.transact((trx) =>
    desk.billing.pay(trx, { userid: desk.userid, invoiceId: invoiceId ?? '', at: clock.now(), method: null }),
  )
/** What renewals do at the end of the plan's period, without its charge. */
const renew = () =>
  desk.transact(async (trx) => {
    const subscription = await findPlanSubscription(trx, desk.userid)
    return subscription && (await renewPlan(desk.deps, trx, subscription, subscription.period_end))
  })
const invoices = async () =>
  (
    await database.pool.query(
      'select kind, total_minor, state from invoices where userid = $1 order by issued_at, number',
      [desk.userid],
    )
  ).rows.map(({ kind, total_minor: total, state }) => [kind, total, state])

async function expectBooksToHold(): Promise<void> {
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(database.db, { sealer, userid: desk.userid })).toMatchObject({ whole: true })
}

describe('a higher plan', () => {
  test('from Free begins a period now, is paid at the figure that was shown, and its quota follows', async () => {
    await desk.credit(1000)
    expect([await limits(), (await show()).planLevel]).toEqual([16, 0])
    const shown = await quote(2)
    expect(shown).toMatchObject({ amount: 900, fromBalance: 900, toCard: 0, perMonth: 900, planLevel: 2 })
    clock.advance(5 * 60_000)
    const { estimateToken } = shown
    const answer = { paid: true, planLevel: 2, amount: 900, effectiveAt: start.toISOString() }
    expect(await change(2, { estimateToken })).toMatchObject(answer)
    expect([await limits(), await desk.balance('cash'), await desk.balance('revenue:plan')]).toEqual([32, -100, -900])
    const seconds = (at: Date) => at.getTime() / 1000
    expect(await showPeriod(desk.deps, desk.userid)).toEqual({
      periodStart: seconds(start),
      periodEnd: seconds(addMonths(start, 1, 'UTC')),
    })
    const { rows } = await database.pool.query('select product_type from invoice_items where userid = $1', [
      desk.userid,
    ])
    expect(rows).toEqual([{ product_type: 'Instance' }])
    await expectBooksToHold()
  })

  test('costs the rest of the period at the new price less the old one', async () => {
    await desk.credit(10_000)
    await change(1)
    clock.advance(15.5 * days)
    expect(await quote(3)).toMatchObject({ amount: 1300, perMonth: 2900, items: [{ proration: true }] })
    expect(await change(3)).toMatchObject({ paid: true, amount: 1300 })
    expect(await show()).toMatchObject({ planLevel: 3, pending: null })
    expect(await invoices()).toEqual([
      ['plan', 300, 'paid'],
      ['plan', 1300, 'paid'],
    ])
  })

  test('waits for its payment, takes effect with it, and a request that is repeated is told so', async () => {
    const requestId = 'request-1'
    const asked = await change(1, { requestId })
    expect(asked).toMatchObject({ paid: false, amount: 300 })
    expect(await show()).toMatchObject({ planLevel: 0, pending: { planLevel: 1, invoiceId: asked.invoiceId } })
    expect(await change(1)).toEqual(asked)
    expect(await refusalOf(change(2))).toBe('planWaits')
    await desk.credit(300)
    await pay(asked.invoiceId)
    expect(await change(1, { requestId })).toEqual({ ...asked, paid: true })
    expect([(await show()).planLevel, (await show()).pending, await limits()]).toEqual([1, null, 16])
    await expectBooksToHold()
  })

  test.each([
    ['that nobody pays lapses after its 24 hours', () => clock.advance(days)],
    ['is taken back by asking for the plan that the account has', () => change(0)],
  ])('%s, and leaves the account as it was', async (_, giveUp) => {
    await desk.credit(100)
    await change(1)
    expect(await desk.balance('held:cash')).toBe(-100)
    await giveUp()
    await desk.runDue()
    expect(await show()).toMatchObject({ planLevel: 0, pending: null })
    expect(await invoices()).toEqual([['plan', 300, 'void']])
    expect([await desk.balance('cash'), await desk.balance('held:cash')]).toEqual([-100, 0])
    await expectBooksToHold()
  })

  test('from Free that is paid late begins when it is paid', async () => {
    const requestId = 'request-2'
    const asked = await change(1, { requestId })
    clock.advance(5 * 3_600_000)
    await desk.credit(300)
    await pay(asked.invoiceId)
    const paid = await change(1, { requestId })
    expect(paid).toMatchObject({ paid: true, amount: 300 })
    expect(paid.invoiceId).not.toBe(asked.invoiceId)
    expect((await showPeriod(desk.deps, desk.userid)).periodStart).toBe(clock.now().getTime() / 1000)
    await expectBooksToHold()
  })

  test('that is paid late costs what is left of the period by then', async () => {
    await desk.credit(300)
    await change(1)
    const asked = await change(2)
    expect(asked).toMatchObject({ paid: false, amount: 600 })
    clock.advance(0.5 * days)
    await desk.credit(1000)
    await pay(asked.invoiceId)
    expect(await invoices()).toEqual([
      ['plan', 300, 'paid'],
      ['plan', 600, 'void'],
      ['plan', 590, 'paid'],
    ])
    expect((await show()).planLevel).toBe(2)
    await expectBooksToHold()
  })

  test('that lapses leaves the lower one that is to come', async () => {
    await desk.credit(900)
    await change(2)
    await change(1)
    await change(3)
    expect(await show()).toMatchObject({ planLevel: 2, pending: { planLevel: 3, effectiveAt: null } })
    clock.advance(days)
    await desk.runDue()
    expect(await show()).toMatchObject({ planLevel: 2, pending: { planLevel: 1, invoiceId: null } })
  })

  test('is refused at a figure that was for another plan, is old, or does not hold', async () => {
    const { estimateToken: other } = await quote(2)
    expect(await refusalOf(change(1, { estimateToken: other }))).toBe('estimateChanged')
    const { estimateToken } = await quote(1)
    clock.advance(16 * 60_000)
    expect(await refusalOf(change(1, { estimateToken }))).toBe('estimateChanged')
    const fresh = await quote(1)
    catalog = catalogOf(testPlans.map((plan) => (plan.level === 1 ? { ...plan, price: { usd: 400 } } : plan)))
    expect(await refusalOf(change(1, { estimateToken: fresh.estimateToken }))).toBe('estimateChanged')
    expect(await invoices()).toEqual([])
  })

  test('uses the coupon of the account, and gives its use back when it lapses', async () => {
    const coupon = { code: 'HALF', percentOff: 50, duration: 'once' as const, appliesTo: ['plan' as const] }
    await database.pool.query("insert into coupons (code, redeemed) values ('HALF', 1) on conflict do nothing")
    await desk.transact((trx) => insertRedemption(trx, desk.userid, { coupon, redeemedAt: start, endsAt: null }))
    expect(await quote(2)).toMatchObject({ amount: 450, discount: 450, coupon: 'HALF', perMonth: 900 })
    expect(await change(2)).toMatchObject({ paid: false, amount: 450 })
    await change(0)
    expect(await quote(2)).toMatchObject({ amount: 450, coupon: 'HALF' })
  })

  test('that is not sold in the currency of the account is refused', async () => {
    catalog = catalogOf(testPlans.map((plan) => (plan.level === 1 ? { ...plan, price: { cny: 2000 } } : plan)))
    expect(await refusalOf(quote(1))).toBe('planNotSold')
    expect((await show()).plans.map(({ planLevel }) => planLevel)).toEqual([0, 2, 3])
  })
})

describe('a lower plan', () => {
  beforeEach(async () => {
    await desk.credit(10_000)
    await change(2)
  })

  test('costs nothing, begins when the period ends, and is taken back until then', async () => {
    clock.advance(3 * days)
    const end = addMonths(start, 1, 'UTC').toISOString()
    expect(await quote(1)).toMatchObject({ amount: 0, items: [], perMonth: 300, effectiveAt: end })
    expect(await change(1)).toMatchObject({ paid: true, planLevel: 1, effectiveAt: end })
    expect(await show()).toMatchObject({ planLevel: 2, pending: { planLevel: 1, effectiveAt: end } })
    expect(await limits()).toBe(32)
    await change(2)
    expect((await show()).pending).toBeNull()
    await change(1)
    await renew()
    expect([(await show()).planLevel, (await show()).pending, await limits()]).toEqual([1, null, 16])
    await expectBooksToHold()
  })

  test('Free ends the subscription when the period ends', async () => {
    await change(0)
    expect(await renew()).toBeUndefined()
    expect([(await show()).planLevel, await limits()]).toEqual([0, 16])
    expect(await findPlanSubscription(database.db, desk.userid)).toBeUndefined()
  })

  test('that is no longer sold by then gives way to the next lower one', async () => {
    await change(3)
    await change(2)
    catalog = catalogOf(testPlans.filter(({ level }) => level !== 2))
    await renew()
    expect((await show()).planLevel).toBe(1)
  })
})

describe('at the end of its period', () => {
  const at = async (time: string) => {
    clock.set(new Date(time))
    await desk.runDue()
  }

  test('a lower plan waits for its own end, though an instance of that day is renewed before', async () => {
    await desk.credit(10_000)
    const clusterId = await desk.insertCluster()
    const instances = [{ instanceId: await desk.insertInstance(clusterId), terms: instanceTerms(500) }]
    const order = { userid: desk.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
    await desk.transact((trx) => desk.billing.order(trx, order))
    clock.advance(days / 2)
    await change(2)
    await change(1)
    await at('2027-02-01T11:00:00Z')
    expect([await limits(), (await show()).planLevel]).toEqual([32, 2])
    await at('2027-02-01T12:00:00Z')
    expect([await limits(), (await show()).planLevel]).toEqual([16, 1])
    expect((await invoices()).slice(2)).toEqual([
      ['renewal', 500, 'paid'],
      ['renewal', 300, 'paid'],
    ])
    await expectBooksToHold()
  })

  test('one that nobody pays for falls to Free on day 19, and costs as much of its month', async () => {
    await desk.credit(300)
    await change(1)
    for (const day of ['01', '02', '04', '06']) await at(`2027-02-${day}T00:00:00Z`)
    expect((await show()).planLevel).toBe(1)
    await at('2027-02-20T00:00:00Z')
    expect((await show()).planLevel).toBe(0)
    expect(await invoices()).toMatchObject([
      ['plan', 300, 'paid'],
      ['renewal', 300, 'uncollectible'],
    ])
    // 19 of 28 days.
    expect(await desk.balance('writeoff')).toBe(204)
    await expectBooksToHold()
  })
})

test('a catalogue without the plan that an account has leaves it price, quotas and rates', async () => {
  await desk.credit(10_000)
  await change(2)
  catalog = catalogOf(testPlans.filter(({ level }) => level !== 2))
  const { plans } = await show()
  expect(plans.map(({ planLevel, isCurrent, isSold }) => [planLevel, isCurrent, isSold])).toEqual([
    [0, false, true],
    [1, false, true],
    [2, true, false],
    [3, false, true],
  ])
  expect(plans[2]).toMatchObject({ amount: 900, quotas: { vCpu: 32 }, rates: { cloud_traffic: '0.03' } })
  expect(await limits()).toBe(32)
  expect((await renew())?.state).toBe('active')
  expect(await quote(2)).toMatchObject({ amount: 0, perMonth: 900 })
})

test('any order of changes and renewals ends where it should, and what is paid for a period is its plans’ time', async () => {
  const step = fc.record({ level: fc.integer({ min: 0, max: 3 }), wait: fc.integer({ min: 1, max: 20 * 86_400 }) })
  const price = [0, 300, 900, 2900]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      clock.set(start)
      desk = await openDesk(database, { clock, catalog: { current: () => catalog.current() } })
      await desk.credit(100_000)
      let level = 0
      let pending: number | null = null
      for (const { level: next, wait } of steps) {
        const before = await desk.balance('cash')
        const subscription = await findPlanSubscription(database.db, desk.userid)
        const { amount } = await quote(next)
        await change(next)
        expect((await desk.balance('cash')) - before).toBe(amount)
        if (next > level && subscription) {
          const [from, to] = [subscription.period_start, subscription.period_end].map((date) => date.getTime())
          const rest = ((to ?? 0) - clock.now().getTime()) / ((to ?? 0) - (from ?? 0))
          expect(Math.abs(amount - ((price[next] ?? 0) - (price[level] ?? 0)) * rest)).toBeLessThanOrEqual(1)
        } else expect(amount).toBe(next > level ? price[next] : 0)
        pending = next < level ? next : null
        level = Math.max(level, next)
        expect((await show()).planLevel).toBe(level)
        expect((await show()).pending?.planLevel ?? null).toBe(pending)
        const end = (await findPlanSubscription(database.db, desk.userid))?.period_end
        clock.advance(wait * 1000)
        if (!end || clock.now() < end) continue
        const renewed = await renew()
        level = pending ?? level
        pending = null
        expect([(await show()).planLevel, renewed === undefined]).toEqual([level, level === 0])
        await desk.transact((trx) =>
          trx
            .updateTable('subscriptions')
            .set({ period_start: end, period_end: addMonths(end, 1, 'UTC') })
            .where('userid', '=', desk.userid)
            .where('state', '=', 'active')
            .execute(),
        )
      }
      await expectBooksToHold()
    }),
    { numRuns: 15 },
  )
}, 60_000)
