/**
 * Readings that changed after their period was billed. The period is priced again by its own plans, quotas, coupon and
 * cap (`correctPeriod`), against what was billed of it net of credit notes, whenever the next bill of its subscription
 * falls due, after a plan has ended on the days on which the next ones would have been, and once more on the last day
 * on which that may be:
 *   - less: a credit note names the invoice, first off what is owed of it, promotional credit as such, the rest to the
 *     balance (`creditLess`);
 *   - more: a line of that bill (decide-usage-bill.ts), or of one of its own where nothing else is on it.
 * Periods that ended more than some days before are left as they are. Under the account's lock. Safe to repeat: what
 * was credited or billed counts as billed.
 */
import { money, type Period, periodAt, periodIndexAt, subtractMoney, sumMoney } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { Limits } from '../../accounts/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { closeWhenNothingIsOwed, giveCredit } from '../pay/bills/give-credit.ts'
import { cancelOpenPayment } from '../pay/cancel-open-payment.ts'
import type { LessLine } from '../pricing/correct-period.ts'
import { findRedemption } from '../records/coupon-store.ts'
import { sumCredited } from '../records/documents/credit-note-store.ts'
import type { InvoiceRow, SubscriptionRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { findOpenPayment } from '../records/documents/payment-store.ts'
import { listTaken } from '../records/documents/promo-store.ts'
import type { SoldPlan } from '../records/own-plan.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { findCap } from './cap-store.ts'
import { findCovered, type PlanPeriod } from './credit-store.ts'
import { type CreditedInvoice, decideCredits, splitCredit } from './decide-credit.ts'
import type { PastPeriod } from './decide-usage-bill.ts'
import { type PeriodUsage, readPeriod } from './period-usage.ts'
import type { UsageDeps } from './read-usage.ts'
import { type BilledUsage, insertReadings, isBilledWhole, readBilled } from './reading-store.ts'

export type CorrectionDeps = OrderDeps & UsageDeps

export interface Correcting {
  userid: string
  /** Time of the account. */
  at: Date
  limits: Limits
  subscription: SubscriptionRow
  /** Its plans. */
  sold: readonly SoldPlan[]
}

/** A period with what its meters have now. */
export interface ReadPast extends PeriodUsage {
  period: Period
}

const dayMs = 86_400_000

/**
 * The periods of a plan before that index which may be corrected at `asOf`, newest first. A due item passes the time at
 * which it was due, however late it runs.
 */
export async function readPast(
  deps: CorrectionDeps,
  trx: Trx,
  { userid, at, limits, subscription, sold }: Correcting,
  index: number,
  asOf = at,
): Promise<ReadPast[]> {
  const past: ReadPast[] = []
  for (let before = index - 1; before >= 0; before -= 1) {
    const period = periodAt(subscription.anchor, before, limits.zone)
    if (period.end < new Date(asOf.getTime() - deps.correctionDays * dayMs)) break
    const read = await readPeriod(deps, trx, { userid, limits, sold, period })
    if (read.spans.length > 0) past.push({ period, ...read })
  }
  return past
}

/** Until when the last period of a plan that has ended may be corrected; undefined for one that goes on. */
export function correctedUntil(
  { correctionDays }: UsageDeps,
  { anchor, ended_at: ended }: SubscriptionRow,
  { zone }: Pick<Limits, 'zone'>,
): Date | undefined {
  if (!ended) return undefined
  // One that ends with its period has no part of the next.
  const last = periodAt(
    anchor,
    periodIndexAt(anchor, new Date(Math.max(ended.getTime() - 1, anchor.getTime())), zone),
    zone,
  )
  return lastCorrection({ correctionDays }, last)
}

/** When a period is corrected for the last time. */
export function lastCorrection({ correctionDays }: Pick<UsageDeps, 'correctionDays'>, { end }: Period): Date {
  return new Date(end.getTime() + correctionDays * dayMs)
}

/**
 * Gives back what was billed of the periods above what their meters have now. False, and nothing is given back, while a
 * card may be charged for one of the invoices: what it pays cannot be changed.
 */
export async function creditLess(
  deps: CorrectionDeps,
  trx: Trx,
  correcting: Correcting,
  periods: readonly ReadPast[],
): Promise<boolean> {
  const { userid, at, limits, subscription } = correcting
  const { currency } = limits
  const ofPeriod = ({ period: { start } }: ReadPast) => ({ subscriptionId: subscription.id, start })
  const billedOf = await readBilled(trx, currency, periods.map(ofPeriod))
  const known = periods.map((one) => ({ ...one, billed: billedOf(ofPeriod(one)) }))
  const { invoices, changed } = decideCredits(known, currency)
  for (const invoiceId of invoices.keys()) {
    if (!(await endPaying(trx, invoiceId, at))) return false
  }
  for (const { product, readings } of changed) {
    await insertReadings(trx, { userid, subscriptionId: subscription.id, product }, readings, deps.clock.now())
  }
  for (const [invoiceId, lines] of invoices) await creditInvoice(deps, trx, correcting, invoiceId, lines)
  return true
}

/** Whether no card may be charged for the invoice now; a payment that waits for the customer is ended for that. */
async function endPaying(trx: Trx, invoiceId: string, at: Date): Promise<boolean> {
  const payment = await findOpenPayment(trx, invoiceId)
  if (!payment || payment.state === 'created') return true
  return payment.state === 'needs_action' && (await cancelOpenPayment(trx, { invoiceId, at, because: 'another' }))
}

async function creditInvoice(
  deps: CorrectionDeps,
  trx: Trx,
  { userid, at, limits: { currency } }: Correcting,
  invoiceId: string,
  lines: readonly LessLine[],
): Promise<void> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  const nets = lines.map(({ amount, discount }) => subtractMoney(amount, discount))
  const to = splitCredit(await loadCredited(trx, invoice), sumMoney(nets, currency))
  const credited = lines.map(({ line, amount, discount }) => {
    return { line, amount_minor: amount.minor, discount_minor: discount.minor, revenue: 'usage' as const }
  })
  await giveCredit(deps, trx, { invoice, cause: 'readings', lines: credited, ...to, at })
  await closeWhenNothingIsOwed(deps, trx, invoice, at)
  // A card payment of the earlier amount is tried again with the reduced amount.
  await retryOwed(trx, userid, at)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoiceId })
}

