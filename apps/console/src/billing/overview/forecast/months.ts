/** The bills of a forecast by month of the account. */
import type { ForecastInvoice } from '@atoll/contract/billing'
import { type AccountZone, zoneOffsetMs } from '../../../kit/format/billing-dates.ts'

export interface ForecastMonth {
  /** An instant of the month, ISO 8601. */
  at: string
  /** Minor units. */
  fixed: number
  usage: number
}

/** One entry for each month with a bill, the first first. */
export function byMonth(
  documents: readonly Pick<ForecastInvoice, 'at' | 'kind' | 'amount'>[],
  zone: AccountZone,
): ForecastMonth[] {
  const months = new Map<string, ForecastMonth>()
  for (const { at, kind, amount } of documents) {
    const key = new Date(Date.parse(at) + zoneOffsetMs[zone]).toISOString().slice(0, 7)
    const month = months.get(key) ?? { at, fixed: 0, usage: 0 }
    month[kind === 'usage' ? 'usage' : 'fixed'] += amount
    months.set(key, month)
  }
  return [...months].sort(([a], [b]) => a.localeCompare(b)).map(([, month]) => month)
}
