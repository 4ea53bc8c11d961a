/**
 * Billing: what is sold, charged, paid and given back. Clusters ask it in their own transactions, with the account
 * locked first; it writes no cluster and has those woken whose money changed.
 */
import type { CustomerInfo, Notice, PlanUsage, UsageDaysFilter } from '@atoll/contract/billing'
import type { Money } from '@atoll/money'
import type { Route } from '../../http/route.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { SourceCheck } from '../../platform/sources/index.ts'
import type { OrderDeps } from './billing-deps.ts'
import { dueRunners } from './due/due-runners.ts'
import { billingTravel } from './due/travel-job.ts'
import { disputeAnswers } from './operator/answer-dispute.ts'
import { endSales, quoteClosing } from './operator/close-money.ts'
import { compareCaptures } from './operator/compare-captures.ts'
import { giveTimeBack, type LostTime } from './operator/give-time-back.ts'
import { adoptLost, lostCaptures } from './operator/lost-captures.ts'
import { resolvePayment, writeOffBill } from './operator/unsettled-money.ts'
import { paymentReconcile } from './pay/attempts/payment-reconcile.ts'
import { paymentsWake } from './pay/attempts/payments-wake.ts'
import { type LapsedOrder, lapseOrder } from './pay/bills/lapse-order.ts'
import { awaitOrder, type OrderOutcome, readOutcome } from './pay/bills/order-outcome.ts'
import { type Attempt, type Attempted, payInvoice } from './pay/bills/pay-invoice.ts'
import { refund } from './pay/bills/refund.ts'
import type { RefundOrder } from './pay/credit/refundable-lines.ts'
import { movements, movementsList } from './pay/movements/movements-job.ts'
import { findUndisputed } from './pay/other-card.ts'
import { cardRefund } from './pay/send-card-refund.ts'
import { type CouponDeps, takeCoupon } from './pricing/coupons/redeem-coupon.ts'
import type { PricedRefund } from './pricing/price-refund.ts'
import type { AttemptDeps } from './records/attempt-deps.ts'
import { giveItemTo } from './records/documents/subscription-store.ts'
import { billBeforeLastCard } from './renewals/before-last-card.ts'
import { billingReadRoutes } from './routes/billing-reads.ts'
import { orderRoutes } from './routes/order-routes.ts'
import { planRoutes } from './routes/plan-routes.ts'
import { timeRoutes } from './routes/time-routes.ts'
import { usageRoutes } from './routes/usage-routes.ts'
import { checkUsageSoon } from './schedule/check-usage-soon.ts'
import { billingAccount, billingDue } from './schedule/due-jobs.ts'
import type { DueDeps } from './schedule/due-runner.ts'
import { type EndOrder, endInstances } from './sell/end-instances.ts'
import type { RefundDeps } from './sell/estimate-refund.ts'
import type { EstimateDeps } from './sell/estimate-service.ts'
import { type PlanListDeps, showPeriod } from './sell/list-plans.ts'
import { type Order, type Ordered, placeOrder } from './sell/place-order.ts'
import { type Sale, sellInstances } from './sell/sell-instances.ts'
import { readStandings, type Standings } from './sell/standings.ts'
import { findOrderInvoice, findSubscribed, findUnpaidInvoice, wasCanceled } from './sell/unpaid-orders.ts'
import { readBackupQuota } from './usage/backup-quota.ts'
import { type ClusterParts, readClusterParts } from './usage/cluster-usage.ts'
import { type DaysDeps, listRows, type UsageRow } from './usage/days/show-days.ts'
import { keepUsageCovered } from './usage/keep-usage-covered.ts'
import { showNotices } from './usage/notices/notify-of-usage.ts'
import { billingWarnAccount, billingWarnings, type WarningDeps } from './usage/notices/warning-mails.ts'
import type { CapDeps } from './usage/set-cap.ts'
import { settleUsage } from './usage/settle-usage.ts'
import { listUsage } from './usage/show-usage.ts'
import { readTrafficRoom, type TrafficRoom } from './usage/traffic-room.ts'
import { getCustomerInfo } from './views/customer-info.ts'
import type { ReadDeps } from './views/read-deps.ts'

