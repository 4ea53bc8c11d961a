/**
 * Renewals: what is paid ahead is sold for another month when its period ends, at the price that it was sold at.
 * Whatever ends on the same day of the account's zone is one invoice, at the earliest of these ends, but for a plan
 * that changes with its period; each item's new period begins where its old one ended, however late this runs.
 * Instances that are ordered after that for a cluster whose own period has not ended yet are renewed when it ends, and
 * those that a card is found to have paid for later still, from then on. Collecting it is collect.ts.
 *
 * A subscription whose order may still be paid, or which is past due, or suspended, waits until that is over. So does a
 * plan while a higher one may still be paid: the month is charged at the price of what comes of it. Nobody is charged
 * for time in which a suspension had stopped the servers after what was paid had ended: whole periods of it are passed
 * over, and of the one in which it was released the rest is charged.
 */
import { multiplyMoney, startOfDay, sumMoney } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { findHeldScope, findStoppedUntil } from '../../accounts/index.ts'
import { priceOfTerms } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { readMeans } from '../pay/begin-payment.ts'
import { renewPlan } from '../pay/begin-plans.ts'
import { issueInvoice } from '../pay/bills/issue-invoice.ts'
import type { PricedBasket } from '../pricing/basket.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { listUsable } from '../records/coupon-store.ts'
import type { SubscriptionRow } from '../records/documents/document-tables.ts'
import { nextInvoiceId } from '../records/documents/invoice-store.ts'
import { getSubscription, setPeriod } from '../records/documents/subscription-store.ts'
import { insertDunning } from '../records/dunning-store.ts'
import { dueKinds, renewalMailMs } from '../schedule/due-kinds.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { findRelease } from '../schedule/parked-accounts.ts'
import {
  basketItemOf,
  listRaised,
  listRenewedItems,
  listRenewing,
  type RenewedItem,
  type Renewing,
} from './renewal-basket.ts'

/** More in a day of the account's clock, or one of more than this many times its month, are not meant by anybody. */
const mostInDay = 20
const mostMonths = 10

/** Renews a subscription with all that end on the same day. */
export async function runRenewal(deps: OrderDeps, trx: Trx, due: Due): Promise<DueOutcome> {
  const { userid, object, dueAt, at } = due
  const subscription = await getSubscription(trx, object)
  if (subscription.state === 'ended' || subscription.state === 'canceled') return 'done'
  const { period_start: start, period_end: end } = subscription
  // The period was renewed already: what was left out of that is.
  const wasRenewed = start <= dueAt && dueAt < end
  if (end > dueAt && !wasRenewed) return { next: end }
  if (subscription.state !== 'active') return 'waiting'
  if (await findHeldScope(trx, userid, subscription.cluster_id ?? undefined)) return 'waiting'
  if (!wasRenewed && (await listRaised(trx, [{ subscription }])).size > 0) return 'waiting'

  const freedAt = wasRenewed ? undefined : await findFreed(trx, due, subscription)
  const renewing = wasRenewed
    ? [{ subscription, next: { start, end } }]
    : await dropEnding(deps, trx, await listEnding(trx, due, freedAt))
  if (renewing.length === 0) return 'done'
  const all = await listRenewedItems(trx, renewing)
  const items = freedAt ? all.filter(({ period }) => period.end > freedAt) : all
  const from = freedAt && freedAt > due.dueAt ? freedAt : due.dueAt
  const basket = await priceRenewal(trx, { ...due, dueAt: from }, items)
  if (basket.gross.minor > 0) {
    const why = await whyParked(trx, due, items, basket)
    if (why !== undefined) return { parked: why }
    const known = new Map(items.map((renewed) => [renewed.item.id, renewed]))
    const { id } = await issueInvoice(deps, trx, {
      id: await nextInvoiceId(trx, 'renewal', object, (wasRenewed ? start : end).toISOString()),
      userid,
      kind: 'renewal',
      at,
      validUntil: null,
      basket,
      soldAs({ key }) {
        const renewed = known.get(key)
        if (!renewed) throw new Error(`The item ${key} is not renewed`)
        const { item, terms } = renewed
        return {
          item_id: key,
          price_id: item.price_id,
          product_type: 'Instance',
          revenue: terms.kind,
          reason: 'renewal',
        }
      },
    })
    await insertDunning(trx, id, userid)
    await scheduleDue(trx, { userid, kind: dueKinds.renewalTry, object: id, dueAt: at })
    await publishChange(trx, { account: userid, topic: 'billing', id })
  }
  for (const { subscription, next } of renewing) {
    await setPeriod(trx, subscription.id, next)
    const nextDue = subscription.kind === 'cluster' && next.start > dueAt ? next.start : next.end
    const of = { userid, object: subscription.id }
    const mail = { ...of, kind: dueKinds.renewalMail, dueAt: new Date(next.end.getTime() - renewalMailMs) }
    await scheduleDue(trx, { ...of, kind: dueKinds.renewal, dueAt: nextDue }, mail)
  }
  const own = renewing.find((one) => one.subscription.id === object)
  return own ? { next: own.next.end } : 'done'
}

