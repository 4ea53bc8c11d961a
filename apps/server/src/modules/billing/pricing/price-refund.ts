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
  /** Whether it was paid; what is still owed comes off its invoice. */
  isPaid: boolean
  /** Whether its instance ever ran: one that did not costs nothing. */
  hasRun: boolean
}

/** `kept`, `toBalance`, `offOwed`, `lapsedPromo` and `toPromo` sum to the item's net. */
export interface RefundedItem {
  key: string
  kept: Money
  toBalance: Money
  /** Comes off what is still owed: only of what was not paid. */
  offOwed: Money
  /** Promotional credit that is neither used nor given back. */
  lapsedPromo: Money
  /** Given back as promotional credit: only of what never ran. */
  toPromo: Money
}

export interface PricedRefund {
  items: RefundedItem[]
  toBalance: Money
  offOwed: Money
  lapsedPromo: Money
  toPromo: Money
}

/**
 * What ends at `at` gives back: of each item what is left of its time, to the balance, or off what is still owed for
 * it. Promotional credit counts as used first and never becomes cash.
 */
export function priceRefund(items: readonly RefundableItem[], at: Date, currency: Currency): PricedRefund {
  return sumRefunds(
    items.map((item) => refundItem(item, at)),
    currency,
  )
}

export function sumRefunds(items: RefundedItem[], currency: Currency): PricedRefund {
  const sum = (part: Exclude<keyof PricedRefund, 'items'>) =>
    sumMoney(
      items.map((item) => item[part]),
      currency,
    )
  const toCustomer = { toBalance: sum('toBalance'), offOwed: sum('offOwed'), toPromo: sum('toPromo') }
  return { items, ...toCustomer, lapsedPromo: sum('lapsedPromo') }
}

function refundItem({ key, period, net, promo, isPaid, hasRun }: RefundableItem, at: Date): RefundedItem {
  const nothing = money(0, net.currency)
  const none = { key, kept: nothing, toBalance: nothing, offOwed: nothing, lapsedPromo: nothing, toPromo: nothing }
  const { kept, returned } = hasRun ? splitRefund(net, period, at) : { kept: nothing, returned: net }
  if (!isPaid) return { ...none, kept, offOwed: returned }
  if (!hasRun) return { ...none, toBalance: subtractMoney(net, promo), toPromo: promo }
  const lapsedPromo = subtractMoney(promo, smallerMoney(promo, kept))
  return { ...none, kept, toBalance: subtractMoney(returned, lapsedPromo), lapsedPromo }
}
