/** Decides about the renewal of a subscription that falls due, from what was loaded. Pure functions. */
import { dayInZone, multiplyMoney, type Period, periodAt, periodIndexAt, sumMoney } from '@atoll/money'
import type { Limits } from '../../accounts/index.ts'
import { type PlanTerms, type PriceTerms, priceOfTerms } from '../../catalog/index.ts'
import type { Means, PricedBasket } from '../pricing/basket.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import type { Redemption } from '../records/coupon-store.ts'
import type { SubscriptionItemRow, SubscriptionRow } from '../records/documents/document-tables.ts'
import { isEnd, subscriptionTransitions } from '../records/documents/states.ts'

/** More in a day of the account's clock, or one of more than this many times its month, are not meant by anybody. */
const mostInDay = 20
const mostMonths = 10

/** A subscription with what decides about its next period. */
export interface Renewable {
  subscription: Pick<SubscriptionRow, 'id' | 'userid' | 'kind' | 'state' | 'anchor' | 'period_start' | 'period_end'>
  /** It is suspended, or the account is. */
  isHeld: boolean
  /** Until when a suspension that is over kept it stopped beyond what was paid. Time of the account. */
  freedAt: Date | undefined
  /** Of a plan, if a lower one was asked for: that one, null for Free. */
  lower: PlanTerms | null | undefined
}

type Item = Pick<SubscriptionItemRow, 'id' | 'subscription_id' | 'price_id'>

export interface RenewalFacts {
  /** The one that falls due. */
  own: Renewable
  /** All of the account that are active; the earliest end first. */
  active: readonly Renewable[]
  /** The plans of which a higher one was asked for that may still be paid. */
  raised: ReadonlySet<string>
  /** Active items of `own` and of all that end on the day, and until when they are charged; the oldest first. */
  items: readonly { item: Item; terms: PriceTerms; chargedUntil: Date | null }[]
  redemptions: readonly Redemption[]
  means: Means
  /** Renewals that were written today. */
  issuedToday: number
}

/** A subscription and the period that is sold of it next, of a lower plan where there is one. */
export interface Renewing extends Renewable {
  next: Period
}

/** An item that is sold for another period; `item` absent: of the lower plan, which begins with that period. */
export interface RenewedItem {
  subscription: string
  item?: Item
  terms: PriceTerms
  period: Period
}

export type RenewalStep =
  | { does: 'nothing' | 'wait' }
  | { does: 'again'; at: Date }
  | { does: 'park'; why: string }
  | {
      does: 'renew'
      renewing: readonly Renewing[]
      items: readonly RenewedItem[]
      basket: PricedBasket
      /** Where the period begins that names the invoice. */
      of: Date
    }

type When = { dueAt: Date; limits: Pick<Limits, 'zone' | 'currency'> }

export function decideRenewal(facts: RenewalFacts, { dueAt, limits }: When): RenewalStep {
  const { own, raised } = facts
  const { id, state, period_start: start, period_end: end } = own.subscription
  if (isEnd(subscriptionTransitions, state)) return { does: 'nothing' }
  const wasRenewed = isRenewed(own, dueAt)
  if (end > dueAt && !wasRenewed) return { does: 'again', at: end }
  if (state !== 'active' || own.isHeld || (raised.has(id) && !wasRenewed)) return { does: 'wait' }
  const renewing = wasRenewed
    ? [{ ...own, lower: undefined, next: { start, end } }]
    : listTogether(facts, { dueAt, limits })
  const freedAt = wasRenewed ? undefined : own.freedAt
  const items = listRenewed(facts, renewing).filter(({ period }) => !freedAt || period.end > freedAt)
  const basket = priceRenewed(facts, { renewing, items }, { at: chargedFrom(own, dueAt), limits })
  if (basket.gross.minor > 0) {
    const why = whyParked(facts, items, basket)
    if (why !== undefined) return { does: 'park', why }
  }
  return { does: 'renew', renewing, items, basket, of: wasRenewed ? start : end }
}

/** Whether the period was renewed already: what was left out of that is renewed then. */
function isRenewed({ subscription: { period_start: start, period_end: end } }: Renewable, dueAt: Date): boolean {
  return start <= dueAt && dueAt < end
}

