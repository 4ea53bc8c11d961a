import { couponRedeem } from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { type CouponDeps, redeemCoupon } from '../coupons/redeem-coupon.ts'

export function couponRedeemRoute(deps: CouponDeps): Route {
  return implement(couponRedeem, (body, { account }) => redeemCoupon(deps, account, body))
}
