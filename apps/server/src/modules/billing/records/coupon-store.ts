import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type CatalogCoupon, Coupon } from '../../catalog/index.ts'
import { hasCardOnFile } from '../../payments/index.ts'
import { usedWithCard } from './coupon-cards.ts'
import { type CouponUse, couponUse, type UseRow, usesOf } from './coupon-uses.ts'

interface CouponsTable {
  code: string
  /** How often. */
  redeemed: number
}
interface CouponRedemptionsTable {
  userid: string
  code: string
  /** The catalogue's coupon as it was, JSON. */
  terms: string
  redeemed_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    coupons: CouponsTable
    coupon_redemptions: CouponRedemptionsTable
  }
}

/** A coupon that an account redeemed, with what it said then. */
export interface Redemption {
  coupon: CatalogCoupon
  redeemedAt: Date
  /** Its discounts so far, oldest first; absent: none. */
  uses?: CouponUse[]
  /** Whether the account has a card on file; absent: that is not known, and not asked. */
  hasCard?: boolean
}

/**
 * Counts one more redemption; false when there were as many as there may be. Of any number at once, none is too many.
 */
export async function countRedemption(trx: Trx, { code, maxRedemptions }: CatalogCoupon): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('coupons')
    .values({ code, redeemed: 1 })
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet({ redeemed: sql`coupons.redeemed + 1` })
        .where((row) => (maxRedemptions === undefined ? row.lit(true) : row('coupons.redeemed', '<', maxRedemptions))),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Whether it was redeemed as often as it may be. */
export async function isExhausted(db: Db, { code, maxRedemptions }: CatalogCoupon): Promise<boolean> {
  if (maxRedemptions === undefined) return false
  const row = await db.selectFrom('coupons').select('redeemed').where('code', '=', code).executeTakeFirst()
  return (row?.redeemed ?? 0) >= maxRedemptions
}

export async function insertRedemption(trx: Trx, userid: string, { coupon, redeemedAt }: Redemption): Promise<void> {
  await trx
    .insertInto('coupon_redemptions')
    .values({
      userid,
      code: coupon.code,
      terms: JSON.stringify(coupon),
      redeemed_at: redeemedAt,
    })
    .execute()
}

export async function hasRedeemed(db: Db, userid: string, code: string): Promise<boolean> {
  const row = await db
    .selectFrom('coupon_redemptions')
    .select('code')
    .where('userid', '=', userid)
    .where('code', '=', code)
    .executeTakeFirst()
  return row !== undefined
}

/** A coupon that an account redeemed, used up or not; without what `invoiceId` uses of it. */
export async function findRedemption(
  db: Db,
  userid: string,
  { code, but: invoiceId }: { code: string; but: string },
): Promise<Redemption | undefined> {
  const row = await db
    .selectFrom('coupon_redemptions as redemption')
    .select(['terms', 'redeemed_at', usesOf(invoiceId).as('uses')])
    .where('userid', '=', userid)
    .where('code', '=', code)
    .executeTakeFirst()
  return row && redemptionOf(row)
}

/**
 * Redemptions that an account may use on an invoice, oldest first; without coupons of `once` that were used, and those
 * that another account used with the same card.
 */
export async function listUsable(db: Db, userid: string): Promise<Redemption[]> {
  const rows = await db
    .selectFrom('coupon_redemptions as redemption')
    .select(['terms', 'redeemed_at', usesOf().as('uses'), hasCardOnFile(sql.ref('redemption.userid')).as('hasCard')])
    .where('userid', '=', userid)
    .where(({ not }) => not(usedWithCard))
    .orderBy('redeemed_at')
    .orderBy('code')
    .execute()
  return rows
    .filter(({ terms, uses }) => uses.length === 0 || JSON.parse(terms).duration !== 'once')
    .map(({ hasCard, ...row }) => ({ ...redemptionOf(row), hasCard }))
}

function redemptionOf({
  terms,
  redeemed_at,
  uses,
}: Pick<CouponRedemptionsTable, 'terms' | 'redeemed_at'> & { uses: UseRow[] }): Redemption {
  return { coupon: Coupon.parse(JSON.parse(terms)), redeemedAt: redeemed_at, uses: uses.map(couponUse) }
}
