import type { Locale } from '@atoll/contract/wire'
import { writeDate } from '@atoll/ui/i18n'

/** `2027-01` as a reader writes it. */
export function monthName(month: string, locale: Locale, style: 'short' | 'long'): string {
  const at = new Date(`${month}-01T00:00:00Z`)
  const year = style === 'long' ? { year: 'numeric' as const } : {}
  return writeDate(at, locale, { month: style, timeZone: 'UTC', ...year })
}