export { creditNotesIn, invoicesIn, paymentsIn, type Span } from './books/accountant-rows.ts'
export { countWrittenOff, listOverdue, listUnknown, readFailures, readMonths } from './books/money-figures.ts'
export {
  findBrokenBooks,
  findFailedRefunds,
  findLateRefunds,
  findLostCaptures,
  findOpenDisputes,
  findUnknownPayments,
} from './books/open-money.ts'
export { findVerified, verifyBooks, verifyBooksJob } from './books/verify-books.ts'
export { printInvoices } from './invoice-files/all-invoice-files.ts'
export { hideDocuments, listDocuments } from './invoice-files/erased-documents.ts'
export { type FileDeps, printInvoice } from './invoice-files/invoice-file.ts'
export { adoptCapture } from './operator/adopt-capture.ts'
export { answerBank, getAnswerable, listAnswers } from './operator/answer-dispute.ts'
export { GatewaySilent } from './operator/asked-gateway.ts'
export { payOut, readUnsettled, refuseUnsettled } from './operator/close-money.ts'
export { collectEvidence } from './operator/collect-evidence.ts'
export { countBills } from './operator/count-bills.ts'
export { creditAccount } from './operator/credit-account.ts'
export {
  type Amounts,
  creditAmounts,
  creditOf,
  listNewestInvoices,
  listPaidPayments,
  monthlyAmounts,
  monthlyOf,
  owedAmounts,
  owedOf,
  ownerOfInvoice,
  ownerOfPayment,
  pastDueOf,
  readPaid,
} from './operator/customer-figures.ts'
export { creditCustomer, getPayment, hasBooked, type Refund, refundCustomer } from './operator/customer-money.ts'
export { endDisputeByHand } from './operator/end-dispute.ts'
export { endRefundByHand } from './operator/end-refund.ts'
export { findDecline, findFailedPayments } from './operator/failed-payments.ts'
export { countDisputes, type ListedDispute, listDisputes, listOwnDisputes } from './operator/list-disputes.ts'
export { getAdoptable, listLostCaptures } from './operator/lost-captures.ts'
export { findNewestCharge } from './operator/newest-charge.ts'
export { refundPayment } from './operator/refund-payment.ts'
export { getOwedBill, getUnknownPayment } from './operator/unsettled-money.ts'
export { verifyCaptures } from './operator/verify-captures.ts'
export { verifyDocuments } from './operator/verify-documents.ts'
export { findUndisputed, listDeclines } from './pay/other-card.ts'
export { cancelingPayments } from './pay/payment-under-way.ts'
export { findDisputeBy } from './records/dispute-store.ts'
export { keepIssuer } from './records/documents/document-copies.ts'
export { isPastDue } from './records/dunning-store.ts'
export { listHeldUp, resumeBills } from './records/held-bills.ts'
export { enqueueMovements } from './records/movements-queue.ts'
export { retryOwed } from './records/retry-owed.ts'
export { isCharging } from './renewals/before-last-card.ts'
export { invoiceExportPlugin, invoicePdfPlugin } from './routes/invoice-files-plugin.ts'
export { statementPlugin } from './routes/statement-plugin.ts'
export { usageExportPlugin } from './routes/usage-export-plugin.ts'
export { enqueueAttempt } from './schedule/attempt-queue.ts'
export { countParked, listParked, unparkAccount } from './schedule/parked-accounts.ts'
export { overdueBillOf } from './sell/overdue-bill.ts'
export { allClear, type Standing } from './sell/standings.ts'
export { type UnpaidOrder, unpaidOrdersOf } from './sell/unpaid-orders.ts'
export { billingTimes } from './stored-times.ts'
export { keepUsageCovered } from './usage/keep-usage-covered.ts'
export type { CutSpan, MeterCuts, Meters, Reading, UsedPiece } from './usage/meters.ts'
export { isUsageStopped } from './usage/notices/notice-store.ts'
export type { TrafficRoom } from './usage/traffic-room.ts'
export { instancePriceOf } from './views/instance-price.ts'
export { buildStatement } from './views/statement/build-statement.ts'
export { billingKeyMoves, keepStatementKey } from './views/statement/key-moves.ts'
export { retireStatementKey } from './views/statement/statement-key-store.ts'

