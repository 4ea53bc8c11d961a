import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type CatalogCoupon, Coupon } from '../../catalog/index.ts'

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
  ends_at: Date | null
  /** Id of the invoice that uses one that is used once. */
  used_by: string | null
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
  endsAt: Date | null
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

export async function insertRedemption(
  trx: Trx,
  userid: string,
  { coupon, redeemedAt, endsAt }: Redemption,
): Promise<void> {
  await trx
    .insertInto('coupon_redemptions')
    .values({
      userid,
      code: coupon.code,
      terms: JSON.stringify(coupon),
      redeemed_at: redeemedAt,
      ends_at: endsAt,
      used_by: null,
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

/** A coupon that an account redeemed, used up or not. */
export async function findRedemption(db: Db, userid: string, code: string): Promise<Redemption | undefined> {
  const row = await db
    .selectFrom('coupon_redemptions')
    .select(['terms', 'redeemed_at', 'ends_at'])
    .where('userid', '=', userid)
    .where('code', '=', code)
    .executeTakeFirst()
  return row && redemptionOf(row)
}

/** What an account may use on an invoice, the first redeemed first: not what an invoice uses up, or has used. */
export async function listUsable(db: Db, userid: string): Promise<Redemption[]> {
  const rows = await db
    .selectFrom('coupon_redemptions')
    .select(['terms', 'redeemed_at', 'ends_at'])
    .where('userid', '=', userid)
    .where('used_by', 'is', null)
    .orderBy('redeemed_at')
    .orderBy('code')
    .execute()
  return rows.map(redemptionOf)
}

function redemptionOf(row: Pick<CouponRedemptionsTable, 'terms' | 'redeemed_at' | 'ends_at'>): Redemption {
  return { coupon: Coupon.parse(JSON.parse(row.terms)), redeemedAt: row.redeemed_at, endsAt: row.ends_at }
}

/** Uses up a coupon of `once` for an invoice. Others stay usable. Needs the account's lock. */
export async function useCoupon(trx: Trx, userid: string, code: string, invoiceId: string): Promise<void> {
  await trx
    .updateTable('coupon_redemptions')
    .set({ used_by: invoiceId })
    .where('userid', '=', userid)
    .where('code', '=', code)
    .where(sql<string>`terms::json ->> 'duration'`, '=', 'once')
    .execute()
}

/** Gives back what a void invoice used up. */
export async function freeCoupon(trx: Trx, invoiceId: string): Promise<void> {
  await trx.updateTable('coupon_redemptions').set({ used_by: null }).where('used_by', '=', invoiceId).execute()
}
