import {
  type Currency,
  exactUnits,
  formatRate,
  type Money,
  roundCharge,
  secondsBetween,
  smallerMoney,
  subtractMoney,
} from '@atoll/money'
import type { UsageItem } from './basket.ts'
import type { UsageExplain } from './explain.ts'
import type { GrossItem } from './gross-item.ts'

/**
 * What was used above the quota, rounded once, less what was charged for it before. `cap`: what the basket leaves for
 * it at most; the rest is waived for good.
 *
 * Stored: each part of the period has that part of the quota, and is charged at its own rate. Flowing: what passed the
 * quota of a part is charged at its rate, and what did not counts against the quota of the next part.
 */
export function priceUsage(item: UsageItem, currency: Currency, cap?: Money): GrossItem {
  const whole = BigInt(secondsBetween(item.period.start, item.period.end))
  const parts = item.measure === 'stock' ? partsOfStock(item, whole) : partsOfFlow(item, whole)
  // 10^-12 minor units times the seconds of the period.
  const exact = parts.reduce((sum, { above, micros }) => sum + above * micros, 0n)
  const rounded = roundCharge(exact, currency, whole)
  const { charged } = item
  const due = charged ? subtractMoney(rounded, smallerMoney(charged, rounded)) : rounded
  const caps = [cap, item.cap].filter((one) => one !== undefined)
  const amount = caps.reduce(smallerMoney, due)
  const waived = subtractMoney(due, amount).minor
  const explain: UsageExplain = {
    rule: 'usage',
    measure: item.measure,
    periodSeconds: Number(whole),
    parts: item.parts.map(({ part, used, quota, rate }, index) => ({
      start: part.start.toISOString(),
      seconds: secondsBetween(part.start, part.end),
      used: String(used),
      quota: String(quota),
      above: String(parts[index]?.above ?? 0n),
      rate: rate ? formatRate(rate) : null,
    })),
    exact: `${exact}/${exactUnits * whole}`,
    rounded: rounded.minor,
    ...(charged && { charged: charged.minor }),
    ...(waived > 0 && { waived }),
  }
  const { key, kind, period } = item
  return { key, kind, period, proration: false, amount, explain, begins: period.start }
}

interface Above {
  /** 10^-6 units times the seconds of the period. */
  above: bigint
  micros: bigint
}

function partsOfStock({ parts }: UsageItem, whole: bigint): Above[] {
  return parts.map(({ part, used, quota, rate }) => ({
    above: positive(used * whole - quota * BigInt(secondsBetween(part.start, part.end))),
    micros: rate?.micros ?? 0n,
  }))
}

function partsOfFlow({ parts }: UsageItem, whole: bigint): Above[] {
  let within = 0n
  return parts.map(({ used, quota, rate }) => {
    const above = positive(within + used - quota)
    within += used - above
    return { above: above * whole, micros: rate?.micros ?? 0n }
  })
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
