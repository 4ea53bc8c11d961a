/** Usage above the plan's quotas: how it is counted, shown, priced and billed. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { verifyDocuments } from '../index.ts'
import { insertRedemption } from '../records/coupon-store.ts'
import { quotePlan } from '../routes/quote-plan.ts'
import { testPlans } from '../testing/test-plans.ts'
import { after, days, end, hours, openUsageHarness, start, type UsageHarness } from '../testing/usage-harness.ts'
import { readBackupSizes, readTrafficSizes } from './quota-sizes.ts'
import { calculateProduct, listUsage } from './show-usage.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: UsageHarness

/** Of which the highest includes more of everything, and all stop at their quota of CDN traffic. */
const roomyPlans = testPlans.map((plan) => ({
  ...plan,
  quotas: { ...plan.quotas, ...(plan.level === 3 ? { cdnGB: 500, storageGB: 1000 } : { cdnGB: 50 }) },
}))

beforeEach(async () => {
  harness = await openUsageHarness(database, clock)
})

describe('usage', () => {
  test('above the quota is billed when the period is over, on an invoice of its own, with its readings kept', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(3 * days), 250)
    harness.script.flow('cloud_traffic', after(5 * days), 70.5)
    clock.set(after(6 * days))
    expect(await harness.traffic()).toMatchObject({
      used: 320.5,
      quota: 300,
      overage: 20.5,
      amount: 62,
      state: 'charged',
    })
    // A cluster shows its part of the same usage.
    const part = async (clusterId: string) =>
      (await harness.billing.clusterParts(database.db, { owner: harness.userid, clusterId })).traffic
    expect(await part('cl_a')).toEqual({ used: 320.5, quota: 300 })
    expect(await part('cl_b')).toMatchObject({ used: 0, quota: 300 })
    // And what a personal server reads, in bytes.
    expect(await readTrafficSizes(harness.deps, harness.userid)).toEqual({
      totalSize: 300e9,
      usedSize: 320.5e9,
      overageSize: 20.5e9,
    })
    await harness.runUntil(after(31 * days - 1))
    expect(await harness.bills()).toEqual([])
    await harness.runUntil(end)
    // 20.5 GB at 3 cents: 61.5, half-even.
    expect(await harness.bills()).toEqual([{ total: 62, product: 'cloud_traffic', at: start, amount: 62 }])
    expect(await harness.balance('revenue:usage')).toBe(-62)
    const { rows } = await database.pool.query(
      "select used from usage_readings where userid = $1 and product_type = 'cloud_traffic'",
      [harness.userid],
    )
    expect(rows).toEqual([{ used: '320500000' }])
    expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
  })

  test('within the quota, or of a product that the plan stops, is not billed', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 300)
    harness.script.flow('cdn_traffic', after(days), 500)
    clock.set(after(2 * days))
    expect((await listUsage(harness.deps, harness.userid)).map(({ state }) => state)).toEqual([
      'within',
      'within',
      'within',
      'limited',
    ])
    await harness.runUntil(addMonths(start, 3, 'UTC'))
    expect(await harness.bills()).toEqual([])
  })

  test('of backups is reported to a personal server in bytes, and that there may be no more above what the plan includes', async () => {
    const sizes = () => readBackupSizes(harness.deps, harness.userid)
    expect(await sizes()).toEqual({ totalSize: 5e9, usageSize: 0, canBackup: true, planLevel: 0 })
    // Two days of the 31.
    harness.script.flow('cloud_backup', after(days), 310)
    clock.set(after(2 * days))
    expect(await sizes()).toEqual({ totalSize: 5e9, usageSize: 20e9, canBackup: false, planLevel: 0 })
    const { backup } = await harness.billing.clusterParts(database.db, { owner: harness.userid, clusterId: 'cl_a' })
    expect(backup).toEqual({ used: 20, quota: 5 })
    await harness.change(1)
    expect(await sizes()).toMatchObject({ totalSize: 5e9, planLevel: 1 })
  })

  test('on Free counts from the first day of the account, stops at the quota and is never billed', async () => {
    harness.script.flow('cloud_traffic', after(days), 51)
    clock.set(after(2 * days))
    expect(await harness.traffic()).toMatchObject({ used: 51, quota: 50, overage: 1, amount: 0, state: 'limited' })
    expect(await harness.mayUse()).toBe('limited')
    expect(await harness.room()).toEqual({ isLimited: true, until: end, bytes: 0, bandwidthMbit: 20 })
    clock.set(addMonths(start, 1, 'UTC'))
    expect(await harness.traffic()).toMatchObject({ used: 0, state: 'within' })
    expect(await harness.room()).toMatchObject({ isLimited: false, bytes: 50_000_000_000 })
    await harness.runUntil(addMonths(start, 2, 'UTC'))
    expect(await harness.bills()).toEqual([])
  })

  test('that meters cannot report yet is asked for again for six hours; later it is on the next bill', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    harness.script.flow('cloud_traffic', after(30 * days), 100, new Date(end.getTime() + 10 * hours))
    harness.script.beSilentUntil(new Date(end.getTime() + 9 * hours))
    await harness.runUntil(new Date(end.getTime() + 5.5 * hours))
    expect(await harness.bills()).toEqual([])
    await harness.runUntil(new Date(end.getTime() + 6 * hours))
    expect(await harness.bills()).toMatchObject([{ total: 300 }])
    harness.script.flow('cloud_traffic', new Date(end.getTime() + days), 310)
    await harness.runUntil(addMonths(start, 2, 'UTC'))
    expect((await harness.bills()).slice(1)).toEqual([
      { total: 330, product: 'cloud_traffic', at: end, amount: 30 },
      { total: 330, product: 'cloud_traffic', at: start, amount: 300 },
    ])
    await harness.runUntil(addMonths(start, 4, 'UTC'))
    expect(await harness.bills()).toHaveLength(3)
  })

  test('is cut where the plan was raised: above the old quota at the old rate, the rest against a quota that grew by the time that is left', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 310)
    clock.set(after(10 * days))
    await harness.change(2)
    // 300 and 300 more for 21 of 31 days: the same for page, state, notices, cluster, personal server and edge.
    expect(await harness.traffic()).toMatchObject({
      used: 310,
      quota: 503.225806,
      overage: 10,
      amount: 30,
      state: 'within',
    })
    expect(await harness.room()).toMatchObject({ isLimited: false, bytes: 203_225_806_000 })
    expect(await readTrafficSizes(harness.deps, harness.userid)).toMatchObject({ totalSize: 503_225_806_000 })
    expect(
      (await harness.billing.clusterParts(database.db, { owner: harness.userid, clusterId: 'cl_a' })).traffic.quota,
    ).toBe(503.225806)
    harness.script.flow('cloud_traffic', after(20 * days), 203.225806)
    clock.set(after(21 * days))
    expect([await harness.mayUse(), (await harness.traffic())?.amount]).toEqual(['within', 30])
    harness.script.flow('cloud_traffic', after(22 * days), 100)
    await harness.runUntil(end)
    // 10 GB above 300 at once, and 100 above what is included.
    expect(await harness.bills()).toMatchObject([{ total: 330 }])
  })

  test('that a plan stops goes on after a raise as far as the time that is left buys, and stays stopped after a late one', async () => {
    harness = await openUsageHarness(database, clock, roomyPlans)
    await harness.change(1)
    harness.script.flow('cdn_traffic', after(days), 50.5)
    clock.set(after(20 * days))
    expect(await harness.mayUse('cdn_traffic')).toBe('limited')
    const shown = async (level: number) => {
      const { included, periodEnd } = await quotePlan(harness.deps, harness.userid, level, 'en-US')
      expect(periodEnd).toBe(end.toISOString())
      return included.find(({ productType }) => productType === 'cdn_traffic')
    }
    // 450 GB for 11 of 31 days, and for 36 seconds of them; the estimate names both quotas.
    const names = { productType: 'cdn_traffic', after: 500, unitLabel: 'GB' }
    expect(await shown(3)).toEqual({ ...names, untilEnd: 209.677419, staysStopped: false })
    // A plan that includes no more of it leaves it stopped.
    expect(await shown(2)).toEqual({ ...names, after: 50, untilEnd: 50, staysStopped: true })
    clock.set(new Date(end.getTime() - 36_000))
    expect(await shown(3)).toEqual({ ...names, untilEnd: 50.006048, staysStopped: false })
    clock.set(after(20 * days))
    await harness.change(3)
    const cdn = async () =>
      (await listUsage(harness.deps, harness.userid)).find(({ productType }) => productType === 'cdn_traffic')
    expect(await cdn()).toMatchObject({ used: 50.5, quota: 209.677419, overage: 0.5, state: 'within', amount: 0 })
    harness.script.flow('cdn_traffic', after(21 * days), 159.68)
    clock.set(after(22 * days))
    expect(await cdn()).toMatchObject({ state: 'limited', amount: 0 })
  })

  test('of what is stored has of each plan the quota for its part of the period', async () => {
    harness = await openUsageHarness(database, clock, roomyPlans)
    await harness.change(1)
    // 31 GB during the 10 days on Starter, which includes 20, and none since.
    harness.script.flow('cloud_storage', start, 31)
    clock.set(after(10 * days))
    await harness.change(3)
    clock.set(after(11 * days))
    const stored = (await listUsage(harness.deps, harness.userid)).find(
      ({ productType }) => productType === 'cloud_storage',
    )
    expect(stored).toMatchObject({ quota: 683.870967, used: 10, overage: 3.548387, state: 'within' })
  })

  test('of what is stored counts for the part of the period that it was stored', async () => {
    await harness.change(1)
    harness.script.flow('cloud_storage', start, 120)
    await harness.runUntil(end)
    expect(await harness.bills()).toMatchObject([{ product: 'cloud_storage', total: 500 }])
  })

  test('is billed until the plan ended, and not after', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 310)
    clock.set(after(2 * days))
    await database.pool.query(
      "update subscription_items set state = 'ended', ended_at = $2 where userid = $1 and state = 'active'",
      [harness.userid, clock.now()],
    )
    await database.pool.query("update subscriptions set state = 'ended', ended_at = $2 where userid = $1", [
      harness.userid,
      clock.now(),
    ])
    harness.script.flow('cloud_traffic', after(3 * days), 500)
    await harness.runUntil(addMonths(start, 3, 'UTC'))
    expect(await harness.bills()).toMatchObject([{ total: 30 }])
  })

  test('is reduced by a coupon for it, and can be reckoned before', async () => {
    await harness.change(1)
    const coupon = { code: 'USE50', percentOff: 50, duration: 'forever' as const, appliesTo: ['usage' as const] }
    await database.pool.query("insert into coupons (code, redeemed) values ('USE50', 1) on conflict do nothing")
    await harness.transact((trx) => insertRedemption(trx, harness.userid, { coupon, redeemedAt: start }))
    const asked = { productType: 'cloud_traffic' as const, quantity: '400.000001' }
    const answer = { amount: 300, quota: 300, rate: '0.03', unitLabel: 'GB', currency: 'usd' }
    expect(await calculateProduct(harness.deps, harness.userid, asked)).toEqual(answer)
    harness.script.flow('cloud_traffic', after(days), 400)
    await harness.runUntil(end)
    expect(await harness.bills()).toMatchObject([{ total: 150, amount: 300 }])
  })
})
