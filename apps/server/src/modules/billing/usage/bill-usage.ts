/**
 * The bill of what was used above the quotas of a plan: once its period is over, on an invoice of its own, which is
 * collected as a renewal's is. Meters that
 * have not spoken for the whole period are asked again for six hours; what they say after that is on the next bill, up
 * to what the cap of its own period left, and that bill's own.
 *
 * A bill is due by the subscription and the start of its period; each schedules the next. Safe to repeat: a product is
 * charged once for a period, and once more for what came late.
 */
import { type MeteredProduct, meteredProducts } from '@atoll/contract/billing'
import { type Period, periodAt, periodIndexAt, subtractMoney } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { couponFacts } from '../coupons/coupon-facts.ts'
import { listUsable } from '../coupons/coupon-store.ts'
import type { SubscriptionRow } from '../documents/document-tables.ts'
import { readMeans } from '../orders/begin-payment.ts'
import { issueInvoice } from '../orders/issue-invoice.ts'
import type { UsageItem } from '../pricing/basket.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { atLeastNothing } from '../pricing/price-prepaid.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { insertDunning } from '../renewals/dunning-store.ts'
import { dueKinds } from '../time/due-kinds.ts'
import type { Due, DueOutcome } from '../time/due-runner.ts'
import { scheduleDue } from '../time/due-store.ts'
import { readWallClock } from '../travel/wall-clock.ts'
import { findCap } from './cap-store.ts'
import { listPlanSpans, type PlanSpan } from './plan-spans.ts'
import { type ReadUsage, readUsage, type UsageDeps } from './read-usage.ts'
import { insertReadings, readCharged } from './reading-store.ts'
import { scheduleUsage } from './schedule-usage.ts'

const hourMs = 60 * 60_000
/** How long meters that are not complete are asked again, from the end of the period. */
const patienceMs = 6 * hourMs

export async function runUsage(deps: OrderDeps & UsageDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { object, at, limits } = due
  const [subscriptionId = '', start = ''] = object.split(' ')
  const subscription = await trx
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  const index = periodIndexAt(subscription.anchor, new Date(start), limits.zone)
  const [before, period, next] = [-1, 0, 1].map((step) => periodAt(subscription.anchor, index + step, limits.zone)) as [
    Period,
    Period,
    Period,
  ]
  const own = await readPeriod(deps, trx, due, subscription, period)
  const patience = new Date(period.end.getTime() + patienceMs)
  if (at < patience && own.usage.some(({ complete }) => !complete)) {
    return { next: new Date(Math.min(at.getTime() + hourMs, patience.getTime())) }
  }
  const late = index > 0 ? await readLate(deps, trx, due, subscription, before) : []
  await issueUsage(deps, trx, due, { subscription, period, own, late })
  if (subscription.ended_at === null) await scheduleUsage(trx, subscription, next)
  return 'done'
}

interface PeriodUsage {
  spans: PlanSpan[]
  usage: (ReadUsage & { product: MeteredProduct })[]
}

async function readPeriod(
  deps: UsageDeps,
  trx: Trx,
  { userid, limits }: Due,
  subscription: SubscriptionRow,
  period: Period,
): Promise<PeriodUsage> {
  const spans = await listPlanSpans(trx, subscription.id, period)
  const wallClock = await readWallClock(trx, userid, limits)
  const usage: PeriodUsage['usage'] = []
  for (const product of meteredProducts) {
    const asked = { userid, product, period, spans, wallClock }
    usage.push({ product, ...(await readUsage(deps, trx, asked)) })
  }
  return { spans, usage }
}

/** A line of a usage invoice before it is priced. */
interface Line {
  item: UsageItem
  product: MeteredProduct
  span: PlanSpan
  reason: string
}

/** What was added to the period before since it was billed: the rest of it, within what its cap left. */
async function readLate(
  deps: OrderDeps & UsageDeps,
  trx: Trx,
  due: Due,
  subscription: SubscriptionRow,
  period: Period,
): Promise<Line[]> {
  const { currency } = due.limits
  const { spans, usage } = await readPeriod(deps, trx, due, subscription, period)
  const charged = await readCharged(trx, { subscriptionId: subscription.id, currency }, period)
  const cap = await findCap(trx, due.userid, currency, lastInstant(period))
  let left = cap && atLeastNothing(subtractMoney(cap, charged.total))
  const lines: Line[] = []
  for (const { product, item, readings } of usage) {
    const span = spans.at(-1)
    const rest: UsageItem = {
      ...item,
      key: `${product} late`,
      charged: charged.of(product),
      ...(left && { cap: left }),
    }
    const { amount } = priceUsage(rest, currency)
    if (!span || amount.minor === 0) continue
    if (left) left = subtractMoney(left, amount)
    await keep(deps, trx, due, subscription, product, readings)
    lines.push({ item: rest, product, span, reason: `${product} late` })
  }
  return lines
}

async function issueUsage(
  deps: OrderDeps,
  trx: Trx,
  due: Due,
  facts: { subscription: SubscriptionRow; period: Period; own: PeriodUsage; late: Line[] },
): Promise<void> {
  const { subscription, period, own, late } = facts
  const { userid, at, limits } = due
  const { currency } = limits
  const span = own.spans.at(-1)
  // Its own first: where the cap does not leave enough, what is late is waived.
  const lines: Line[] = []
  for (const { product, item, readings } of span ? own.usage : []) {
    await keep(deps, trx, due, subscription, product, readings)
    if (span) lines.push({ item, product, span, reason: product })
  }
  lines.push(...late)
  const usageCap = await findCap(trx, userid, currency, lastInstant(period))
  const coupons = (await listUsable(trx, userid)).map((one) => couponFacts(one, currency))
  const means = await readMeans(trx, { userid, at, mayRoll: true }, currency)
  const items = lines.map(({ item }) => item)
  const priced = priceBasket({ currency, items, coupons, means, ...(usageCap && { usageCap }) }, at)
  const basket = { ...priced, items: priced.items.filter(({ amount }) => amount.minor > 0) }
  if (basket.gross.minor === 0) return
  const lineOf = new Map(lines.map((line) => [line.item.key, line]))
  const invoice = await issueInvoice(deps, trx, {
    ...{ userid, kind: 'usage', at, validUntil: null, basket },
    soldAs({ key }) {
      const line = lineOf.get(key)
      if (!line) throw new Error(`${key} is on no line`)
      const { product, span, reason } = line
      return { item_id: span.itemId, price_id: span.priceId, product_type: product, revenue: 'usage', reason }
    },
  })
  await insertDunning(trx, invoice.id, userid)
  await scheduleDue(trx, { userid, kind: dueKinds.renewalTry, object: invoice.id, dueAt: at })
  await publishChange(trx, { account: userid, topic: 'billing', id: invoice.id })
}

async function keep(
  { clock }: Pick<OrderDeps, 'clock'>,
  trx: Trx,
  { userid }: Due,
  { id: subscriptionId }: SubscriptionRow,
  product: MeteredProduct,
  readings: ReadUsage['readings'],
): Promise<void> {
  await insertReadings(trx, { userid, subscriptionId, product }, readings, clock.now())
}

/** The cap of a period is the one that stood when it ended: one that is set afterwards is for the next. */
function lastInstant({ end }: Period): Date {
  return new Date(end.getTime() - 1)
}
