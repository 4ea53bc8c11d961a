/**
 * Bills of the usage above a plan's quotas. Each is an invoice of its own, collected as a renewal's is:
 * - Once a period is over. Meters without data for the whole period are asked again for six hours; later data corrects
 *   the bill (correct-usage.ts): an additional charge is on the next bill, up to the rest of the cap of its own period
 *   and of that bill's.
 * - Before that, as soon as unbilled usage reaches the amount that its means cover (`runUsageLimit`), and before the
 *   last card is removed: all products to date, at most hourly.
 *
 * A bill is due by the subscription and the start of its period. Each schedules the next one and the last correction of
 * its own period, and goes on after the plan has ended for as long as its last period may be corrected. Safe to repeat:
 * a product is charged the price of its period so far, less the amount billed of it before.
 */
import { type Period, periodAt, periodIndexAt } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { readMeans } from '../pay/begin-payment.ts'
import { issueInvoice } from '../pay/bills/issue-invoice.ts'
import { listUsable } from '../records/coupon-store.ts'
import type { InvoiceRow, SubscriptionRow } from '../records/documents/document-tables.ts'
import { nextInvoiceId } from '../records/documents/invoice-store.ts'
import { findPlanSubscription, getSubscription } from '../records/documents/subscription-store.ts'
import { insertDunning } from '../records/dunning-store.ts'
import { listSoldPlans, type SoldPlan } from '../records/own-plan.ts'
import { scheduleUsage } from '../records/schedule-usage.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { findCap } from './cap-store.ts'
import {
  correctedUntil,
  creditLess,
  lastCorrection,
  lastInstant,
  loadPast,
  type ReadPast,
  readPast,
} from './correct-usage.ts'
import { findCovered, keepCovered } from './credit-store.ts'
import { type CurrentUsage, type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'
import { decideUsageBill, type UsageBill } from './decide-usage-bill.ts'
import { type PeriodUsage, readPeriod } from './period-usage.ts'
import type { UsageDeps } from './read-usage.ts'
import { insertReadings, readBilled } from './reading-store.ts'
import { type MeansDeps, readUsageMeans } from './usage-means.ts'
import { listWaiting } from './waiting-usage.ts'

export type UsageBillDeps = OrderDeps & UsageDeps & MeansDeps

const hourMs = 60 * 60_000
/** How long meters that are not complete are asked again, from the end of the period or of the plan. */
const patienceMs = 6 * hourMs

type Billing = Pick<Due, 'userid' | 'at' | 'limits'>

export async function runUsage(deps: UsageBillDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { at, limits, userid, dueAt } = due
  const { subscription, sold, index } = await readObject(trx, due)
  const [period, next] = [0, 1].map((step) => periodAt(subscription.anchor, index + step, limits.zone)) as [
    Period,
    Period,
  ]
  const own = await readPeriod(deps, trx, { userid, limits, sold, period })
  const patience = new Date(Math.min(period.end.getTime(), subscription.ended_at?.getTime() ?? Infinity) + patienceMs)
  if (at < patience && own.usage.some(({ complete }) => !complete)) {
    return { next: new Date(Math.min(at.getTime() + hourMs, patience.getTime())) }
  }
  const correcting = { userid, at, limits, subscription, sold }
  const past = await readPast(deps, trx, correcting, index, dueAt)
  if (!(await creditLess(deps, trx, correcting, [{ period, ...own }, ...past]))) return 'waiting'
  await billPeriod(deps, trx, due, { subscription, period, own, past, isWhole: true })
  const until = correctedUntil(deps, subscription, limits)
  if (!until) {
    await scheduleUsage(trx, subscription, next)
    const last = { kind: dueKinds.usageCorrection, object: due.object, dueAt: lastCorrection(deps, period) }
    await scheduleDue(trx, { userid, ...last })
  } else if (period.end < until) await scheduleUsage(trx, subscription, next, until)
  return 'done'
}

/** The subscription with its plans, and the period that fall due. */
async function readObject(
  trx: Trx,
  { object, limits: { zone } }: Due,
): Promise<{ subscription: SubscriptionRow; sold: SoldPlan[]; index: number }> {
  const [subscriptionId = '', start = ''] = object.split(' ')
  const subscription = await getSubscription(trx, subscriptionId)
  const sold = await listSoldPlans(trx, subscriptionId)
  return { subscription, sold, index: periodIndexAt(subscription.anchor, new Date(start), zone) }
}

/**
 * Charges or credits the difference between the readings of a period and its bills, if the next bill would be too late
 * for it: by a credit note, or on a separate bill.
 */
export async function runLastCorrection(deps: UsageBillDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { userid, at, limits, dueAt } = due
  const { subscription, sold, index } = await readObject(trx, due)
  const correcting = { userid, at, limits, subscription, sold }
  const past = await readPast(deps, trx, correcting, index + 1, dueAt)
  if (!(await creditLess(deps, trx, correcting, past))) return 'waiting'
  const running = periodAt(subscription.anchor, periodIndexAt(subscription.anchor, at, limits.zone), limits.zone)
  const own = { spans: [], usage: [] }
  await billPeriod(deps, trx, due, { subscription, period: running, own, past, isWhole: false })
  return 'done'
}

/** Of a plan's subscription: what is not billed yet of its usage has come to what its means cover. */
export async function runUsageLimit(
  deps: UsageBillDeps & CurrentUsageDeps,
  trx: Trx,
  { userid, at, limits }: Due,
): Promise<DueOutcome> {
  if (!isAtLimit(await readCurrentUsage(deps, trx, userid))) return 'done'
  const last = await findLastBill(trx, userid)
  const earliest = last && new Date(last.issued_at.getTime() + hourMs)
  // Until then nothing more is charged.
  if (earliest && at < earliest) return { next: earliest }
  await billToDate(deps, trx, { userid, at, limits })
  return 'done'
}

/** Whether a bill is to be written before the period is over; none is while one waits to be paid. */
export function isAtLimit({ unbilled, means }: CurrentUsage): boolean {
  return means !== undefined && !means.hasFailed && unbilled.minor > 0 && unbilled.minor >= means.allowance.minor
}

/** Has what is not billed yet billed at once, where it has come to what its means cover. Under the account's lock. */
export async function scheduleUsageLimit(trx: Trx, userid: string, at: Date): Promise<void> {
  const subscription = await findPlanSubscription(trx, userid)
  if (subscription) await scheduleDue(trx, { userid, kind: dueKinds.usageLimit, object: subscription.id, dueAt: at })
}

/**
 * Bills usage to date: of the running period, and of the one before if it is not billed yet; the last period of a plan
 * that has ended has a separate bill.
 */
export async function billToDate(deps: UsageBillDeps, trx: Trx, about: Billing): Promise<InvoiceRow[]> {
  const { userid } = about
  const living = await findPlanSubscription(trx, userid)
  const invoices: InvoiceRow[] = []
  for (const { subscriptionId, start } of await listWaiting(trx, about)) {
    if (subscriptionId === living?.id) continue
    const invoice = await billEnded(deps, trx, about, { subscriptionId, start })
    if (invoice) invoices.push(invoice)
  }
  const invoice = living && (await billLiving(deps, trx, about, living))
  return invoice ? [...invoices, invoice] : invoices
}

/** The last period of a plan that has ended, whose own bill waits for its meters. */
async function billEnded(
  deps: UsageBillDeps,
  trx: Trx,
  about: Billing,
  { subscriptionId, start }: { subscriptionId: string; start: Date },
): Promise<InvoiceRow | undefined> {
  const { userid, at, limits } = about
  const subscription = await getSubscription(trx, subscriptionId)
  const { anchor } = subscription
  const period = periodAt(anchor, periodIndexAt(anchor, start, limits.zone), limits.zone)
  const sold = await listSoldPlans(trx, subscriptionId)
  const own = await readPeriod(deps, trx, { userid, limits, sold, period, until: at })
  return await billPeriod(deps, trx, about, { subscription, period, own, past: [], isWhole: false })
}

async function billLiving(
  deps: UsageBillDeps,
  trx: Trx,
  about: Billing,
  subscription: SubscriptionRow,
): Promise<InvoiceRow | undefined> {
  const { userid, at, limits } = about
  const index = periodIndexAt(subscription.anchor, at, limits.zone)
  const period = periodAt(subscription.anchor, index, limits.zone)
  const sold = await listSoldPlans(trx, subscription.id)
  const own = await readPeriod(deps, trx, { userid, limits, sold, period, until: at })
  const correcting = { ...about, subscription, sold }
  const past = await readPast(deps, trx, correcting, index)
  // Credits that cannot be given now are given with the bill of the whole period.
  await creditLess(deps, trx, correcting, [{ period, ...own }, ...past])
  return await billPeriod(deps, trx, about, { subscription, period, own, past, isWhole: false })
}

async function billPeriod(
  deps: UsageBillDeps,
  trx: Trx,
  about: Billing,
  facts: {
    subscription: SubscriptionRow
    period: Period
    own: PeriodUsage
    past: readonly ReadPast[]
    isWhole: boolean
  },
): Promise<InvoiceRow | undefined> {
  const { subscription, period, own, past, isWhole } = facts
  const { userid, limits, at } = about
  const { currency } = limits
  const subscriptionId = subscription.id
  const of = { userid, subscriptionId }
  const running = { subscriptionId, start: period.start }
  const before = past.map(({ period: { start } }) => ({ subscriptionId, start }))
  const billedOf = await readBilled(trx, currency, [running, ...before])
  const bill = decideUsageBill(
    {
      subscriptionId,
      currency,
      isWhole,
      own: {
        ...own,
        period,
        billed: billedOf(running),
        cap: await findCap(
          trx,
          { userid, currency, terms: own.spans.at(-1)?.terms },
          isWhole ? lastInstant(period) : at,
        ),
        kept: await findCovered(trx, running),
      },
      past: await loadPast(trx, { ...about, subscription }, past, billedOf),
      redemptions: await listUsable(trx, userid),
      usageMeans: await readUsageMeans(deps, trx, { userid, currency, at }),
      means: await readMeans(trx, { userid, at, mayRoll: true }, currency),
    },
    at,
  )
  for (const { product, readings } of bill.lines) {
    await insertReadings(trx, { ...of, product }, readings, deps.clock.now())
  }
  const invoice = await issueUsage(deps, trx, about, { bill, period })
  for (const { start, ...covered } of bill.keeps) await keepCovered(trx, { ...of, start }, covered)
  return invoice
}

async function issueUsage(
  deps: OrderDeps,
  trx: Trx,
  { userid, at }: Billing,
  { bill: { basket, lines }, period }: { bill: UsageBill; period: Period },
): Promise<InvoiceRow | undefined> {
  if (basket.gross.minor === 0) return undefined
  const lineOf = new Map(lines.map((line) => [line.item.key, line]))
  const invoice = await issueInvoice(deps, trx, {
    id: await nextInvoiceId(trx, 'usage', userid, period.start.toISOString()),
    userid,
    kind: 'usage',
    at,
    validUntil: null,
    basket,
    soldAs({ key }) {
      const line = lineOf.get(key)
      if (!line) throw new Error(`${key} is on no line`)
      const { product, span, part } = line
      const sold = { item_id: span.itemId, price_id: span.priceId, product_type: product, part }
      return { ...sold, revenue: 'usage', reason: product }
    },
  })
  await insertDunning(trx, invoice.id, userid)
  await scheduleDue(trx, { userid, kind: dueKinds.renewalTry, object: invoice.id, dueAt: at })
  await publishChange(trx, { account: userid, topic: 'billing', id: invoice.id })
  return invoice
}

async function findLastBill(trx: Trx, userid: string): Promise<{ issued_at: Date } | undefined> {
  return await trx
    .selectFrom('invoices')
    .select('issued_at')
    .where('userid', '=', userid)
    .where('kind', '=', 'usage')
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
