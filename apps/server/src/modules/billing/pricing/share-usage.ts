import { type Money, money, roundCharge, secondsBetween, smallerMoney } from '@atoll/money'
import type { UsageItem } from './basket.ts'
import { partsAbove } from './price-usage.ts'

/** Usage of a cluster at some time, 10^-6 units as the item counts them. Shares with the same `at` are simultaneous. */
export interface Share {
  /** ms; in order. */
  at: number
  clusterId: string
  used: bigint
}

export interface PricedShare extends Share {
  /** The part of `used` that is above the included quantity. */
  above: bigint
  /** The part of the charge that is for `above`. */
  amount: Money
}

/**
 * Distributes the overage and the charge of a product over its usage (board 45). `shares`: for each part of the item
 * its usage in the order of time, which must sum to the part's `used`. `charged`: the amount billed for the item, which
 * a cap makes less than its price.
 *
 * A flow is above the quota from the moment at which the quota is used up; simultaneous shares divide that in
 * proportion to their usage. Storage is above the quota in the same proportion in every share. The charge covers the
 * earliest overage, and a cap waives the latest. `used` and `above` sum to those of `includedOf`, and the amounts sum
 * to `charged`, or to the price of the overage where that is less.
 */
export function shareUsage(
  item: Pick<UsageItem, 'measure' | 'period' | 'parts'>,
  shares: readonly (readonly Share[])[],
  charged: Money,
): PricedShare[][] {
  const whole = BigInt(secondsBetween(item.period.start, item.period.end))
  const sums = { above: 0n, exact: 0n, shown: 0n, minor: 0 }
  return partsAbove(item).map((part, index) => {
    const own = shares[index] ?? []
    const before = { above: sums.above, exact: sums.exact }
    const passed = (used: bigint) => {
      if (item.measure === 'flow') return positive(used * whole - part.allowed)
      return part.used === 0n ? 0n : (part.above * used * whole) / part.used
    }
    let used = 0n
    const priced = [...Map.groupBy(own, ({ at }) => at).values()].flatMap((together) => {
      const all = together.reduce((sum, one) => sum + one.used, 0n)
      const [from, to] = [passed(used), passed(used + all)]
      used += all
      let within = 0n
      return together.map((share): PricedShare => {
        within += share.used
        const above = all === 0n ? from : from + ((to - from) * within) / all
        const told = tell(before.above + above, before.exact + above * part.micros)
        return { ...share, ...told }
      })
    })
    Object.assign(sums, { above: before.above + part.above, exact: before.exact + part.above * part.micros })
    return priced
  })

  /** The differences of the rounded running totals: so all of them add up to the rounded total. */
  function tell(above: bigint, exact: bigint): { above: bigint; amount: Money } {
    const shown = above / whole
    const { minor } = smallerMoney(roundCharge(exact, charged.currency, whole), charged)
    const grown = { above: shown - sums.shown, amount: money(minor - sums.minor, charged.currency) }
    Object.assign(sums, { shown, minor })
    return grown
  }
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
