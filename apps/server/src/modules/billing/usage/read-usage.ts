import type { MeteredProduct } from '@atoll/contract/billing'
import { divideHalfEven, type Period, secondsBetween } from '@atoll/money'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { overageRate, type PlanTerms } from '../../catalog/index.ts'
import type { UsageItem } from '../pricing/basket.ts'
import type { WallClock } from '../travel/wall-clock.ts'
import { metering, quotaOfProduct } from './metered-products.ts'
import type { Meters, Reading } from './meters.ts'

export interface UsageDeps {
  meters: Meters
}

/** What was read of a product over a period, cut where the plan changed. */
export interface ReadUsage {
  item: UsageItem
  /** `counted`: what each cluster's part comes to in the period, as `item` has the sum of them. */
  readings: { part: Period; reading: Reading; counted: Reading['parts'] }[]
  complete: boolean
}

/** Reads a product over the parts of a period until `until`. */
export async function readUsage(
  { meters }: UsageDeps,
  db: Db,
  {
    userid,
    product,
    period,
    spans,
    until = period.end,
    wallClock,
  }: {
    userid: string
    product: MeteredProduct
    period: Period
    spans: readonly { terms: PlanTerms; part: Period }[]
    until?: Date
    /** Of the account, for the meters. */
    wallClock: WallClock
  },
): Promise<ReadUsage> {
  const { measure, unitLabel } = metering[product]
  const whole = BigInt(secondsBetween(period.start, period.end))
  const readings: ReadUsage['readings'] = []
  const parts: UsageItem['parts'][number][] = []
  for (const { terms, part } of spans) {
    if (part.start >= until) continue
    const read = { start: part.start, end: part.end < until ? part.end : until }
    const [from, to] = [wallClock(read.start), wallClock(read.end)]
    // Within a jump no time passed: nothing was used, and nothing is to come.
    const reading =
      from < to
        ? await meters.read(db, { userid, productType: product, from, to })
        : { used: 0n, unitLabel, asOf: to, complete: true, parts: [], digest: sha256Hex('') }
    const seconds = BigInt(secondsBetween(from, to))
    const count = (used: bigint) => (measure === 'flow' ? used : divideHalfEven(used * seconds, whole))
    const counted = reading.parts.map((one) => ({ ...one, used: count(one.used) }))
    readings.push({ part: read, reading, counted })
    const used = count(reading.used)
    const rate = overageRate(terms, product)
    parts.push({ part, used, quota: quotaOfProduct(terms.quotas, product), ...(rate && { rate }) })
  }
  return {
    item: { kind: 'usage', key: product, period, measure, parts },
    readings,
    complete: readings.every(({ reading }) => reading.complete),
  }
}