/** Dependencies of the module's parts: the given ones, and those that the module makes for them. */
export type BillingDeps = GivenDeps & Pick<OrderDeps, 'keepUsageCovered'>

type GivenDeps = Omit<AllDeps, 'keepUsageCovered'>

type AllDeps = AttemptDeps &
  DueDeps &
  CapDeps &
  CouponDeps &
  DaysDeps &
  EstimateDeps &
  PlanListDeps &
  ReadDeps &
  RefundDeps &
  WarningDeps

export interface Billing {
  routes: Route[]
  jobs: Job[]
  /** Checks whether the gateway took more than this database knows. */
  sources: SourceCheck[]
  /** The answer of the call of that name: the account's currency, balance and debt. */
  getCustomerInfo(userid: string): Promise<CustomerInfo>
  /** The period of its plan, seconds: what `subscription/period` answers. */
  getPlanPeriod(userid: string): Promise<{ periodStart: number; periodEnd: number }>
  order(trx: Trx, order: Order): Promise<Ordered>
  /** Undefined for an invoice that is closed, or whose time to be paid is over. */
  pay(trx: Trx, attempt: Attempt): Promise<Attempted | undefined>
  /** Orders at the figure that the customer was shown; refuses one that does not hold any more, with the new one. */
  sell(trx: Trx, sale: Sale): Promise<Ordered>
  /** The state of an order, by its invoice. */
  outcome(db: Db, userid: string, invoiceId: string): Promise<OrderOutcome>
  /** Until its payment has ended or its customer is asked, or for 10 s; for after the order's transaction. */
  awaitOrder(userid: string, invoiceId: string): Promise<void>
  /** How the instances of a cluster stand; decided by only under the account's lock. */
  standings(db: Db, clusterId: string): Promise<Standings>
  /** The open invoice by which an instance was ordered; undefined where none waits to be paid. */
  findUnpaidInvoice(db: Db, instanceId: string): Promise<string | undefined>
  /** The newest invoice by which an instance was ordered; undefined for one that cost nothing. */
  findOrderInvoice(db: Db, instanceId: string): Promise<string | undefined>
  /** The cluster of an account's subscription, null for its plan; undefined for a subscription of another account. */
  findSubscribed(db: Db, userid: string, subscriptionId: string): Promise<{ clusterId: string | null } | undefined>
  /**
   * False if it cannot be taken back now; an order that a card may still pay lapses automatically when that payment has
   * ended.
   */
  lapse(trx: Trx, order: LapsedOrder): Promise<boolean>
  /** Whether the owner took back the last order of an instance; false if it lapsed automatically. */
  wasCanceled(db: Db, instanceId: string): Promise<boolean>
  refund(trx: Trx, order: RefundOrder): Promise<PricedRefund>
  /** Ends instances that somebody destroys; false, and nothing done, if the shown figures no longer hold. */
  endInstances(trx: Trx, order: EndOrder): Promise<boolean>
  /** A repaired instance's item goes to the instance that takes its place. */
  moveItem(trx: Trx, from: string, to: string): Promise<void>
  /** Keeps up to what its usage is covered now, before what covers it changes. */
  keepUsageCovered(trx: Trx, userid: string): Promise<void>
  /** Gives back, by a credit note, time in which clusters could not be used. */
  giveTimeBack(trx: Trx, lost: LostTime): Promise<void>
  /** Bills what was used on credit and charges it to the account's last card, which is about to be removed. */
  beforeLastCard(trx: Trx, userid: string): Promise<void>
  trafficRoom(db: Db, userid: string): Promise<TrafficRoom>
  /** Notices about its plan's quotas. */
  notices(db: Db, userid: string): Promise<Notice[]>
  /** Has its usage checked soon: whether it is limited changed. */
  checkUsageSoon(trx: Trx, userid: string): Promise<void>
  /** Usage in the running period: the answer of the call of that name. */
  planUsage(userid: string): Promise<PlanUsage[]>
  /** Usage of a period by cluster and day: the rows of the CSV export. */
  listUsageRows(userid: string, filter: UsageDaysFilter): Promise<UsageRow[]>
  /** A cluster's part of the usage that `plan/usage` answers for the running period. */
  clusterParts(db: Db, cluster: { owner: string; clusterId: string }): Promise<ClusterParts>
  /** Operator decisions about unsettled money: writing off a bill, and payments or outcomes that are unknown. */
  writeOffBill(trx: Trx, invoiceId: string): Promise<Money>
  resolvePayment(trx: Trx, asked: { paymentId: string; ref: string | null }): Promise<void>
  /** A coupon for an account, under its lock; refuses one that cannot be redeemed. */
  redeem(trx: Trx, asked: { userid: string; code: string }): Promise<void>
  adoptLost(trx: Trx, asked: { ref: string; accountId: string; goesBack: boolean }): Promise<void>
  /**
   * Ends everything that is sold to an account that closed at `from`, but for its clusters; null: a restore brought it
   * back after its end. Safe to repeat.
   */
  endSales(trx: Trx, of: { userid: string; from: Date | null }): Promise<void>
  /** Bills the usage of an account that ends for the last time; again until nothing of it is due. */
  settleUsage(trx: Trx, of: { userid: string; isWaived: boolean }): Promise<void>
  /** Money that comes back when an account ends that closed at `since` with these clusters. */
  quoteClosing(userid: string, of: { clusterIds: readonly string[]; since: Date }): ReturnType<typeof quoteClosing>
  /** Bytes of backups that an account may keep now; null: more is charged. */
  backupQuota(db: Db, userid: string): Promise<number | null>
}

