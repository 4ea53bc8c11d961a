import type { Locale } from '@atoll/contract/wire'
import { type AccountZone, formatPeriod, formatShortDate } from '../kit/format/billing-dates.ts'

/** `4 Oct – 4 Nov`. */
export function periodText({ start, end }: { start: string; end: string }, zone: AccountZone, locale: Locale): string {
  return formatPeriod(Date.parse(start) / 1000, Date.parse(end) / 1000, zone, locale)
}

/** A day of the account, `4 Nov`. */
export function dayText(day: string, locale: Locale): string {
  // A day has no zone: it is written as it stands.
  return formatShortDate(`${day}T00:00:00Z`, 'UTC', locale)
}
