/** A lower plan, the end of a period, and any order of changes. */
import { addMonths, periodAt, periodIndexAt } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { instanceTerms } from '../testing/billing-harness.ts'
import { openPlanHarness, type PlanHarness, start } from '../testing/plan-harness.ts'
import { testPlans } from '../testing/test-plans.ts'

const days = 86_400_000
const clock = createTestClock(start)
const database = useDatabase()
let harness: PlanHarness

beforeEach(async () => {
  harness = await openPlanHarness(database, clock)
})

describe('a lower plan', () => {
  beforeEach(async () => {
    await harness.credit(10_000)
    await harness.change(2)
  })

  test('costs nothing, begins when the period ends, and is taken back until then', async () => {
    clock.advance(3 * days)
    const end = addMonths(start, 1, 'UTC').toISOString()
    expect(await harness.quote(1)).toMatchObject({ amount: 0, items: [], perMonth: 300, effectiveAt: end })
    expect(await harness.change(1)).toMatchObject({ paid: true, planLevel: 1, effectiveAt: end })
    expect(await harness.show()).toMatchObject({ planLevel: 2, pending: { planLevel: 1, effectiveAt: end } })
    expect(await harness.limits()).toBe(32)
    await harness.change(2)
    expect((await harness.show()).pending).toBeNull()
    await harness.change(1)
    await harness.renew()
    expect([(await harness.show()).planLevel, (await harness.show()).pending, await harness.limits()]).toEqual([
      1,
      null,
      16,
    ])
    await harness.expectBooksToHold()
  })

  test('Free ends the subscription when the period ends', async () => {
    await harness.change(0)
    expect(await harness.renew()).toBeUndefined()
    expect([(await harness.show()).planLevel, await harness.limits()]).toEqual([0, 16])
    expect(await findPlanSubscription(database.db, harness.userid)).toBeUndefined()
  })

  test('that is no longer sold by then gives way to the next lower one', async () => {
    await harness.change(3)
    await harness.change(2)
    harness.sell(testPlans.filter(({ level }) => level !== 2))
    await harness.renew()
    expect((await harness.show()).planLevel).toBe(1)
  })
})

describe('at the end of its period', () => {
  const at = async (time: string) => {
    clock.set(new Date(time))
    await harness.runDue()
  }

  test('a lower plan waits for its own end, though an instance of that day is renewed before', async () => {
    await harness.credit(10_000)
    const clusterId = await harness.insertCluster()
    const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(500) }]
    const order = { userid: harness.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
    await harness.transact((trx) => harness.billing.order(trx, order))
    clock.advance(days / 2)
    await harness.change(2)
    await harness.change(1)
    await at('2027-02-01T11:00:00Z')
    expect([await harness.limits(), (await harness.show()).planLevel]).toEqual([32, 2])
    await at('2027-02-01T12:00:00Z')
    expect([await harness.limits(), (await harness.show()).planLevel]).toEqual([16, 1])
    expect((await harness.invoices()).slice(2)).toEqual([
      ['renewal', 500, 'paid'],
      ['renewal', 300, 'paid'],
    ])
    await harness.expectBooksToHold()
  })

  test('one that nobody pays for falls to Free on day 19, and costs as much of its month', async () => {
    await harness.credit(300)
    await harness.change(1)
    for (const day of ['01', '02', '04', '06']) await at(`2027-02-${day}T00:00:00Z`)
    expect((await harness.show()).planLevel).toBe(1)
    await at('2027-02-20T00:00:00Z')
    expect((await harness.show()).planLevel).toBe(0)
    expect(await harness.invoices()).toMatchObject([
      ['plan', 300, 'paid'],
      ['renewal', 300, 'uncollectible'],
    ])
    // 19 of 28 days.
    expect(await harness.balance('writeoff')).toBe(204)
    await harness.expectBooksToHold()
  })
})

test('a catalogue without the plan that an account has leaves it price, quotas and rates', async () => {
  await harness.credit(10_000)
  await harness.change(2)
  harness.sell(testPlans.filter(({ level }) => level !== 2))
  const { plans } = await harness.show()
  expect(plans.map(({ planLevel, isCurrent, isSold }) => [planLevel, isCurrent, isSold])).toEqual([
    [0, false, true],
    [1, false, true],
    [2, true, false],
    [3, false, true],
  ])
  expect(plans[2]).toMatchObject({ amount: 900, quotas: { vCpu: 32 }, rates: { cloud_traffic: '0.03' } })
  expect(await harness.limits()).toBe(32)
  expect((await harness.renew())?.state).toBe('active')
  expect(await harness.quote(2)).toMatchObject({ amount: 0, perMonth: 900 })
})

test('any order of changes and renewals ends where it should, and what is paid for a period is its plans’ time', async () => {
  const step = fc.record({ level: fc.integer({ min: 0, max: 3 }), wait: fc.integer({ min: 1, max: 20 * 86_400 }) })
  const price = [0, 300, 900, 2900]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      harness = await openPlanHarness(database, clock)
      await harness.credit(100_000)
      let level = 0
      let pending: number | null = null
      for (const { level: next, wait } of steps) {
        const before = await harness.balance('cash')
        const subscription = await findPlanSubscription(database.db, harness.userid)
        const { amount } = await harness.quote(next)
        await harness.change(next)
        expect((await harness.balance('cash')) - before).toBe(amount)
        if (next > level && subscription) {
          const [from, to] = [subscription.period_start, subscription.period_end].map((date) => date.getTime())
          const rest = ((to ?? 0) - clock.now().getTime()) / ((to ?? 0) - (from ?? 0))
          expect(Math.abs(amount - ((price[next] ?? 0) - (price[level] ?? 0)) * rest)).toBeLessThanOrEqual(1)
        } else expect(amount).toBe(next > level ? price[next] : 0)
        pending = next < level ? next : null
        level = Math.max(level, next)
        expect((await harness.show()).planLevel).toBe(level)
        expect((await harness.show()).pending?.planLevel ?? null).toBe(pending)
        const current = await findPlanSubscription(database.db, harness.userid)
        clock.advance(wait * 1000)
        if (!current || clock.now() < current.period_end) continue
        const renewed = await harness.renew()
        level = pending ?? level
        pending = null
        expect([(await harness.show()).planLevel, renewed === undefined]).toEqual([level, level === 0])
        const { anchor, period_end: end } = current
        const renewedPeriod = periodAt(anchor, periodIndexAt(anchor, end, 'UTC'), 'UTC')
        await harness.transact((trx) =>
          trx
            .updateTable('subscriptions')
            .set({ period_start: renewedPeriod.start, period_end: renewedPeriod.end })
            .where('userid', '=', harness.userid)
            .where('state', '=', 'active')
            .execute(),
        )
      }
      await harness.expectBooksToHold()
    }),
    { numRuns: 15 },
  )
})
