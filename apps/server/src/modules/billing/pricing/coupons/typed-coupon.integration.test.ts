import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { type CatalogCoupon, type CatalogOffering, termsOfOffering } from '../../../catalog/index.ts'
import { verifyDocuments } from '../../index.ts'
import { estimateAmount } from '../../sell/estimate-service.ts'
import { sellInstances } from '../../sell/sell-instances.ts'
import { type Harness, openHarness } from '../../testing/billing-harness.ts'
import { catalogOf } from '../../testing/test-plans.ts'

const start = new Date('2027-01-31T12:00:00Z')
const bay: CatalogOffering = {
  name: 'bay-4',
  title: { 'en-US': 'Bay 4', 'zh-CN': '海湾 4' },
  price: { usd: 1440 },
  soldOutIn: [],
  cpuCoreCount: 4,
  memoryMiB: 512,
  diskMiB: 1024,
}
const words = { 'en-US': 'Bay', 'zh-CN': '海湾' }
const cloud = {
  cloudName: 'bay',
  driver: 'process' as const,
  title: words,
  offerings: [bay],
  regions: [{ regionId: 'bay', title: words, place: words }],
}
const coupon = (code: string, more: Partial<CatalogCoupon> = {}): CatalogCoupon => ({
  code,
  percentOff: 50,
  duration: 'once',
  appliesTo: ['instance'],
  ...more,
})
let offered: CatalogCoupon[] = []
const catalog = { current: () => catalogOf([], { clouds: [cloud], coupons: offered }).current() }
const clock = createTestClock(start)
const database = useDatabase({ max: 20 })
let harness: Harness

beforeEach(async () => {
  clock.set(start)
  offered = [coupon('HALF')]
  harness = await openHarness(database, { clock, catalog })
})

const request = (couponCode?: string) => ({ kind: 'cluster' as const, offering: 'bay-4', couponCode })
const estimate = (couponCode?: string) => estimateAmount(harness.deps, harness.userid, request(couponCode))
const keyOf = (error: unknown) => (error instanceof Refusal ? error.key : Promise.reject(error))
async function order(couponCode: string | undefined, estimateToken?: string, of = harness) {
  const terms = termsOfOffering('bay', bay, 'usd')
  if (!terms) throw new Error('bay is sold in dollars')
  const clusterId = await of.insertCluster()
  const instances = [{ instanceId: await of.insertInstance(clusterId), terms }]
  const sale = { userid: of.userid, clusterId, instances, request: request(couponCode), estimateToken }
  return await of.transact(async (trx) => {
    const limits = await of.deps.accounts.lockLimits(trx, of.userid)
    return await sellInstances(of.deps, trx, { ...sale, limits })
  })
}
const redeemed = async (code: string) =>
  (await database.pool.query('select redeemed from coupons where code = $1', [code])).rows[0]?.redeemed ?? 0

describe('a coupon that is typed with an order', () => {
  test('is in the estimate, and is redeemed by the order at that figure and not before', async () => {
    offered = [coupon('TYPED')]
    const shown = await estimate('typed')
    expect(shown.estimate.basket).toMatchObject({ total: { minor: 720 }, coupon: { code: 'TYPED' } })
    expect(await redeemed('TYPED')).toBe(0)
    const { amount } = await order('typed', shown.estimateToken)
    expect([amount.minor, await redeemed('TYPED')]).toEqual([720, 1])
    expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
  })

  test('frees its use when the order lapses, and stays redeemed', async () => {
    offered = [coupon('FREED')]
    const { invoiceId } = await order('FREED')
    await expect(estimate('FREED').catch(keyOf)).resolves.toBe('couponRedeemed')
    const { userid } = harness
    await harness.transact((trx) => harness.billing.lapse(trx, { userid, invoiceId: invoiceId ?? '', at: clock.now() }))
    expect((await estimate('FREED')).estimate.basket.total.minor).toBe(720)
    expect((await estimate()).estimate.basket.total.minor).toBe(720)
    await order('FREED')
    expect(await redeemed('FREED')).toBe(1)
  })

  test.each([
    [
      'was left out of the catalogue',
      'couponUnknown',
      () => {
        offered = []
      },
    ],
    [
      'is past its last day',
      'couponExpired',
      () => {
        offered = [coupon('GONE', { redeemBy: '2027-01-30' })]
      },
    ],
    [
      'was redeemed as often as it can be',
      'couponExhausted',
      async () => {
        offered = [coupon('GONE', { maxRedemptions: 1 })]
        await database.pool.query("insert into coupons (code, redeemed) values ('GONE', 1)")
      },
    ],
  ])('and %s since the estimate refuses the order, with what it costs without', async (_, key, happens) => {
    offered = [coupon('GONE')]
    const { estimateToken } = await estimate('GONE')
    await happens()
    const refusal = await order('GONE', estimateToken).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ key: 'couponGone', params: { code: 'GONE', amount: '$14.40' } })
    await expect(estimate('GONE').catch(keyOf)).resolves.toBe(key)
    expect((await estimate()).estimate.basket.total.minor).toBe(1440)
    const { rows } = await database.pool.query('select id from invoices where userid = $1', [harness.userid])
    expect(rows).toEqual([])
  })

  test('is bound to its estimate: a token without it is none for an order with it', async () => {
    offered = [coupon('BOUND')]
    const { estimateToken } = await estimate()
    await expect(order('BOUND', estimateToken).catch(keyOf)).resolves.toBe('estimateChanged')
    expect(await redeemed('BOUND')).toBe(0)
  })

  test('of one redemption is had by one of fifty orders at one instant', async () => {
    offered = [coupon('LAST', { maxRedemptions: 1 })]
    const harnesses = await Promise.all(Array.from({ length: 50 }, () => openHarness(database, { clock, catalog })))
    const outcomes = await Promise.all(
      harnesses.map((one) => order('LAST', undefined, one).then(({ amount }) => amount.minor, keyOf)),
    )
    expect(outcomes.filter((outcome) => outcome === 720)).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'couponGone')).toHaveLength(49)
  })
})
