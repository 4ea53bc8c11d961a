/** Decides what a bill of usage charges, from what was loaded. Pure functions. */
import type { MeteredProduct } from '@atoll/contract/billing'
import {
  addMoney,
  type Currency,
  type Money,
  money,
  type Period,
  smallerMoney,
  subtractMoney,
  sumMoney,
} from '@atoll/money'
import type { CouponFacts, Means, PricedBasket, UsageItem } from '../pricing/basket.ts'
import { correctPeriod } from '../pricing/correct-period.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { atLeastNothing } from '../pricing/price-prepaid.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import type { Redemption } from '../records/coupon-store.ts'
import { mostCharged } from './current-usage.ts'
import type { PeriodUsage } from './period-usage.ts'
import type { PlanSpan } from './plan-spans.ts'
import type { BilledUsage } from './reading-store.ts'
import type { UsageMeans } from './usage-means.ts'

/** A period with what its meters have now, and what was billed of it. */
export interface BilledPeriod extends PeriodUsage {
  period: Period
  billed: BilledUsage
  /** The most that it may cost as its owner or its plan says; undefined: no cap. */
  cap: Money | undefined
  /** Up to which amount it was covered, and what it came to when it was billed as a whole; minor units. */
  kept: { covered: number; priced: number | null } | undefined
}

/** One before, which is corrected. */
export interface PastPeriod extends BilledPeriod {
  /** Its own bill has not been written, because its meters have not spoken for all of it: nothing is corrected. */
  isWaiting: boolean
  /** The coupon of an amount by which it was billed, used up or not. */
  redemption: Redemption | undefined
}

export interface UsageBillFacts {
  subscriptionId: string
  currency: Currency
  own: BilledPeriod
  /** The bill of the whole period, after its end. */
  isWhole: boolean
  past: readonly PastPeriod[]
  redemptions: readonly Redemption[]
  usageMeans: UsageMeans
  /** The means that pay the bill. */
  means: Means
}

/** A line of a usage invoice before it is priced. */
export interface UsageLine {
  item: UsageItem
  product: MeteredProduct
  span: PlanSpan
  part: number
  readings: PeriodUsage['usage'][number]['readings']
}

/** The additional charges of a period before. */
interface More {
  past: PastPeriod
  lines: UsageLine[]
}

export interface UsageBill {
  /** Each with readings to keep, charged or not. */
  lines: readonly UsageLine[]
  /** Without lines that cost nothing. */
  basket: PricedBasket
  /** Up to which amount periods are covered by it, and what those came to that are billed as a whole. */
  keeps: readonly { start: Date; covered: number; priced?: number }[]
}

/**
 * The bill of a period's usage above what was billed of it, and of what periods before have come to since, within their
 * caps and what the means cover. The period's own usage comes first: where the cap does not leave enough, usage of
 * periods before is waived. `at`: when it is written.
 */
export function decideUsageBill(facts: UsageBillFacts, at: Date): UsageBill {
  const { subscriptionId, own, isWhole } = facts
  const span = own.spans.at(-1)
  const lines = own.usage.flatMap(({ product, item, readings }): UsageLine[] => {
    if (!span) return []
    const charged = own.billed.of(product)
    const rest = { ...item, subscription: subscriptionId, ...(charged.minor > 0 && { charged }) }
    return [{ item: rest, product, span, readings, part: isWhole ? 0 : own.billed.nextPart(product) }]
  })
  const more = facts.past.flatMap((past) => decideMore(facts, past))
  const basket = priceBill(facts, { lines, more }, at)
  const ownKeep = { start: own.period.start, covered: billedWith(own, lines, basket) }
  return {
    lines: [...lines, ...more.flatMap((one) => one.lines)],
    basket,
    keeps: [
      ...(span ? [{ ...ownKeep, ...(isWhole && { priced: grossOf(own.usage, facts.currency) }) }] : []),
      ...more.map(({ past, lines: added }) => {
        const covered = billedWith(past, added, basket)
        return {
          start: past.period.start,
          covered,
          ...(!past.isWaiting && { priced: grossOf(past.usage, facts.currency) }),
        }
      }),
    ],
  }
}

