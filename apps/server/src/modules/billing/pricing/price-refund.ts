import {
  type Currency,
  divideHalfEven,
  type Money,
  money,
  type Period,
  secondsBetween,
  smallerMoney,
  subtractMoney,
  sumMoney,
} from '@atoll/money'

/** An invoice's item that ends before the time it was charged for. */
export interface RefundableItem {
  key: string
  /** The time it was charged for. */
  period: Period
  net: Money
  /** The part of what is left of it that promotional credit paid. */
  promo: Money
  /** The amount credited before, because its machine was stopped. */
  credited: Money
  /** When it was stopped for want of payment, spans apart from each other: that time is not charged. */
  stopped: readonly Period[]
  /** Whether it was paid; what is still owed comes off its invoice. */
  isPaid: boolean
  /** Whether its instance ever ran: one that did not costs nothing. */
  hasRun: boolean
}

/** `kept`, `toBalance`, `offOwed`, `toPromo` and what was given back before sum to the item's net. */
export interface RefundedItem {
  key: string
  hasRun: boolean
  kept: Money
  toBalance: Money
  /** Comes off what is still owed: only of what was not paid. */
  offOwed: Money
  /** Given back as promotional credit, to the grants that it came from. */
  toPromo: Money
}

export interface PricedRefund {
  items: RefundedItem[]
  toBalance: Money
  offOwed: Money
  toPromo: Money
}

/**
 * Refund of items that end at `at`: the rest of each item's time and the time it was stopped, to the balance or off the
 * amount still owed for it. If `at` is null, the items go on and only the stopped time is refunded. Promotional credit
 * counts as used first and never becomes cash.
 */
export function priceRefund(items: readonly RefundableItem[], at: Date | null, currency: Currency): PricedRefund {
  return sumRefunds(
    items.map((item) => refundItem(item, at ?? item.period.end)),
    currency,
  )
}

export function sumRefunds(items: RefundedItem[], currency: Currency): PricedRefund {
  const sum = (part: Exclude<keyof PricedRefund, 'items'>) =>
    sumMoney(
      items.map((item) => item[part]),
      currency,
    )
  return { items, toBalance: sum('toBalance'), offOwed: sum('offOwed'), toPromo: sum('toPromo') }
}

function refundItem(item: RefundableItem, at: Date): RefundedItem {
  const { key, net, promo, credited, isPaid, hasRun } = item
  const nothing = money(0, net.currency)
  const none = { key, hasRun, kept: nothing, toBalance: nothing, offOwed: nothing, toPromo: nothing }
  const left = subtractMoney(net, credited)
  const kept = smallerMoney(hasRun ? costOfUse(item, at) : nothing, left)
  const returned = subtractMoney(left, kept)
  if (!isPaid) return { ...none, kept, offOwed: returned }
  const toPromo = subtractMoney(smallerMoney(promo, left), smallerMoney(promo, kept))
  return { ...none, kept, toBalance: subtractMoney(returned, toPromo), toPromo }
}

/** Half-even(net × seconds used ÷ seconds of the period): those until `at`, less those of them that it was stopped. */
function costOfUse({ net, period: { start, end }, stopped }: RefundableItem, at: Date): Money {
  const until = new Date(Math.min(Math.max(at.getTime(), start.getTime()), end.getTime()))
  const used = stopped.reduce(
    (left, span) => {
      const from = new Date(Math.max(span.start.getTime(), start.getTime()))
      const to = new Date(Math.min(span.end.getTime(), until.getTime()))
      return left - Math.max(secondsBetween(from, to), 0)
    },
    secondsBetween(start, until),
  )
  return money(divideHalfEven(BigInt(net.minor) * BigInt(used), BigInt(secondsBetween(start, end))), net.currency)
}
