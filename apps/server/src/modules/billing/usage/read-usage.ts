import type { MeteredProduct } from '@atoll/contract/billing'
import { divideHalfEven, type Period, secondsBetween } from '@atoll/money'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { overageRate, type PlanTerms } from '../../catalog/index.ts'
import type { UsageItem } from '../pricing/basket.ts'
import type { WallClock } from '../records/wall-clock.ts'
import { metering, quotaOfProduct } from './metered-products.ts'
import type { Meters, Reading } from './meters.ts'

export interface UsageDeps {
  meters: Meters
  /** For so many days after its end a period that was billed is corrected where its readings change. */
  correctionDays: number
}

/** Readings of a product over a period, split where the plan changed. */
export interface ReadUsage {
  item: UsageItem
  /** `counted`: what each cluster's part comes to in the period, as `item` has the sum of them. */
  readings: { part: Period; reading: Reading; counted: Reading['parts'] }[]
  complete: boolean
}

/** Converts a reading of a part to the units of its period: GB of storage to GB-months, in proportion to time. */
export function countIn(product: MeteredProduct, period: Period, part: Period): (used: bigint) => bigint {
  if (metering[product].measure === 'flow') return (used) => used
  const [seconds, whole] = [part, period].map(({ start, end }) => BigInt(secondsBetween(start, end))) as [
    bigint,
    bigint,
  ] // of two
  return (used) => divideHalfEven(used * seconds, whole)
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
    kept,
  }: {
    userid: string
    product: MeteredProduct
    period: Period
    spans: readonly { terms: PlanTerms; part: Period }[]
    until?: Date
    /** Of the account, for the meters. */
    wallClock: WallClock
    /** A reading that was recorded when the part was billed; used instead of the meters. */
    kept?: (part: Period) => Reading | undefined
  },
): Promise<ReadUsage> {
  const { unitLabel } = metering[product]
  const readings: ReadUsage['readings'] = []
  const parts: UsageItem['parts'][number][] = []
  for (const { terms, part } of spans) {
    // One that begins now counts already: its quota is what may be used from here on.
    if (part.start > until) continue
    const read = { start: part.start, end: part.end < until ? part.end : until }
    const [from, to] = [wallClock(read.start), wallClock(read.end)]
    // Within a jump no time passed: nothing was used, and nothing is to come.
    const reading =
      kept?.(read) ??
      (from < to
        ? await meters.read(db, { userid, productType: product, from, to })
        : { used: 0n, unitLabel, asOf: to, complete: true, parts: [], digest: sha256Hex('') })
    const count = countIn(product, period, { start: from, end: to })
    const counted = reading.parts.map((one) => ({ ...one, used: count(one.used) }))
    if (read.start < read.end) readings.push({ part: read, reading, counted })
    const used = count(reading.used)
    const rate = overageRate(terms, product)
    parts.push({ part, used, quota: quotaOfProduct(terms.quotas, product), ...(rate && { rate }) })
  }
  return {
    item: { kind: 'usage', key: product, period, measure: metering[product].measure, parts },
    readings,
    complete: readings.every(({ reading }) => reading.complete),
  }
}
