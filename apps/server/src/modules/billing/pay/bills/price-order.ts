import { type Period, periodAt, periodIndexAt } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { Limits } from '../../../accounts/index.ts'
import { type InstanceTerms, priceOfTerms } from '../../../catalog/index.ts'
import type { CouponFacts, InstanceItem, PricedBasket } from '../../pricing/basket.ts'
import { priceBasket } from '../../pricing/price-basket.ts'
import type { SubscriptionRow } from '../../records/documents/document-tables.ts'
import { findClusterSubscription } from '../../records/documents/subscription-store.ts'
import { type Method, readMeans } from '../begin-payment.ts'

/** How long an order waits to be paid, ms. */
export const orderLifetimeMs = 24 * 60 * 60_000

export interface OrderFacts {
  userid: string
  /** The cluster that the instances are added to; null for one that is yet to be made. */
  clusterId: string | null
  /** The terms that each instance is sold on. */
  terms: readonly InstanceTerms[]
  /** Where a new cluster's period begins, and the rest of a living one's. Time of the account. */
  at: Date
  coupons: readonly CouponFacts[]
  /** The card on file. */
  method: Method | null
}

/** The price of an order: estimates show it, and the order is placed at exactly that price. */
export interface PricedOrder {
  at: Date
  /** The cluster's existing subscription. */
  living: SubscriptionRow | undefined
  anchor: Date
  period: Period
  /** Its items are in the order of the instances, whose places are their keys. */
  basket: PricedBasket
  /** Until when what was ordered and not paid can be paid. */
  validUntil: Date
}

/** Prices instances of one cluster for the rest of its period; what is to be placed, under the account's lock. */
export async function priceOrder(
  db: Db,
  { currency, zone }: Pick<Limits, 'currency' | 'zone'>,
  { userid, clusterId, terms, at, coupons, method }: OrderFacts,
): Promise<PricedOrder> {
  const living = clusterId === null ? undefined : await findClusterSubscription(db, clusterId)
  const anchor = living?.anchor ?? at
  const period = periodAt(anchor, periodIndexAt(anchor, at, zone), zone)
  const means = await readMeans(db, { userid, at, mayRoll: method !== null }, currency)
  const basket = priceBasket({ currency, items: instanceItems(terms, period, living?.id), coupons, means }, at)
  const validUntil = new Date(Math.min(at.getTime() + orderLifetimeMs, period.end.getTime()))
  return { at, living, anchor, period, basket, validUntil }
}

/** `subscription`: of a cluster that was sold before. */
export function instanceItems(terms: readonly InstanceTerms[], period: Period, subscription = ''): InstanceItem[] {
  return terms.map((sold, place) => {
    return { kind: 'instance', key: String(place), subscription, price: priceOfTerms(sold), period }
  })
}