async function loadCredited(trx: Trx, invoice: InvoiceRow): Promise<CreditedInvoice> {
  const { id, currency, state, total_minor: total } = invoice
  const taken = (await listTaken(trx, id)).reduce((sum, { left }) => sum + left, 0)
  return {
    total: money(total, currency),
    credited: money(await sumCredited(trx, id), currency),
    due: state === 'paid' ? money(0, currency) : await getDue(trx, invoice),
    promo: money(taken, currency),
  }
}

/** The facts by which additional charges of the periods are decided. */
export async function loadPast(
  trx: Trx,
  { userid, limits: { currency }, subscription: { id: subscriptionId } }: Omit<Correcting, 'sold'>,
  periods: readonly ReadPast[],
  billedOf: (period: PlanPeriod) => BilledUsage,
): Promise<PastPeriod[]> {
  const found: PastPeriod[] = []
  for (const read of periods) {
    const { period, spans } = read
    const billed = billedOf({ subscriptionId, start: period.start })
    const coupon = billed.lines.findLast((line) => line.coupon)?.coupon
    found.push({
      ...read,
      billed,
      isWaiting: !(await isBilledWhole(trx, { userid, subscriptionId, period })),
      cap: await findCap(trx, { userid, currency, terms: spans.at(-1)?.terms }, lastInstant(period)),
      kept: await findCovered(trx, { subscriptionId, start: period.start }),
      redemption:
        coupon && coupon.percentOff === undefined
          ? await findRedemption(trx, userid, { code: coupon.code, but: '' })
          : undefined,
    })
  }
  return found
}

/** The cap of a period is the one that stood when it ended: one that is set afterwards is for the next. */
export function lastInstant({ end }: Period): Date {
  return new Date(end.getTime() - 1)
}