/** From when on a renewal is charged. */
export function chargedFrom(own: Renewable, dueAt: Date): Date {
  return own.freedAt && own.freedAt > dueAt && !isRenewed(own, dueAt) ? own.freedAt : dueAt
}

/**
 * The subscriptions that are renewed together, as they end on the day of the account's zone. Those that were stopped
 * for another time are renewed separately; a plan with a pending change when its own period ends, and not while its
 * raise may still be paid.
 */
function listTogether(facts: RenewalFacts, { dueAt, limits: { zone } }: When): Renewing[] {
  return listEnding(facts, dueAt, zone).filter(({ subscription: { id, period_end }, freedAt, lower }) => {
    const isOwnTime = freedAt?.getTime() === facts.own.freedAt?.getTime()
    return isOwnTime && !facts.raised.has(id) && (lower === undefined || period_end <= dueAt)
  })
}

/** All that are not suspended and end on a day, each with its next period. */
export function listEnding({ active }: RenewalFacts, day: Date, zone: Limits['zone']): Renewing[] {
  return active.flatMap((one) => {
    const { anchor, period_end } = one.subscription
    if (one.isHeld || dayInZone(period_end, zone) !== dayInZone(day, zone)) return []
    return [{ ...one, next: periodAt(anchor, periodIndexAt(anchor, period_end, zone), zone) }]
  })
}

/**
 * The items that go on, each at the price that it was sold at, but those that were ordered after their period had ended
 * and so are paid beyond it; and the lower plan in place of the one that ends.
 */
export function listRenewed({ items }: RenewalFacts, renewing: readonly Renewing[]): RenewedItem[] {
  const known = new Map(renewing.map((one) => [one.subscription.id, one]))
  const going = items.flatMap(({ item, terms, chargedUntil }): RenewedItem[] => {
    const { subscription_id: subscription } = item
    const { next, lower } = known.get(subscription) ?? {}
    if (!next || lower !== undefined || (chargedUntil && chargedUntil > next.start)) return []
    return [{ subscription, item, terms, period: next }]
  })
  const lower = renewing.flatMap(({ subscription: { id }, next, lower: terms }): RenewedItem[] =>
    terms ? [{ subscription: id, terms, period: next }] : [],
  )
  return [...going, ...lower]
}

/** Names an item within the basket of its renewal. */
export function keyOf({ item, subscription }: Pick<RenewedItem, 'item' | 'subscription'>): string {
  return item?.id ?? subscription
}

/** The price of renewing these items at a moment, with the account's coupons and means. */
export function priceRenewed(
  { redemptions, means }: Pick<RenewalFacts, 'redemptions' | 'means'>,
  { renewing, items: renewed }: { renewing: readonly Renewing[]; items: readonly RenewedItem[] },
  { at, limits: { currency } }: { at: Date; limits: Pick<Limits, 'currency'> },
): PricedBasket {
  const ending = new Set(renewing.flatMap(({ subscription, lower }) => (lower === null ? [subscription.id] : [])))
  const coupons = redemptions.map((one) => couponFacts(movedOn(one, ending), currency))
  const items = renewed.map((one) => {
    const { subscription, terms, period } = one
    return { kind: terms.kind, key: keyOf(one), subscription, price: priceOfTerms(terms), period }
  })
  return priceBasket({ currency, items, coupons, means }, at)
}

/** A coupon whose subscription ends here may be used on another. */
function movedOn(redemption: Redemption, ending: ReadonlySet<string>): Redemption {
  const { uses } = redemption
  return uses === undefined
    ? redemption
    : { ...redemption, uses: uses.map((use) => (ending.has(use.subscription) ? { ...use, isLiving: false } : use)) }
}

/** Why no bills are written for the account until the operator has looked; undefined while they are usual. */
function whyParked(
  { issuedToday }: RenewalFacts,
  items: readonly RenewedItem[],
  { gross }: PricedBasket,
): string | undefined {
  if (issuedToday >= mostInDay) return `more than ${mostInDay} renewals in one day`
  const month = sumMoney(
    items.map(({ terms }) => priceOfTerms(terms)),
    gross.currency,
  )
  if (gross.minor > multiplyMoney(month, mostMonths).minor) return `a renewal of over ${mostMonths} months`
  return undefined
}