/** The parts of a period before that cost more by its readings now than was billed. */
function decideMore({ subscriptionId, currency }: UsageBillFacts, past: PastPeriod): More[] {
  const { period, spans, usage, billed, isWaiting } = past
  const span = spans.at(-1)
  const cap = capOf(past, currency)
  const items = usage.map(({ item }) => item)
  const { more } = correctPeriod({ currency, items, billed: billed.lines, ...(cap && { cap }) })
  const lines = usage.flatMap(({ product, item, readings }): UsageLine[] => {
    const rest = more.find(({ key }) => key === item.key)
    if (!rest || !span) return []
    const { isCorrection, ...known } = rest
    const key = `${product} ${period.start.toISOString()}`
    const priced = { ...known, key, subscription: subscriptionId, ...(isCorrection && !isWaiting && { isCorrection }) }
    return [{ item: priced, product, span, readings, part: billed.nextPart(product) }]
  })
  return lines.length === 0 ? [] : [{ past, lines }]
}

function priceBill(
  { currency, own, redemptions, usageMeans, means, subscriptionId }: UsageBillFacts,
  { lines, more }: { lines: readonly UsageLine[]; more: readonly More[] },
  at: Date,
): PricedBasket {
  const most = mostCharged({ means: usageMeans, billed: own.billed, covered: own.kept?.covered ?? 0 })
  const cappedAt = most ? smallerMoney(most, own.cap ?? most) : own.cap
  const usageCap = cappedAt && atLeastNothing(subtractMoney(cappedAt, own.billed.total))
  // A period that waits for its own bill is no correction: it comes first, and the current coupons apply to all of it
  // together.
  const waiting = more.filter(({ past }) => past.isWaiting).flatMap((one) => one.lines)
  const items = [...waiting, ...lines].map(({ item }) => item)
  const corrections = more
    .filter(({ past }) => !past.isWaiting)
    .map((one) => ({
      items: one.lines.map(({ item }) => item),
      coupons: couponsOf(one.past, { currency, redemptions, subscriptionId }),
    }))
  const coupons = redemptions.map((one) => couponFacts(one, currency))
  const priced = priceBasket({ currency, items, coupons, corrections, means, ...(usageCap && { usageCap }) }, at)
  return { ...priced, items: priced.items.filter(({ amount }) => amount.minor > 0) }
}

/**
 * The coupon by which a period was billed. One that was not billed yet, because nothing was above its quotas, has those
 * that were there when it ended and that are used in each period.
 */
function couponsOf(
  { period, billed: { lines }, redemption }: PastPeriod,
  { currency, redemptions, subscriptionId }: Pick<UsageBillFacts, 'currency' | 'redemptions' | 'subscriptionId'>,
): CouponFacts[] {
  const own = lines.findLast(({ coupon }) => coupon)?.coupon
  if (!own) {
    if (lines.length > 0) return []
    return redemptions
      .filter(({ redeemedAt }) => redeemedAt < period.end)
      .map((one) => couponFacts(one, currency))
      .filter(({ isOnce, months }) => !isOnce && months === undefined)
  }
  const { code, percentOff, amountOff } = own
  const facts: CouponFacts = { code, appliesTo: ['usage'] }
  if (percentOff !== undefined) return [{ ...facts, percentOff }]
  const isOnce = redemption?.coupon.duration === 'once'
  const minor = (redemption?.uses ?? [])
    .filter(
      (use) => isOnce || (use.subscription === subscriptionId && use.period.start.getTime() === period.start.getTime()),
    )
    .reduce((sum, use) => sum + use.minor, 0)
  const takes = [{ subscription: subscriptionId, period, minor }]
  return [{ ...facts, amountOff: money(amountOff ?? 0, currency), boundTo: subscriptionId, takes }]
}

/**
 * The most that a period that was billed as a whole may cost: its cap, and at most the amount its means covered then
 * plus the price of later readings. Undefined: no limit.
 */
function capOf({ cap, kept, usage }: PastPeriod, currency: Currency): Money | undefined {
  if (!kept || kept.priced === null) return cap
  const came = money(grossOf(usage, currency) - kept.priced, currency)
  const covered = addMoney(money(kept.covered, currency), atLeastNothing(came))
  return cap ? smallerMoney(cap, covered) : covered
}

/** The price of usage by its readings alone, minor units. */
function grossOf(usage: PeriodUsage['usage'], currency: Currency): number {
  return sumMoney(
    usage.map(({ item }) => priceUsage(item, currency).amount),
    currency,
  ).minor
}

/** The amount billed of a period once these lines are, minor units. */
function billedWith({ billed }: BilledPeriod, lines: readonly UsageLine[], basket: PricedBasket): number {
  const keys = new Set(lines.map(({ item }) => item.key))
  const added = basket.items.filter(({ key }) => keys.has(key)).map(({ amount }) => amount)
  return sumMoney([billed.total, ...added], billed.total.currency).minor
}
