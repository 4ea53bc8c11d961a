import { type Period, periodAt, periodIndexAt } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { priceIdOf } from '../../catalog/index.ts'
import { instanceItems, type OrderFacts, type PricedOrder, priceOrder } from '../pay/bills/price-order.ts'
import { couponFacts } from '../pricing/coupons/coupon-facts.ts'
import { estimateInstant } from '../pricing/estimate-token.ts'
import { type PriceAfter, priceAfter } from '../pricing/price-after.ts'
import { listUsable, type Redemption } from '../records/coupon-store.ts'

/** `at` is priced at its whole second. */
export interface EstimateOrder extends Omit<OrderFacts, 'coupons'> {
  /** The redemptions that it may use; absent: those of the account. */
  usable?: readonly Redemption[]
}

export interface Estimate extends PricedOrder, PriceAfter {
  /** Ids of the prices, in the order of the items. */
  prices: string[]
  /** When the next bill is. */
  nextAt: Date
}

/** The exact cost of ordering these instances at that instant: the order is placed at the same figures. */
export async function estimateOrder(
  db: Db,
  market: Pick<Limits, 'currency' | 'zone'>,
  { usable: given, ...order }: EstimateOrder,
): Promise<Estimate> {
  const { currency, zone } = market
  const { userid, terms } = order
  const at = estimateInstant(order.at)
  const usable = given ?? (await listUsable(db, userid))
  const coupons = usable.map((one) => couponFacts(one, currency))
  const priced = await priceOrder(db, market, { ...order, at, coupons })
  const next = periodAt(priced.anchor, periodIndexAt(priced.anchor, at, zone) + 1, zone)
  const { anchor, basket, living } = priced
  const subscription = living?.id ?? ''
  const itemsIn = (period: Period) => instanceItems(terms, period, subscription)
  const after = priceAfter({ anchor, zone, subscription, coupons, basket, itemsIn }, next.start)
  return { ...priced, prices: terms.map(priceIdOf), ...after, nextAt: next.start }
}
