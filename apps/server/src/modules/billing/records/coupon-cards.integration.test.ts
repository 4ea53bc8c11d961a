/** Coupons that are one per card, and those that leave nothing to pay: identities are free, cards are not. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { CatalogCoupon } from '../../catalog/index.ts'
import { payInvoice } from '../pay/bills/pay-invoice.ts'
import { redeemCoupon } from '../pricing/coupons/redeem-coupon.ts'
import { typedOrders } from '../pricing/coupons/testing/typed-orders.ts'
import { openHarness } from '../testing/billing-harness.ts'
import { refusalOf } from '../testing/plan-harness.ts'
import { catalogOf } from '../testing/test-plans.ts'
import { listUsable } from './coupon-store.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
const coupon = (code: string, more: Partial<CatalogCoupon> = {}): CatalogCoupon => ({
  code,
  percentOff: 50,
  duration: 'once',
  appliesTo: ['instance'],
  ...more,
})
const coupons = [
  coupon('HALF'),
  coupon('SPRING', { duration: 'repeating', months: 3 }),
  coupon('EVER', { duration: 'forever' }),
  coupon('ALL', { percentOff: 100 }),
  coupon('GIFT', { percentOff: 100, needsCard: false }),
]
const { cloud, order, estimate } = typedOrders
const catalog = catalogOf([], { clouds: [cloud], coupons })

beforeEach(() => clock.set(start))

async function newcomer() {
  const one: { card: { id: string; gateway: string } | null } = { card: null }
  const harness = await openHarness(database, { clock, catalog, findMethod: async () => one.card })
  const caller = {
    userid: harness.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    ip: '127.0.0.1',
  }
  return {
    ...harness,
    order: (code?: string) => order(harness, code),
    estimate: (code?: string) => estimate(harness, code),
    redeem: (code: string) => redeemCoupon(harness.deps, caller, { code }),
    usable: async () => (await listUsable(database.db, harness.userid)).map((one) => one.coupon.code),
    /** A card whose number has this fingerprint. */
    async addCard(fingerprint: string) {
      one.card = { id: await harness.keepCard(), gateway: 'sandbox' }
      await database.pool.query('update payment_methods set fingerprint = $2 where id = $1', [one.card.id, fingerprint])
      return one.card
    },
  }
}

test.each(['HALF', 'SPRING'])(
  '%s is one per card: another account with that card can neither redeem nor use it',
  async (code) => {
    const [first, second, third] = [await newcomer(), await newcomer(), await newcomer()]
    await first.addCard('a')
    await first.order(code)
    await second.addCard('a')
    expect(await refusalOf(second.redeem(code))).toBe('couponCardUsed')
    expect(await refusalOf(second.order(code))).toBe('couponGone')
    // Redeemed before the card came.
    await third.redeem(code)
    expect(await third.usable()).toEqual([code])
    await third.addCard('a')
    expect(await third.usable()).toEqual([])
    expect(await third.order()).toMatchObject({ amount: { minor: 1440 } })
    await third.addCard('b')
    await database.pool.query("update payment_methods set removed_at = now() where userid = $1 and fingerprint = 'a'", [
      third.userid,
    ])
    expect(await third.usable()).toEqual([code])
  },
)

test('one that is for ever is for every account', async () => {
  const [first, second] = [await newcomer(), await newcomer()]
  await first.addCard('a')
  await first.order('EVER')
  await second.addCard('a')
  expect(await second.order('EVER')).toMatchObject({ amount: { minor: 720 } })
})

test('an order that was reduced is not paid by a card that another account used the coupon with', async () => {
  const [first, second] = [await newcomer(), await newcomer()]
  await first.addCard('d')
  await first.order('HALF')
  const { invoiceId } = await second.order('HALF')
  const pay = (method: { id: string; gateway: string }) =>
    second.transact((trx) =>
      payInvoice(second.deps, trx, { userid: second.userid, invoiceId: invoiceId ?? '', at: clock.now(), method }),
    )
  expect(await refusalOf(pay(await second.addCard('d')))).toBe('couponCardUsed')
  expect(await pay(await second.addCard('e'))).toMatchObject({ isNew: true })
})

test('of two orders at once with cards of the same number one uses it', async () => {
  const [first, second] = [await newcomer(), await newcomer()]
  await first.addCard('f')
  await second.addCard('f')
  await first.redeem('HALF')
  await second.redeem('HALF')
  const commit = Promise.withResolvers<void>()
  const ordered = Promise.withResolvers<void>()
  const firsts = first.transact(async (trx) => {
    const sold = await typedOrders.orderIn(first, trx)
    ordered.resolve()
    await commit.promise
    return sold
  })
  await Promise.race([ordered.promise, firsts])
  const seconds = refusalOf(second.order())
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query<{ waits: boolean }>(
        `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%coupon%') as waits`,
      )
      return rows[0]?.waits
    })
    .toBe(true)
  commit.resolve()
  expect(await firsts).toMatchObject({ amount: { minor: 720 } })
  expect(await seconds).toBe('couponCardUsed')
})

test('one that leaves nothing to pay needs a card on file, unless the catalogue says otherwise', async () => {
  const [first, second] = [await newcomer(), await newcomer()]
  expect(await refusalOf(first.estimate('ALL'))).toBe('couponNeedsCard')
  expect(await refusalOf(first.order('ALL'))).toBe('couponNeedsCard')
  expect(await second.order('GIFT')).toMatchObject({ amount: { minor: 0 }, paid: true })
  // Redeemed before, it is not taken until there is a card.
  await first.redeem('ALL')
  expect((await first.estimate()).estimate.basket.total.minor).toBe(1440)
  await first.addCard('c')
  expect(await first.order()).toMatchObject({ amount: { minor: 0 }, paid: true })
  const third = await newcomer()
  await third.addCard('c')
  expect(await refusalOf(third.redeem('ALL'))).toBe('couponCardUsed')
})
