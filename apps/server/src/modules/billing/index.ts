/**
 * Billing: what is sold, charged, paid and given back. Clusters ask it in their own transactions, with the account
 * locked first; it writes no cluster and has those woken whose money changed.
 */
import type { CustomerInfo, Notice, PlanUsage } from '@atoll/contract/billing'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { Limits } from '../accounts/index.ts'
import type { AttemptDeps } from './attempts/attempt-deps.ts'
import { paymentReconcile } from './attempts/payment-reconcile.ts'
import { paymentsWake } from './attempts/payments-wake.ts'
import { cardRefund } from './card-refunds/send-card-refund.ts'
import type { CouponDeps } from './coupons/redeem-coupon.ts'
import { giveItemTo } from './documents/subscription-store.ts'
import type { EstimateDeps } from './estimate/estimate-service.ts'
import { billingWarnAccount, billingWarnings, checkUsageSoon, type WarningDeps } from './mails/warning-mails.ts'
import { showNotices } from './notices/notify-of-usage.ts'
import { type LapsedOrder, lapseOrder } from './orders/lapse-order.ts'
import { awaitOrder, type OrderOutcome, readOutcome } from './orders/order-outcome.ts'
import { type Attempt, type Attempted, payInvoice } from './orders/pay-invoice.ts'
import { type Order, type Ordered, placeOrder } from './orders/place-order.ts'
import { refund } from './orders/refund.ts'
import type { RefundOrder } from './orders/refundable-lines.ts'
import { type Sale, sellInstances } from './orders/sell-instances.ts'
import { type PlanListDeps, showPeriod } from './plans/list-plans.ts'
import type { PricedRefund } from './pricing/price-refund.ts'
import { type EndOrder, endInstances } from './refunds/end-instances.ts'
import type { RefundDeps } from './refunds/estimate-refund.ts'
import { billingReadRoutes } from './routes/billing-reads.ts'
import { orderRoutes } from './routes/order-routes.ts'
import { planRoutes } from './routes/plan-routes.ts'
import { timeRoutes } from './routes/time-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'
import { readStandings, type Standings } from './standings/standings.ts'
import { findSubscribed, findUnpaidInvoice, wasCanceled } from './standings/unpaid-orders.ts'
import { billingAccount, billingDue } from './time/due-jobs.ts'
import { dueRunners } from './time/due-runners.ts'
import { billingTravel } from './travel/travel-job.ts'
import { readBackupQuota } from './usage/backup-quota.ts'
import { type ClusterParts, readClusterParts } from './usage/cluster-usage.ts'
import type { CapDeps } from './usage/set-cap.ts'
import { listUsage } from './usage/show-usage.ts'
import { readTrafficRoom, type TrafficRoom } from './usage/traffic-room.ts'
import { getCustomerInfo } from './views/customer-info.ts'
import type { ReadDeps } from './views/read-deps.ts'

export { enqueueAttempt } from './attempts/attempt-queue.ts'
export { cancelingPayments } from './attempts/payment-under-way.ts'
export { countBills } from './documents/count-bills.ts'
export { GatewaySilent, verifyCaptures } from './documents/verify-captures.ts'
export { verifyDocuments } from './documents/verify-documents.ts'
export { isUsageStopped } from './notices/notice-store.ts'
export { creditAccount } from './operator/credit-account.ts'
export { refundPayment } from './operator/refund-payment.ts'
export { isPastDue } from './renewals/dunning-store.ts'
export { retryOwed } from './renewals/retry-owed.ts'
export { invoiceExportPlugin, invoicePdfPlugin } from './routes/invoice-files-plugin.ts'
export { statementPlugin } from './routes/statement-plugin.ts'
export { overdueBillOf } from './standings/overdue-bill.ts'
export { allClear, type Standing } from './standings/standings.ts'
export { type UnpaidOrder, unpaidOrdersOf } from './standings/unpaid-orders.ts'
export { countParked, listParked, unparkAccount } from './time/parked-accounts.ts'
export type { Meters, Reading } from './usage/meters.ts'
export type { TrafficRoom } from './usage/traffic-room.ts'
export { instancePriceOf } from './views/instance-price.ts'

export type BillingDeps = AttemptDeps &
  CapDeps &
  CouponDeps &
  EstimateDeps &
  PlanListDeps &
  ReadDeps &
  RefundDeps &
  WarningDeps

