import { type Money, money, type Period, periodAt, periodIndexAt } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { type InstanceTerms, priceIdOf, priceOfTerms } from '../../catalog/index.ts'
import { couponFacts } from '../coupons/coupon-facts.ts'
import { listUsable, type Redemption } from '../coupons/coupon-store.ts'
import { findClusterSubscription } from '../documents/subscription-store.ts'
import { type Method, readMeans } from '../orders/begin-payment.ts'
import { orderLifetimeMs } from '../orders/place-order.ts'
import type { InstanceItem, Means, PricedBasket } from '../pricing/basket.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { estimateInstant } from './estimate-token.ts'

export interface EstimateOrder {
  userid: string
  /** The cluster that the instances are added to; null for a new one. */
  clusterId: string | null
  /** What each instance is sold for. */
  terms: readonly InstanceTerms[]
  /** Time of the account; priced at its whole second. */
  at: Date
  /** The card on file. */
  method: Method | null
  /** What it may use; absent: what the account redeemed. */
  usable?: readonly Redemption[]
}

export interface Estimate {
  /** Where the period of a new cluster begins, and the rest of a living one's. */
  at: Date
  basket: PricedBasket
  /** Ids of the prices, in the order of the items. */
  prices: string[]
  /** What the instances cost from the next bill on, with the coupon where it goes on. */
  perMonth: Money
  /** When the next bill is. */
  nextAt: Date
  /** Until when what was ordered and not paid can be paid. */
  validUntil: Date
}

/** What ordering these instances at that instant costs, to the cent: the facts are those that `placeOrder` prices. */
export async function estimateOrder(
  db: Db,
  { currency, zone }: Pick<Limits, 'currency' | 'zone'>,
  order: EstimateOrder,
): Promise<Estimate> {
  const { userid, clusterId, terms, method } = order
  const at = estimateInstant(order.at)
  const living = clusterId === null ? undefined : await findClusterSubscription(db, clusterId)
  const anchor = living?.anchor ?? at
  const index = periodIndexAt(anchor, at, zone)
  const period = periodAt(anchor, index, zone)
  const means = await readMeans(db, { userid, at, mayRoll: method !== null }, currency)
  const usable = order.usable ?? (await listUsable(db, userid))
  const basketOf = (period: Period, coupons: readonly Redemption[], means: Means, at: Date) => {
    const items = terms.map(
      (sold, place): InstanceItem => ({ kind: 'instance', key: String(place), price: priceOfTerms(sold), period }),
    )
    return priceBasket({ currency, items, coupons: coupons.map((one) => couponFacts(one, currency)), means }, at)
  }
  const basket = basketOf(period, usable, means, at)
  const next = periodAt(anchor, index + 1, zone)
  const goOn = usable.filter(({ coupon }) => coupon.duration !== 'once')
  const nothing = money(0, currency)
  const renewal = basketOf(next, goOn, { promo: nothing, cash: nothing, mayRoll: true }, next.start)
  return {
    at,
    basket,
    prices: terms.map(priceIdOf),
    perMonth: renewal.total,
    nextAt: next.start,
    validUntil: new Date(Math.min(at.getTime() + orderLifetimeMs, period.end.getTime())),
  }
}
