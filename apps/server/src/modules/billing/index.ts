/** Billing: what is charged, when and why. Money itself moves in the ledger; clusters ask, and billing writes none of them. */
import type { Route } from '../../http/route.ts'
import type { CouponDeps } from './coupons/redeem-coupon.ts'
import { couponRedeemRoute } from './routes/coupon-redeem.ts'

export type BillingDeps = CouponDeps

export interface Billing {
  routes: Route[]
}

export function createBilling(deps: BillingDeps): Billing {
  return { routes: [couponRedeemRoute(deps)] }
}