/** Adds the dependencies that the module makes: a part of a lower layer calls one of a higher layer by them. */
export function withUsage(given: GivenDeps): BillingDeps {
  return { ...given, keepUsageCovered: (trx, userid) => keepUsageCovered(given, trx, userid) }
}

export function createBilling(given: GivenDeps): Billing {
  const deps: BillingDeps = withUsage({
    ...given,
    async findMethod(db, userid) {
      return await findUndisputed(given, db, userid, await given.findMethod(db, userid))
    },
  })
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
      movements(deps),
      movementsList(deps),
      lostCaptures(deps),
      disputeAnswers(deps),
    ],
    sources: [{ source: 'gateway', ask: (now) => compareCaptures(deps.db, deps.gateway, now) }],
    getCustomerInfo: (userid) => getCustomerInfo(deps, userid),
    getPlanPeriod: (userid) => showPeriod(deps, userid),
    order: (trx, order) => placeOrder(deps, trx, order),
    sell: (trx, sale) => sellInstances(deps, trx, sale),
    outcome: readOutcome,
    awaitOrder: (userid, invoiceId) => awaitOrder(deps, userid, invoiceId),
    standings: readStandings,
    findUnpaidInvoice,
    findOrderInvoice,
    wasCanceled,
    findSubscribed,
    pay: (trx, attempt) => payInvoice(deps, trx, attempt),
    lapse: (trx, order) => lapseOrder(deps, trx, order),
    refund: (trx, order) => refund(deps, trx, order),
    endInstances: (trx, order) => endInstances(deps, trx, order),
    moveItem: giveItemTo,
    giveTimeBack: (trx, lost) => giveTimeBack(deps, trx, lost),
    keepUsageCovered: deps.keepUsageCovered,
    beforeLastCard: (trx, userid) => billBeforeLastCard(deps, trx, userid),
    planUsage: (userid) => listUsage(deps, userid),
    listUsageRows: (userid, filter) => listRows(deps, userid, filter),
    clusterParts: (db, cluster) => readClusterParts(deps, db, cluster),
    notices: (db, userid) => showNotices(deps, db, userid),
    checkUsageSoon,
    trafficRoom: (db, userid) => readTrafficRoom(deps, db, userid),
    writeOffBill: (trx, invoiceId) => writeOffBill(deps, trx, invoiceId),
    resolvePayment: (trx, asked) => resolvePayment(deps, trx, asked),
    async redeem(trx, asked) {
      await takeCoupon(deps, trx, { ...asked, limits: await deps.accounts.lockLimits(trx, asked.userid) })
    },
    adoptLost: (trx, asked) => adoptLost(deps, trx, asked),
    endSales: (trx, of) => endSales(deps, trx, of),
    settleUsage: (trx, of) => settleUsage(deps, trx, of),
    quoteClosing: (userid, of) => quoteClosing(deps, userid, of),
    backupQuota: (db, userid) => readBackupQuota(deps, db, userid),
  }
}
