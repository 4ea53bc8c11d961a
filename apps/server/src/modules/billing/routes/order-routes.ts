import {
  couponRedeem,
  currentPaymentInfo,
  getEstimatedAmount,
  getEstimatedRefundAmount,
  paymentPay,
} from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import type { AttemptDeps } from '../attempts/attempt-deps.ts'
import { pay } from '../attempts/pay-service.ts'
import { showPaymentInfo } from '../attempts/payment-info.ts'
import { type CouponDeps, redeemCoupon } from '../coupons/redeem-coupon.ts'
import { estimateJson } from '../estimate/estimate-json.ts'
import { type EstimateDeps, estimateAmount } from '../estimate/estimate-service.ts'
import { estimateRefundOf, type RefundDeps } from '../refunds/estimate-refund.ts'
import { refundJson } from '../refunds/refund-json.ts'

/** Calls before an order and after it: what it costs or brings back, what takes from it, paying it. */
export function orderRoutes(deps: AttemptDeps & CouponDeps & EstimateDeps & RefundDeps): Route[] {
  return [
    implement(couponRedeem, (body, { account }) => redeemCoupon(deps, account, body)),
    implement(getEstimatedAmount, async (body, { account, locale }) =>
      estimateJson(await estimateAmount(deps, account.userid, body), locale),
    ),
    implement(getEstimatedRefundAmount, async (body, { account, locale }) =>
      refundJson(await estimateRefundOf(deps, account.userid, body), locale),
    ),
    implement(paymentPay, (body, { account, locale }) => pay(deps, account, body, locale)),
    implement(currentPaymentInfo, ({ invoiceId }, { account, locale }) =>
      showPaymentInfo(deps, account.userid, invoiceId, locale),
    ),
  ]
}
