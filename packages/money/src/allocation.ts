import { divideHalfEven } from './half-even.ts'
import { type Money, money, subtractMoney, sumMoney } from './money.ts'

/**
 * Spreads `total` over items in proportion to their amounts, as differences of rounded running totals: the shares sum
 * to `total`, and none is below zero or above its item. Throws unless 0 ≤ total ≤ the sum of the items, and no item is
 * negative.
 */
export function allocate(total: Money, items: readonly Money[]): Money[] {
  const sum = sumMoney(items, total.currency)
  if (total.minor < 0 || total.minor > sum.minor || items.some(({ minor }) => minor < 0))
    throw new RangeError(`Cannot spread ${total.minor} over items of ${sum.minor}.`)
  if (sum.minor === 0) return items.map(() => total)
  let running = 0
  let given = money(0, total.currency)
  return items.map(({ minor }) => {
    running += minor
    const until = money(divideHalfEven(BigInt(total.minor) * BigInt(running), BigInt(sum.minor)), total.currency)
    const share = subtractMoney(until, given)
    given = until
    return share
  })
}
