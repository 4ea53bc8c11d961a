/** A higher plan: what it costs, when it takes effect, and what becomes of one that nobody pays. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { insertRedemption } from '../records/coupon-store.ts'
import { openPlanHarness, type PlanHarness, refusalOf, start } from '../testing/plan-harness.ts'
import { testPlans } from '../testing/test-plans.ts'
import { showPeriod } from './list-plans.ts'

const days = 86_400_000
const clock = createTestClock(start)
const database = useDatabase()
let harness: PlanHarness

beforeEach(async () => {
  harness = await openPlanHarness(database, clock)
})

describe('a higher plan', () => {
  test('from Free begins a period now, is paid at the figure that was shown, and its quota follows', async () => {
    await harness.credit(1000)
    expect([await harness.limits(), (await harness.show()).planLevel]).toEqual([16, 0])
    const shown = await harness.quote(2)
    expect(shown).toMatchObject({ amount: 900, fromBalance: 900, toCard: 0, perMonth: 900, planLevel: 2 })
    clock.advance(5 * 60_000)
    const { estimateToken } = shown
    const answer = { paid: true, planLevel: 2, amount: 900, effectiveAt: start.toISOString() }
    expect(await harness.change(2, { estimateToken })).toMatchObject(answer)
    expect([await harness.limits(), await harness.balance('cash'), await harness.balance('revenue:plan')]).toEqual([
      32, -100, -900,
    ])
    const seconds = (at: Date) => at.getTime() / 1000
    expect(await showPeriod(harness.deps, harness.userid)).toEqual({
      periodStart: seconds(start),
      periodEnd: seconds(addMonths(start, 1, 'UTC')),
    })
    const { rows } = await database.pool.query('select product_type from invoice_items where userid = $1', [
      harness.userid,
    ])
    expect(rows).toEqual([{ product_type: 'Instance' }])
    await harness.expectBooksToHold()
  })

  test('costs the rest of the period at the new price less the old one', async () => {
    await harness.credit(10_000)
    await harness.change(1)
    clock.advance(15.5 * days)
    expect(await harness.quote(3)).toMatchObject({ amount: 1300, perMonth: 2900, items: [{ proration: true }] })
    expect(await harness.change(3)).toMatchObject({ paid: true, amount: 1300 })
    expect(await harness.show()).toMatchObject({ planLevel: 3, pending: null })
    expect(await harness.invoices()).toEqual([
      ['plan', 300, 'paid'],
      ['plan', 1300, 'paid'],
    ])
  })

  test('waits for its payment, takes effect with it, and a request that is repeated is told so', async () => {
    const requestId = 'request-1'
    const asked = await harness.change(1, { requestId })
    expect(asked).toMatchObject({ paid: false, amount: 300 })
    expect(await harness.show()).toMatchObject({ planLevel: 0, pending: { planLevel: 1, invoiceId: asked.invoiceId } })
    expect(await harness.change(1)).toEqual(asked)
    expect(await refusalOf(harness.change(2))).toBe('planWaits')
    await harness.credit(300)
    await harness.pay(asked.invoiceId)
    expect(await harness.change(1, { requestId })).toEqual({ ...asked, paid: true })
    expect([(await harness.show()).planLevel, (await harness.show()).pending, await harness.limits()]).toEqual([
      1,
      null,
      16,
    ])
    await harness.expectBooksToHold()
  })

  test.each([
    ['that nobody pays lapses after its 24 hours', () => clock.advance(days)],
    ['is taken back by asking for the plan that the account has', () => harness.change(0)],
  ])('%s, and leaves the account as it was', async (_, giveUp) => {
    await harness.credit(100)
    await harness.change(1)
    expect(await harness.balance('held:cash')).toBe(-100)
    await giveUp()
    await harness.runDue()
    expect(await harness.show()).toMatchObject({ planLevel: 0, pending: null })
    expect(await harness.invoices()).toEqual([['plan', 300, 'void']])
    expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-100, 0])
    await harness.expectBooksToHold()
  })

  test('from Free that is paid late begins when it is paid', async () => {
    const requestId = 'request-2'
    const asked = await harness.change(1, { requestId })
    clock.advance(5 * 3_600_000)
    await harness.credit(300)
    await harness.pay(asked.invoiceId)
    const paid = await harness.change(1, { requestId })
    expect(paid).toMatchObject({ paid: true, amount: 300 })
    expect(paid.invoiceId).not.toBe(asked.invoiceId)
    expect((await showPeriod(harness.deps, harness.userid)).periodStart).toBe(clock.now().getTime() / 1000)
    await harness.expectBooksToHold()
  })

  test('that is paid late costs what is left of the period by then', async () => {
    await harness.credit(300)
    await harness.change(1)
    const asked = await harness.change(2)
    expect(asked).toMatchObject({ paid: false, amount: 600 })
    clock.advance(0.5 * days)
    await harness.credit(1000)
    await harness.pay(asked.invoiceId)
    expect(await harness.invoices()).toEqual([
      ['plan', 300, 'paid'],
      ['plan', 600, 'void'],
      ['plan', 590, 'paid'],
    ])
    expect((await harness.show()).planLevel).toBe(2)
    await harness.expectBooksToHold()
  })

  test('that lapses leaves the lower one that is to come', async () => {
    await harness.credit(900)
    await harness.change(2)
    await harness.change(1)
    await harness.change(3)
    expect(await harness.show()).toMatchObject({ planLevel: 2, pending: { planLevel: 3, effectiveAt: null } })
    clock.advance(days)
    await harness.runDue()
    expect(await harness.show()).toMatchObject({ planLevel: 2, pending: { planLevel: 1, invoiceId: null } })
  })

  test('is refused at a figure that was for another plan, is old, or does not hold', async () => {
    const { estimateToken: other } = await harness.quote(2)
    expect(await refusalOf(harness.change(1, { estimateToken: other }))).toBe('estimateChanged')
    const { estimateToken } = await harness.quote(1)
    clock.advance(16 * 60_000)
    expect(await refusalOf(harness.change(1, { estimateToken }))).toBe('estimateChanged')
    const fresh = await harness.quote(1)
    harness.sell(testPlans.map((plan) => (plan.level === 1 ? { ...plan, price: { usd: 400 } } : plan)))
    expect(await refusalOf(harness.change(1, { estimateToken: fresh.estimateToken }))).toBe('estimateChanged')
    expect(await harness.invoices()).toEqual([])
  })

  test('uses the coupon of the account, and gives its use back when it lapses', async () => {
    const coupon = { code: 'HALF', percentOff: 50, duration: 'once' as const, appliesTo: ['plan' as const] }
    await database.pool.query("insert into coupons (code, redeemed) values ('HALF', 1) on conflict do nothing")
    await harness.transact((trx) => insertRedemption(trx, harness.userid, { coupon, redeemedAt: start }))
    expect(await harness.quote(2)).toMatchObject({ amount: 450, discount: 450, coupon: 'HALF', perMonth: 900 })
    expect(await harness.change(2)).toMatchObject({ paid: false, amount: 450 })
    await harness.change(0)
    expect(await harness.quote(2)).toMatchObject({ amount: 450, coupon: 'HALF' })
  })

  test('that is not sold in the currency of the account is refused', async () => {
    harness.sell(testPlans.map((plan) => (plan.level === 1 ? { ...plan, price: { cny: 2000 } } : plan)))
    expect(await refusalOf(harness.quote(1))).toBe('planNotSold')
    expect((await harness.show()).plans.map(({ planLevel }) => planLevel)).toEqual([0, 2, 3])
  })
})
