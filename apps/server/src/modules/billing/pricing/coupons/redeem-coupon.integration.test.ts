import { createScriptedWallet, createTestClock } from '@atoll/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { createAccounts } from '../../../accounts/index.ts'
import { makeAccount } from '../../../accounts/testing/make-account.ts'
import { parseCatalog } from '../../../catalog/index.ts'
import { fixedCatalog } from '../../../catalog/testing/fixed-catalog.ts'
import { createIdentity } from '../../../identity/index.ts'
import { listUsable } from '../../records/coupon-store.ts'
import { couponFacts } from './coupon-facts.ts'
import { type CouponDeps, redeemCoupon } from './redeem-coupon.ts'

const catalogWith = (coupons: string) =>
  fixedCatalog(
    parseCatalog(
      `
clouds:
  - cloudName: bay
    driver: process
    title: Bay
    regions: [{ regionId: bay, title: Bay, place: Bay }]
    offerings: [{ name: bay-4, title: Bay 4, cpuCoreCount: 4, memoryMiB: 512, diskMiB: 1024, price: { usd: 1440 } }]
versions:
  - { version: 1.0.0, title: One, summary: One, image: agent, steps: [prepare] }
coupons:
${coupons}
`,
      'test-catalog.yaml',
    ),
  )
const coupons = `
  - { code: REEF10, percentOff: 10, duration: forever, appliesTo: [instance], redeemBy: 2027-01-31 }
  - { code: FIRST5, amountOff: { usd: 500 }, duration: once }
  - { code: SPRING, percentOff: 50, duration: repeating, months: 1 }
  - { code: LAST, percentOff: 10, duration: once, maxRedemptions: 3 }
`

const clock = createTestClock(new Date('2027-01-31T12:00:00Z'))
const database = useDatabase({ max: 20 })
let deps: CouponDeps

beforeAll(async () => {
  const { db } = database
  const accounts = createAccounts({
    db,
    clock,
    identity: createIdentity({ db, clock, config: { nameDomains: ['atoll.test'], product: 'Atoll' } }),
    sealer: createSealer(Buffer.alloc(32, 7)),
    mail: { post: async () => 'ml_none', findState: async () => undefined },
    quotaOfPlan: () => 0,
    isAccessLimited: async () => false,
    config: {
      sessionMs: 1000,
      canCreateCluster: true,
      product: 'Atoll',
      publicUrl: 'http://localhost:4800',
      chinaUrl: 'http://localhost:4800',
      walletUrl: 'http://localhost:4801',
      requireMatchNumber: false,
    },
  })
  deps = { db, clock, accounts, catalog: catalogWith(coupons) }
})

async function newCaller(
  market: { currency: 'usd' | 'cny'; zone: 'UTC' | 'UTC+8' } = { currency: 'usd', zone: 'UTC' },
) {
  const { userid, did } = await makeAccount(database.db, { ...market, created_at: clock.now() })
  return { userid, did, sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1', expiresAt: clock.now() }
}

async function keyOf(redeeming: Promise<unknown>): Promise<string> {
  return await redeeming.then(
    () => 'redeemed',
    (error) => (error instanceof Refusal ? error.key : Promise.reject(error)),
  )
}
const codesOf = async (userid: string) => (await listUsable(database.db, userid)).map(({ coupon }) => coupon.code)

describe('a coupon', () => {
  test('is redeemed by its code in any case, once for an account, and listed with what it takes', async () => {
    const caller = await newCaller()
    expect(await redeemCoupon(deps, caller, { code: 'reef10' })).toEqual({
      coupon: { code: 'REEF10', percentOff: 10, duration: 'forever', appliesTo: ['instance'], redeemBy: '2027-01-31' },
    })
    expect(await keyOf(redeemCoupon(deps, caller, { code: 'REEF10' }))).toBe('couponRedeemed')
    expect(await codesOf(caller.userid)).toEqual(['REEF10'])
    const records = await database.db
      .selectFrom('audit_entries')
      .select(['action', 'object_id'])
      .where('owner', '=', caller.did)
      .execute()
    expect(records).toEqual([{ action: 'coupon.redeem', object_id: 'REEF10' }])
  })

  test('asked for again under the same key is redeemed once and answered alike', async () => {
    const caller = await newCaller()
    const request = { code: 'FIRST5', requestId: 'request-1' }
    const first = await redeemCoupon(deps, caller, request)
    expect(await redeemCoupon(deps, caller, request)).toEqual(first)
  })

  test('that nobody offers, of another currency, or past its last day in the account’s zone is refused', async () => {
    expect(await keyOf(redeemCoupon(deps, await newCaller(), { code: 'NONE' }))).toBe('couponUnknown')
    const inChina = await newCaller({ currency: 'cny', zone: 'UTC+8' })
    expect(await keyOf(redeemCoupon(deps, inChina, { code: 'FIRST5' }))).toBe('couponOtherCurrency')
    // 1 February in UTC+8, still 31 January in UTC.
    const later = { ...deps, clock: createTestClock(new Date('2027-01-31T16:00:00Z')) }
    expect(await keyOf(redeemCoupon(later, inChina, { code: 'REEF10' }))).toBe('couponExpired')
    expect(await keyOf(redeemCoupon(later, await newCaller(), { code: 'REEF10' }))).toBe('redeemed')
  })

  test('repeats for its months, which nothing has begun to count', async () => {
    const caller = await newCaller()
    const { coupon } = await redeemCoupon(deps, caller, { code: 'SPRING' })
    expect(coupon.endsAt).toBeUndefined()
    const [usable] = await listUsable(database.db, caller.userid)
    expect(usable && couponFacts(usable, 'usd')).toEqual({
      code: 'SPRING',
      percentOff: 50,
      appliesTo: ['instance', 'plan', 'usage'],
      months: 1,
      takes: [],
    })
  })

  test('of fifty accounts that redeem the last three at one instant, three have it', async () => {
    const callers = await Promise.all(Array.from({ length: 50 }, () => newCaller()))
    const outcomes = await Promise.all(callers.map((caller) => keyOf(redeemCoupon(deps, caller, { code: 'LAST' }))))
    expect(outcomes.filter((outcome) => outcome === 'redeemed')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === 'couponExhausted')).toHaveLength(47)
  })

  test('stays what it was for who redeemed it when the catalogue changes it or leaves it out', async () => {
    const caller = await newCaller()
    await redeemCoupon(deps, caller, { code: 'REEF10' })
    const changed = { ...deps, catalog: catalogWith('  - { code: REEF10, percentOff: 5, duration: once }') }
    expect((await listUsable(changed.db, caller.userid))[0]?.coupon).toMatchObject({
      percentOff: 10,
      duration: 'forever',
    })
    const { coupon } = await redeemCoupon(changed, await newCaller(), { code: 'REEF10' })
    expect(coupon).toMatchObject({ percentOff: 5, duration: 'once' })
  })
})
