import { type Money, money, periodAt, periodIndexAt } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { Limits } from '../../accounts/index.ts'
import { priceIdOf } from '../../catalog/index.ts'
import { couponFacts } from '../coupons/coupon-facts.ts'
import { listUsable, type Redemption } from '../coupons/coupon-store.ts'
import { instanceItems, type OrderFacts, type PricedOrder, priceOrder } from '../orders/price-order.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { estimateInstant } from './estimate-token.ts'

/** `at` is priced at its whole second. */
export interface EstimateOrder extends Omit<OrderFacts, 'coupons'> {
  /** What it may use; absent: what the account redeemed. */
  usable?: readonly Redemption[]
}

export interface Estimate extends PricedOrder {
  /** Ids of the prices, in the order of the items. */
  prices: string[]
  /** What the instances cost from the next bill on, with the coupon where it goes on. */
  perMonth: Money
  /** When the next bill is. */
  nextAt: Date
}

/** What ordering these instances at that instant costs, to the cent: it is placed at these very figures. */
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
  const nothing = money(0, currency)
  const renewal = priceBasket(
    {
      currency,
      items: instanceItems(terms, next),
      coupons: usable.filter(({ coupon }) => coupon.duration !== 'once').map((one) => couponFacts(one, currency)),
      means: { promo: nothing, cash: nothing, mayRoll: true },
    },
    next.start,
  )
  return { ...priced, prices: terms.map(priceIdOf), perMonth: renewal.total, nextAt: next.start }
}