export interface Billing {
  routes: Route[]
  jobs: Job[]
  /** What the account pays in, has and owes: what the call of that name answers. */
  getCustomerInfo(userid: string): Promise<CustomerInfo>
  /** The period of its plan, seconds: what `subscription/period` answers. */
  getPlanPeriod(userid: string): Promise<{ periodStart: number; periodEnd: number }>
  order(trx: Trx, order: Order): Promise<Ordered>
  /** Undefined for an invoice that is closed, or whose time to be paid is over. */
  pay(trx: Trx, attempt: Attempt): Promise<Attempted | undefined>
  /** Orders at the figure that the customer was shown; refuses one that does not hold any more, with the new one. */
  sell(trx: Trx, sale: Sale): Promise<Ordered>
  /** What became of an order so far, by its invoice. */
  outcome(db: Db, userid: string, invoiceId: string): Promise<OrderOutcome>
  /** Until its payment has ended or its customer is asked, or for 10 s; for after the order's transaction. */
  awaitOrder(userid: string, invoiceId: string): Promise<void>
  /** How the instances of a cluster stand; decided by only under the account's lock. */
  standings(db: Db, clusterId: string): Promise<Standings>
  /** The open invoice by which an instance was ordered; undefined where none waits to be paid. */
  findUnpaidInvoice(db: Db, instanceId: string): Promise<string | undefined>
  /** What an account's subscription is for, null for its plan; undefined for another account's. */
  findSubscribed(db: Db, userid: string, subscriptionId: string): Promise<{ clusterId: string | null } | undefined>
  /** False where it cannot be taken back now; what a card may yet pay lapses by itself when that payment has ended. */
  lapse(trx: Trx, order: LapsedOrder): Promise<boolean>
  /** Whether the last order of an instance was taken back by its owner; else it lapsed by itself. */
  wasCanceled(db: Db, instanceId: string): Promise<boolean>
  refund(trx: Trx, order: RefundOrder): Promise<PricedRefund>
  /** Ends instances that somebody destroys; false, and nothing done, where what was shown of it holds no more. */
  endInstances(trx: Trx, order: EndOrder): Promise<boolean>
  /** A repaired instance's item goes to the instance that takes its place. */
  moveItem(trx: Trx, from: string, to: string): Promise<void>
  trafficRoom(db: Db, userid: string): Promise<TrafficRoom>
  /** Notices about its plan's quotas. */
  notices(db: Db, userid: string): Promise<Notice[]>
  /** Has its usage checked soon: whether it is limited changed. */
  checkUsageSoon(trx: Trx, userid: string): Promise<void>
  /** What was used in the running period: what the call of that name answers. */
  planUsage(userid: string): Promise<PlanUsage[]>
  /** What a cluster used in the running period, of what `plan/usage` answers. */
  clusterParts(db: Db, cluster: { owner: string; clusterId: string }): Promise<ClusterParts>
  /** Bytes of backups that an account may keep now; null: more is charged. */
  backupQuota(db: Db, userid: string): Promise<number | null>
}

export function createBilling(deps: BillingDeps): Billing {
  const runners = dueRunners(deps)
  return {
    routes: [
      ...orderRoutes(deps),
      ...planRoutes(deps),
      ...timeRoutes(deps),
      ...billingReadRoutes(deps),
      ...usageRoutes(deps),
    ],
    jobs: [
      billingDue(deps),
      billingAccount(deps, runners),
      billingTravel(deps, runners),
      billingWarnings(deps),
      billingWarnAccount(deps),
      paymentReconcile(deps),
      paymentsWake(deps),
      cardRefund(deps),
    ],
    getCustomerInfo: (userid) => getCustomerInfo(deps, userid),
    getPlanPeriod: (userid) => showPeriod(deps, userid),
    order: (trx, order) => placeOrder(deps, trx, order),
    sell: (trx, sale) => sellInstances(deps, trx, sale),
    outcome: readOutcome,
    awaitOrder: (userid, invoiceId) => awaitOrder(deps, userid, invoiceId),
    standings: readStandings,
    findUnpaidInvoice,
    wasCanceled,
    findSubscribed,
    pay: (trx, attempt) => payInvoice(deps, trx, attempt),
    lapse: (trx, order) => lapseOrder(deps, trx, order),
    refund: (trx, order) => refund(deps, trx, order),
    endInstances: (trx, order) => endInstances(deps, trx, order),
    moveItem: giveItemTo,
    planUsage: (userid) => listUsage(deps, userid),
    clusterParts: (db, cluster) => readClusterParts(deps, db, cluster),
    notices: (db, userid) => showNotices(deps, db, userid),
    checkUsageSoon,
    trafficRoom: (db, userid) => readTrafficRoom(deps, db, userid),
    backupQuota: (db, userid) => readBackupQuota(deps, db, userid),
  }
}