/** Until when a suspension kept it stopped beyond what was paid; time of the account, as its clock is ahead now. */
async function findFreed(
  trx: Trx,
  { userid, limits: { clockOffsetMs } }: Due,
  { cluster_id: clusterId, period_end: end }: SubscriptionRow,
): Promise<Date | undefined> {
  const at = new Date(end.getTime() - clockOffsetMs)
  const until = await findStoppedUntil(trx, { owner: userid, clusterId, at })
  return until && new Date(until.getTime() + clockOffsetMs)
}

/**
 * Subscriptions that end on that day. A plan with a pending change is left out until its own period ends, and
 * a plan while its raise may still be paid.
 */
async function listEnding(trx: Trx, due: Due, freedAt: Date | undefined): Promise<Renewing[]> {
  const { userid, dueAt } = due
  const sameDay: Renewing[] = []
  for (const one of await listRenewing(trx, { userid, zone: due.limits.zone, day: dueAt })) {
    // Subscriptions that were stopped for a different time are renewed separately.
    const freed = await findFreed(trx, due, one.subscription)
    if (freed?.getTime() === freedAt?.getTime()) sameDay.push(one)
  }
  const raised = await listRaised(trx, sameDay)
  return sameDay.filter(({ subscription: { id, pending_level, period_end } }) => {
    return !raised.has(id) && (pending_level === null || period_end <= dueAt)
  })
}

/** Puts plans on the lower one that was asked for; without those that fall to Free, which end here. */
async function dropEnding(deps: OrderDeps, trx: Trx, renewing: readonly Renewing[]): Promise<Renewing[]> {
  const staying: Renewing[] = []
  for (const one of renewing) {
    const isPlan = one.subscription.kind === 'plan'
    if (!isPlan || (await renewPlan(deps, trx, one.subscription, one.next.start))) staying.push(one)
  }
  return staying
}

/** Prices the renewal of the items at `dueAt`, with the account's coupons and means. */
export async function priceRenewal(
  trx: Trx,
  { userid, dueAt, limits: { currency } }: Pick<Due, 'userid' | 'dueAt' | 'limits'>,
  items: readonly RenewedItem[],
): Promise<PricedBasket> {
  const coupons = (await listUsable(trx, userid)).map((one) => couponFacts(one, currency))
  const means = await readMeans(trx, { userid, at: dueAt, mayRoll: true }, currency)
  return priceBasket({ currency, items: items.map(basketItemOf), coupons, means }, dueAt)
}

/** Why the server stops writing bills for the account; undefined while they are such as somebody ordered. */
async function whyParked(
  trx: Trx,
  { userid, at, limits: { zone, currency } }: Due,
  items: readonly RenewedItem[],
  { gross }: PricedBasket,
): Promise<string | undefined> {
  const { issued } = await trx
    .selectFrom('invoices')
    .select((from) => from.fn.countAll<number>().as('issued'))
    .where('userid', '=', userid)
    .where('kind', '=', 'renewal')
    .where('issued_at', '>=', startOfDay(at, zone))
    .where('recorded_at', '>', (await findRelease(trx, userid)) ?? new Date(0))
    .executeTakeFirstOrThrow()
  if (issued >= mostInDay) return `more than ${mostInDay} renewals in one day`
  const month = sumMoney(
    items.map(({ terms }) => priceOfTerms(terms)),
    currency,
  )
  if (gross.minor > multiplyMoney(month, mostMonths).minor) return `a renewal of over ${mostMonths} months`
  return undefined
}
