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
 * Price of the usage above the quota, rounded once, less the amount charged for it before. `cap`: the most that the
 * basket leaves for it; the rest is waived for good.
 *
 * Stored: each part of the period has its share of the quota, and its own rate. Flowing: a raise adds its quota for the
 * share of the period that it was paid for; usage above the quota is charged at the rate of its part, and usage within
 * it counts against the quota of the next part.
 */
export function priceUsage(item: UsageItem, currency: Currency, cap?: Money): GrossItem {
  const whole = BigInt(secondsBetween(item.period.start, item.period.end))
  const parts = partsAbove(item)
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
    ...(item.measure === 'flow' && item.parts.length > 1 && { quotaByTime: true as const }),
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
    ...(item.isCorrection && { correction: true as const }),
    ...(charged && { charged: charged.minor }),
    ...(waived > 0 && { waived }),
  }
  const { key, kind, period } = item
  return { key, kind, period, proration: false, amount, explain, whole: period, subscription: item.subscription ?? '' }
}

/** Usage of a part, in 10^-6 units times the seconds of the period, so that shares of the period stay whole. */
interface PartAbove {
  used: bigint
  /** The part's quota, less the quota used by earlier parts of a flow. */
  allowed: bigint
  above: bigint
  micros: bigint
}

/** The usage above the quota of each part, and within it. */
export function partsAbove({ measure, period, parts }: Pick<UsageItem, 'measure' | 'period' | 'parts'>): PartAbove[] {
  const whole = BigInt(secondsBetween(period.start, period.end))
  let quota = 0n
  let within = 0n
  return parts.map(({ part, used, quota: full, rate }, index) => {
    const before = parts[index - 1]
    if (measure === 'stock') quota = full * BigInt(secondsBetween(part.start, part.end))
    else if (!before) quota = full * whole
    else quota += (full - before.quota) * BigInt(secondsBetween(part.start, period.end))
    const allowed = positive(measure === 'stock' ? quota : quota - within)
    const above = positive(used * whole - allowed)
    within += used * whole - above
    return { used: used * whole, allowed, above, micros: rate?.micros ?? 0n }
  })
}

/** The quota of the period with its current plans, and the usage that counts against the limit now: 10^-6 units. */
export function includedOf(item: Pick<UsageItem, 'measure' | 'period' | 'parts'>): {
  /** Used in the whole period, and above what is included. */
  used: bigint
  overage: bigint
  quota: bigint
  /** Of `limit`, so much is used up; of what is stored both are those of the running part. */
  counted: bigint
  limit: bigint
} {
  const whole = BigInt(secondsBetween(item.period.start, item.period.end))
  const parts = partsAbove(item)
  const last = parts.at(-1)
  const past = parts.slice(0, -1)
  const sum = (of: (part: PartAbove) => bigint, among = parts) => among.reduce((total, part) => total + of(part), 0n)
  // Usage within the quota in earlier parts of a flow counts against the one quota that grows.
  const before = item.measure === 'flow' ? sum(({ used, above }) => used - above, past) : 0n
  const limit = before + (last?.allowed ?? 0n)
  return {
    used: sum(({ used }) => used) / whole,
    overage: sum(({ above }) => above) / whole,
    quota: (item.measure === 'flow' ? limit : sum(({ allowed }) => allowed)) / whole,
    counted: (before + (last?.used ?? 0n)) / whole,
    limit: limit / whole,
  }
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
