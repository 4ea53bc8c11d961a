import { exactUnits } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { overageRate } from '../../catalog/index.ts'
import { type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'
import { perUnit } from './metered-products.ts'

/** Whether the plan of an account lets it move more, and how much. */
export interface TrafficRoom {
  isLimited: boolean
  /** Wall clock; the end of the running period. */
  until: Date
  /** Bytes that may move before the answer can change; null: no traffic changes it. */
  bytes: number | null
  /** The bandwidth of each of its clusters; null: no limit, because no plan sets one, or it sets 0. */
  bandwidthMbit: number | null
}

const bytesPerMicro = 1000n
const microsPerMinor = exactUnits / perUnit

/** A bill that is past due stops other things, but never who visits a cluster. */
export async function readTrafficRoom(deps: CurrentUsageDeps, db: Db, userid: string): Promise<TrafficRoom> {
  const { clockOffsetMs } = await deps.accounts.getLimits(db, userid)
  const { period, terms, cap, amount, unbilled, means, products } = await readCurrentUsage(deps, db, userid)
  const until = new Date(period.end.getTime() - clockOffsetMs)
  const traffic = products.find(({ product }) => product === 'cloud_traffic')
  if (!traffic || !terms) return { isLimited: false, until, bytes: null, bandwidthMbit: null }
  const bandwidthMbit = terms.quotas.bandwidthMbit || null
  const { counted, limit, stop } = traffic
  if (stop !== undefined && stop !== 'pastDue') return { isLimited: true, until, bytes: 0, bandwidthMbit }
  if (counted < limit) return { isLimited: false, until, bytes: toBytes(limit - counted), bandwidthMbit }
  if (counted === 0n) return { isLimited: false, until, bytes: 0, bandwidthMbit }
  const rate = overageRate(terms, 'cloud_traffic')
  const lefts = [cap && cap.minor - amount.minor, means && means.allowance.minor - unbilled.minor]
  const minor = Math.min(...lefts.filter((one) => one !== undefined))
  if (!rate || rate.micros === 0n || minor === Number.POSITIVE_INFINITY)
    return { isLimited: false, until, bytes: null, bandwidthMbit }
  // The last minor unit is a matter of rounding.
  const left = BigInt(Math.max(minor - 1, 0)) * microsPerMinor * perUnit
  return { isLimited: false, until, bytes: toBytes(left / rate.micros), bandwidthMbit }
}

/** Of 10^-6 GB; there is no need to count beyond what a number can. */
function toBytes(micros: bigint): number {
  return Math.min(Number(micros * bytesPerMicro), Number.MAX_SAFE_INTEGER)
}
