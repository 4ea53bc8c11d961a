import { type Money, type Period, periodAt, periodIndexAt, type Zone } from '@atoll/money'
import type { BasketFacts, BasketItem, CouponFacts, PricedBasket } from './basket.ts'
import { priceBasket } from './price-basket.ts'

/** A basket of one subscription as priced now, and whose periods go on. */
export interface Priced {
  anchor: Date
  zone: Zone
  /** Empty: of a subscription that begins with it. */
  subscription: string
  coupons: readonly CouponFacts[]
  basket: PricedBasket
  /** The same items for another period. */
  itemsIn(period: Period): BasketItem[]
}

/** The price from the next bill on, and after its coupon ends. */
export interface PriceAfter {
  perMonth: Money
  /** Null where no coupon reduces the next bill, or where it does so for ever. */
  afterCoupon: { code: string; amount: Money; from: Date } | null
}

/**
 * The price of the same items in the first period that begins at or after `from`, with the coupons that are still valid
 * then, and the price after that bill's coupon has ended. Promotional credit and balance are not considered.
 */
export function priceAfter({ anchor, zone, coupons, basket, itemsIn, subscription }: Priced, from: Date): PriceAfter {
  const { currency } = basket.total
  const nothing = { minor: 0, currency }
  const means: BasketFacts['means'] = { promo: nothing, cash: nothing, mayRoll: true }
  const periodFrom = (at: Date) => {
    const index = periodIndexAt(anchor, at, zone)
    const period = periodAt(anchor, index, zone)
    return period.start < at ? periodAt(anchor, index + 1, zone) : period
  }
  const first = basket.items.find(({ discount }) => discount.minor > 0)
  const goOn = coupons.flatMap((coupon): CouponFacts[] => {
    if (coupon.isOnce) return []
    // Existing items of the subscription use a coupon of an amount that is bound to it, in the next period too.
    const isTaken = coupon.amountOff && coupon.boundTo === subscription
    if (coupon.code !== basket.coupon?.code || !first) return isTaken ? [] : [coupon]
    const { months, ...rest } = coupon
    const index = periodIndexAt(anchor, first.period.start, zone)
    const begins = { subscription, from: periodAt(anchor, index, zone).start }
    const counted = months !== undefined && { begins, endsAt: periodAt(anchor, index + months, zone).start }
    return coupon.takes?.some((take) => isTaken && take.period.start.getTime() === begins.from.getTime())
      ? []
      : [{ ...rest, ...counted, ...(coupon.amountOff && { boundTo: subscription }) }]
  })
  const priceIn = (period: Period, usable: readonly CouponFacts[]) =>
    priceBasket({ currency, items: itemsIn(period), coupons: usable, means }, period.start)
  const next = priceIn(periodFrom(from), goOn)
  const ending = goOn.find(({ code }) => code === next.coupon?.code)
  const endsAt = ending && endOf(ending)
  if (!endsAt) return { perMonth: next.total, afterCoupon: null }
  const after = periodFrom(endsAt)
  const used = goOn.map(({ months, ...one }): CouponFacts => {
    return one.code === ending.code ? { ...one, endsAt } : { ...one, ...(months !== undefined && { months }) }
  })
  return {
    perMonth: next.total,
    afterCoupon: { code: ending.code, amount: priceIn(after, used).total, from: after.start },
  }

  /** Where its months end: those of one that reduces nothing now begin with the next bill. */
  function endOf({ endsAt, months }: CouponFacts): Date | undefined {
    if (endsAt || months === undefined) return endsAt
    return periodAt(anchor, periodIndexAt(anchor, periodFrom(from).start, zone) + months, zone).start
  }
}
