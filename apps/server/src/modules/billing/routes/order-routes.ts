import {
  couponRedeem,
  currentPaymentInfo,
  getEstimatedAmount,
  getEstimatedRefundAmount,
  paymentPay,
} from '@atoll/contract/billing'
import { implement, type Route } from '../../../http/route.ts'
import { type CouponDeps, redeemCoupon } from '../pricing/coupons/redeem-coupon.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import { estimateJson } from '../sell/estimate-json.ts'
import { estimateRefundOf, type RefundDeps } from '../sell/estimate-refund.ts'
import { type EstimateDeps, estimateAmount } from '../sell/estimate-service.ts'
import { pay } from '../sell/pay-service.ts'
import { refundJson } from '../sell/refund-json.ts'
import { showPaymentInfo } from './payment-info.ts'

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
