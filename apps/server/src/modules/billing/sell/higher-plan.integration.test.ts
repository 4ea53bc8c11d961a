/** A higher plan: what it costs, when it takes effect, and what becomes of one that nobody pays. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { insertRedemption } from '../records/coupon-store.ts'
import { openPlanDesk, type PlanDesk, refusalOf, start } from '../testing/plan-desk.ts'
import { testPlans } from '../testing/test-plans.ts'
import { showPeriod } from './list-plans.ts'

const days = 86_400_000
const clock = createTestClock(start)
const database = useDatabase()
let desk: PlanDesk

beforeEach(async () => {
  desk = await openPlanDesk(database, clock)
})

describe('a higher plan', () => {
  test('from Free begins a period now, is paid at the figure that was shown, and its quota follows', async () => {
    await desk.credit(1000)
    expect([await desk.limits(), (await desk.show()).planLevel]).toEqual([16, 0])
    const shown = await desk.quote(2)
    expect(shown).toMatchObject({ amount: 900, fromBalance: 900, toCard: 0, perMonth: 900, planLevel: 2 })
    clock.advance(5 * 60_000)
    const { estimateToken } = shown
    const answer = { paid: true, planLevel: 2, amount: 900, effectiveAt: start.toISOString() }
    expect(await desk.change(2, { estimateToken })).toMatchObject(answer)
    expect([await desk.limits(), await desk.balance('cash'), await desk.balance('revenue:plan')]).toEqual([
      32, -100, -900,
    ])
    const seconds = (at: Date) => at.getTime() / 1000
    expect(await showPeriod(desk.deps, desk.userid)).toEqual({
      periodStart: seconds(start),
      periodEnd: seconds(addMonths(start, 1, 'UTC')),
    })
    const { rows } = await database.pool.query('select product_type from invoice_items where userid = $1', [
      desk.userid,
    ])
    expect(rows).toEqual([{ product_type: 'Instance' }])
    await desk.expectBooksToHold()
  })

  test('costs the rest of the period at the new price less the old one', async () => {
    await desk.credit(10_000)
    await desk.change(1)
    clock.advance(15.5 * days)
    expect(await desk.quote(3)).toMatchObject({ amount: 1300, perMonth: 2900, items: [{ proration: true }] })
    expect(await desk.change(3)).toMatchObject({ paid: true, amount: 1300 })
    expect(await desk.show()).toMatchObject({ planLevel: 3, pending: null })
    expect(await desk.invoices()).toEqual([
      ['plan', 300, 'paid'],
      ['plan', 1300, 'paid'],
    ])
  })

  test('waits for its payment, takes effect with it, and a request that is repeated is told so', async () => {
    const requestId = 'request-1'
    const asked = await desk.change(1, { requestId })
    expect(asked).toMatchObject({ paid: false, amount: 300 })
    expect(await desk.show()).toMatchObject({ planLevel: 0, pending: { planLevel: 1, invoiceId: asked.invoiceId } })
    expect(await desk.change(1)).toEqual(asked)
    expect(await refusalOf(desk.change(2))).toBe('planWaits')
    await desk.credit(300)
    await desk.pay(asked.invoiceId)
    expect(await desk.change(1, { requestId })).toEqual({ ...asked, paid: true })
    expect([(await desk.show()).planLevel, (await desk.show()).pending, await desk.limits()]).toEqual([1, null, 16])
    await desk.expectBooksToHold()
  })

  test.each([
    ['that nobody pays lapses after its 24 hours', () => clock.advance(days)],
    ['is taken back by asking for the plan that the account has', () => desk.change(0)],
  ])('%s, and leaves the account as it was', async (_, giveUp) => {
    await desk.credit(100)
    await desk.change(1)
    expect(await desk.balance('held:cash')).toBe(-100)
    await giveUp()
    await desk.runDue()
    expect(await desk.show()).toMatchObject({ planLevel: 0, pending: null })
    expect(await desk.invoices()).toEqual([['plan', 300, 'void']])
    expect([await desk.balance('cash'), await desk.balance('held:cash')]).toEqual([-100, 0])
    await desk.expectBooksToHold()
  })

  test('from Free that is paid late begins when it is paid', async () => {
    const requestId = 'request-2'
    const asked = await desk.change(1, { requestId })
    clock.advance(5 * 3_600_000)
    await desk.credit(300)
    await desk.pay(asked.invoiceId)
    const paid = await desk.change(1, { requestId })
    expect(paid).toMatchObject({ paid: true, amount: 300 })
    expect(paid.invoiceId).not.toBe(asked.invoiceId)
    expect((await showPeriod(desk.deps, desk.userid)).periodStart).toBe(clock.now().getTime() / 1000)
    await desk.expectBooksToHold()
  })

  test('that is paid late costs what is left of the period by then', async () => {
    await desk.credit(300)
    await desk.change(1)
    const asked = await desk.change(2)
    expect(asked).toMatchObject({ paid: false, amount: 600 })
    clock.advance(0.5 * days)
    await desk.credit(1000)
    await desk.pay(asked.invoiceId)
    expect(await desk.invoices()).toEqual([
      ['plan', 300, 'paid'],
      ['plan', 600, 'void'],
      ['plan', 590, 'paid'],
    ])
    expect((await desk.show()).planLevel).toBe(2)
    await desk.expectBooksToHold()
  })

  test('that lapses leaves the lower one that is to come', async () => {
    await desk.credit(900)
    await desk.change(2)
    await desk.change(1)
    await desk.change(3)
    expect(await desk.show()).toMatchObject({ planLevel: 2, pending: { planLevel: 3, effectiveAt: null } })
    clock.advance(days)
    await desk.runDue()
    expect(await desk.show()).toMatchObject({ planLevel: 2, pending: { planLevel: 1, invoiceId: null } })
  })

  test('is refused at a figure that was for another plan, is old, or does not hold', async () => {
    const { estimateToken: other } = await desk.quote(2)
    expect(await refusalOf(desk.change(1, { estimateToken: other }))).toBe('estimateChanged')
    const { estimateToken } = await desk.quote(1)
    clock.advance(16 * 60_000)
    expect(await refusalOf(desk.change(1, { estimateToken }))).toBe('estimateChanged')
    const fresh = await desk.quote(1)
    desk.sell(testPlans.map((plan) => (plan.level === 1 ? { ...plan, price: { usd: 400 } } : plan)))
    expect(await refusalOf(desk.change(1, { estimateToken: fresh.estimateToken }))).toBe('estimateChanged')
    expect(await desk.invoices()).toEqual([])
  })

  test('uses the coupon of the account, and gives its use back when it lapses', async () => {
    const coupon = { code: 'HALF', percentOff: 50, duration: 'once' as const, appliesTo: ['plan' as const] }
    await database.pool.query("insert into coupons (code, redeemed) values ('HALF', 1) on conflict do nothing")
    await desk.transact((trx) => insertRedemption(trx, desk.userid, { coupon, redeemedAt: start }))
    expect(await desk.quote(2)).toMatchObject({ amount: 450, discount: 450, coupon: 'HALF', perMonth: 900 })
    expect(await desk.change(2)).toMatchObject({ paid: false, amount: 450 })
    await desk.change(0)
    expect(await desk.quote(2)).toMatchObject({ amount: 450, coupon: 'HALF' })
  })

  test('that is not sold in the currency of the account is refused', async () => {
    desk.sell(testPlans.map((plan) => (plan.level === 1 ? { ...plan, price: { cny: 2000 } } : plan)))
    expect(await refusalOf(desk.quote(1))).toBe('planNotSold')
    expect((await desk.show()).plans.map(({ planLevel }) => planLevel)).toEqual([0, 2, 3])
  })
})
