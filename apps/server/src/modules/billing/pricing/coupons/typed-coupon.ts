import type { Db, Trx } from '../../../../platform/db/index.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { listUsable, type Redemption } from '../../records/coupon-store.ts'
import { type CouponDeps, type CouponRequest, requireRedeemable, takeCoupon } from './redeem-coupon.ts'

/** A coupon that is typed with an order; none, or one that the account can use already, adds nothing. */
type TypedCoupon = Omit<CouponRequest, 'code'> & { code: string | undefined }

/** The account's usable redemptions for an invoice, including the entered coupon as if it were redeemed. */
export async function listUsableWith(
  deps: Pick<CouponDeps, 'catalog' | 'clock'>,
  db: Db,
  { code, ...request }: TypedCoupon,
): Promise<Redemption[]> {
  const usable = await listUsable(db, request.userid)
  if (code === undefined || holds(usable, code)) return usable
  return [...usable, await requireRedeemable(deps, db, { ...request, code })]
}

/** Redeems the coupon that is typed with an order, in its transaction; false where it can no longer be used. */
export async function redeemTyped(
  deps: Pick<CouponDeps, 'catalog' | 'clock'>,
  trx: Trx,
  { code, ...request }: TypedCoupon,
): Promise<boolean> {
  if (code === undefined || holds(await listUsable(trx, request.userid), code)) return true
  try {
    await takeCoupon(deps, trx, { ...request, code })
    return true
  } catch (error) {
    // Nothing was written for one that is refused.
    if (error instanceof Refusal && error.key.startsWith('coupon')) return false
    throw error
  }
}

function holds(usable: readonly Redemption[], code: string): boolean {
  return usable.some(({ coupon }) => coupon.code === code.toUpperCase())
}
