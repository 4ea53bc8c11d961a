/** A period that is over, whose bill waits for its meters when what is owed comes to what its means cover. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { CatalogCoupon } from '../../catalog/index.ts'
import { insertRedemption, listUsable } from '../records/coupon-store.ts'
import { openCreditHarness } from '../testing/credit-harness.ts'
import { after, days, end, hours, start } from '../testing/usage-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: Awaited<ReturnType<typeof openCreditHarness>>

beforeEach(async () => {
  harness = await openCreditHarness(database, clock)
  // A card that has paid: what was used is charged, whatever it comes to.
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  // 18.00 above the quota; the meters have not spoken for all of the period when it is over.
  harness.script.flow('cloud_traffic', after(days), 900)
  harness.script.beSilentUntil(new Date(end.getTime() + 3 * hours))
})

const coupon = (more: Partial<CatalogCoupon>): CatalogCoupon => {
  return { code: 'USE50', percentOff: 50, duration: 'once', appliesTo: ['usage'], ...more }
}
async function redeem(one: CatalogCoupon): Promise<void> {
  await database.pool.query('insert into coupons (code, redeemed) values ($1, 1) on conflict do nothing', [one.code])
  await harness.transact((trx) => insertRedemption(trx, harness.userid, { coupon: one, redeemedAt: start }))
}
/** The limit is reached half an hour into the next period. */
async function reachLimit(): Promise<void> {
  await harness.runUntil(new Date(end.getTime() + hours / 2))
  harness.script.flow('cloud_traffic', clock.now(), 600)
  clock.advance(60_000)
  await harness.check()
}
const lines = async () =>
  (
    await database.pool.query(
      `select period_start as at, amount_minor as amount, line.discount_minor as discount,
          explain::json -> 'correction' as correction
        from invoice_items line join invoices on invoices.id = invoice_id
        where line.userid = $1 and revenue = 'usage' order by issued_at, number, line`,
      [harness.userid],
    )
  ).rows

test.each([
  ['once', coupon({})],
  ['for a month', coupon({ code: 'MONTH50', duration: 'repeating', months: 1 })],
])('is billed with it, by a coupon that is used %s and as no correction', async (_, one) => {
  await redeem(one)
  await reachLimit()
  const isMonth = one.duration === 'repeating'
  expect(await lines()).toEqual([
    { at: start, amount: 1800, discount: 900, correction: null },
    { at: end, amount: 900, discount: isMonth ? 0 : 450, correction: null },
  ])
  await harness.answer('pay')
  await harness.runUntil(new Date(end.getTime() + 4 * hours))
  expect(await lines()).toHaveLength(2)
  expect((await listUsable(database.db, harness.userid)).map((left) => left.coupon.code)).toEqual(
    isMonth ? [one.code] : [],
  )
  await harness.expectProvable()
})

test.each(['', ', though another plan has begun'])(
  'of a plan that has ended is billed before the last card goes, and charged to it%s',
  async (more) => {
    await harness.change(0)
    await harness.runUntil(new Date(end.getTime() + hours / 2))
    if (more) {
      await harness.credit(300)
      await harness.change(1)
    }
    expect(await lines()).toEqual([])
    await harness.transact((trx) => harness.billing.beforeLastCard(trx, harness.userid))
    expect(await lines()).toMatchObject([{ at: start, amount: 1800, correction: null }])
    const { rows } = await database.pool.query(
      "select method_id, card_minor from payments where userid = $1 and state = 'created'",
      [harness.userid],
    )
    expect(rows).toEqual([{ method_id: harness.card()?.id, card_minor: 1800 }])
    await harness.answer('pay')
    await harness.transact((trx) => harness.billing.beforeLastCard(trx, harness.userid))
    await harness.runUntil(new Date(end.getTime() + 4 * hours))
    expect(await lines()).toHaveLength(1)
    await harness.expectProvable()
  },
)
