import { divideHalfEven } from './half-even.ts'
import { type Money, money, subtractMoney } from './money.ts'
import type { Period } from './periods.ts'

/**
 * The price of a part of a period: C(to) − C(from), where C(t) = half-even(price × seconds since the start ÷ seconds of
 * the period). As a difference of rounded totals, the parts of any cut sum to the price. Instants outside the period
 * count as its ends.
 */
export function prorate(price: Money, period: Period, part: Period): Money {
  return subtractMoney(costUntil(price, period, part.end), costUntil(price, period, part.start))
}

/** C(t) of `prorate`. */
export function costUntil(price: Money, period: Period, at: Date): Money {
  const seconds = secondsBetween(period.start, period.end)
  if (seconds <= 0) throw new RangeError('A period lasts at least a second.')
  const since = Math.min(Math.max(secondsBetween(period.start, at), 0), seconds)
  return money(divideHalfEven(BigInt(price.minor) * BigInt(since), BigInt(seconds)), price.currency)
}

/** The kept and the refunded part of an item that was used for some of its time; their sum is its net. */
export interface RefundSplit {
  readonly kept: Money
  readonly returned: Money
}

/**
 * Keeps half-even(net × used ÷ whole) and returns the rest; `whole` is the time that the item was charged for. Used
 * from its start, so an item that ends before it began is returned whole.
 */
export function splitRefund(net: Money, whole: Period, usedUntil: Date): RefundSplit {
  const kept = costUntil(net, whole, usedUntil)
  return { kept, returned: subtractMoney(net, kept) }
}

/** Whole seconds; a part of a second is not counted. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / 1000)
}
