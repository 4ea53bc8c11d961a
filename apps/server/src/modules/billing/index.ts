/**
 * Billing: what is sold, charged, paid and given back. Clusters ask it in their own transactions, with the account locked
 * first; it writes no cluster and has those woken whose money changed.
 */
import type { Currency } from '@atoll/money'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Limits } from '../accounts/index.ts'
import type { OrderDeps } from './billing-deps.ts'
import type { CouponDeps } from './coupons/redeem-coupon.ts'
import { giveItemTo } from './documents/subscription-store.ts'
import { type Estimate, type EstimateOrder, estimateOrder } from './estimate/estimate-order.ts'
import type { EstimateDeps } from './estimate/estimate-service.ts'
import type { Method } from './orders/begin-payment.ts'
import { lapseOrder } from './orders/lapse-order.ts'
import { payInvoice } from './orders/pay-invoice.ts'
import { type Order, type Ordered, placeOrder } from './orders/place-order.ts'
import { estimateRefund, type RefundOrder, refund } from './orders/refund.ts'
import { type Settlement, settlePayment } from './orders/settle.ts'
import type { PricedRefund } from './pricing/price-refund.ts'
import { couponRedeemRoute } from './routes/coupon-redeem.ts'
import { estimateAmountRoute } from './routes/estimate-amount.ts'

export { type BadDocument, verifyDocuments } from './documents/verify-documents.ts'

export type BillingDeps = CouponDeps & EstimateDeps & OrderDeps

export interface Billing {
  routes: Route[]
  /** What an order of these machines costs at that instant. */
  estimate(db: Db, market: Pick<Limits, 'currency' | 'zone'>, order: EstimateOrder): Promise<Estimate>
  order(trx: Trx, order: Order): Promise<Ordered>
  /** Undefined for an invoice that is closed. */
  pay(
    trx: Trx,
    attempt: { userid: string; invoiceId: string; at: Date; method: Method | null },
  ): Promise<{ paymentId: string; paid: boolean } | undefined>
  /** A payment succeeded, at the gateway or without it. */
  settle(trx: Trx, settlement: Settlement): Promise<void>
  /** False where it cannot be taken back now. */
  lapse(trx: Trx, order: { userid: string; invoiceId: string; at: Date }): Promise<boolean>
  estimateRefund(db: Db, order: RefundOrder, currency: Currency): Promise<PricedRefund>
  refund(trx: Trx, order: RefundOrder): Promise<PricedRefund>
  /** A repaired machine's item goes to the machine that takes its place. */
  moveItem(trx: Trx, from: string, to: string): Promise<void>
}

export function createBilling(deps: BillingDeps): Billing {
  return {
    routes: [couponRedeemRoute(deps), estimateAmountRoute(deps)],
    estimate: estimateOrder,
    order: (trx, order) => placeOrder(deps, trx, order),
    pay: (trx, attempt) => payInvoice(deps, trx, attempt),
    settle: (trx, settlement) => settlePayment(deps, trx, settlement),
    lapse: (trx, order) => lapseOrder(deps, trx, order),
    estimateRefund,
    refund: (trx, order) => refund(deps, trx, order),
    moveItem: giveItemTo,
  }
}
