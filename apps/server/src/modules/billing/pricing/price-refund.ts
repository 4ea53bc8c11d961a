import {
  type Currency,
  type Money,
  money,
  type Period,
  smallerMoney,
  splitRefund,
  subtractMoney,
  sumMoney,
} from '@atoll/money'

/** An invoice's item that ends before the time it was charged for. */
export interface RefundableItem {
  key: string
  /** The time it was charged for. */
  period: Period
  net: Money
  /** The part of `net` that promotional credit paid. */
  promo: Money
  /** Whether its machine ever ran: one that did not costs nothing. */
  hasRun: boolean
}

/** `kept`, `toBalance`, `lapsedPromo` and `toPromo` sum to the item's net. */
export interface RefundedItem {
  key: string
  kept: Money
  toBalance: Money
  /** Promotional credit that is neither used nor given back. */
  lapsedPromo: Money
  /** Given back as promotional credit: only of what never ran. */
  toPromo: Money
}

export interface PricedRefund {
  items: RefundedItem[]
  toBalance: Money
  lapsedPromo: Money
  toPromo: Money
}

/**
 * What ends at `at` gives back: of each item what is left of its time, to the balance. Promotional credit counts as used
 * first and never becomes cash.
 */
export function priceRefund(items: readonly RefundableItem[], at: Date, currency: Currency): PricedRefund {
  const refunded = items.map((item) => refundItem(item, at))
  const sum = (part: 'toBalance' | 'lapsedPromo' | 'toPromo') =>
    sumMoney(
      refunded.map((item) => item[part]),
      currency,
    )
  return { items: refunded, toBalance: sum('toBalance'), lapsedPromo: sum('lapsedPromo'), toPromo: sum('toPromo') }
}

function refundItem({ key, period, net, promo, hasRun }: RefundableItem, at: Date): RefundedItem {
  const nothing = money(0, net.currency)
  if (!hasRun) return { key, kept: nothing, toBalance: subtractMoney(net, promo), lapsedPromo: nothing, toPromo: promo }
  const { kept, returned } = splitRefund(net, period, at)
  const lapsedPromo = subtractMoney(promo, smallerMoney(promo, kept))
  return { key, kept, toBalance: subtractMoney(returned, lapsedPromo), lapsedPromo, toPromo: nothing }
}
