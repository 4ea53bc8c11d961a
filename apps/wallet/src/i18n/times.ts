/** Dates as the wallet writes them, by locale. Times in ms. */
import type { Locale } from '@atoll/contract/wire'
import { zoneName } from '@atoll/contract/zone-name'
import { writeDate } from '@atoll/ui/i18n'

const day = 24 * 3600 * 1000

/** `18 Mar 2026, 14:27:06` · `2026 年 3 月 18 日 14:27:06` */
export function formatMoment(at: number, locale: Locale): string {
  const options = { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const
  return writeDate(at, locale, options)
}

/** `14:29` */
function formatClock(at: number, locale: Locale): string {
  return writeDate(at, locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

/** As `formatMoment`, with the name of the reader's zone: until when something holds. */
export function formatDeadline(at: number, locale: Locale): string {
  return `${formatMoment(at, locale)} ${readerZoneName(at, locale)}`
}

/** `14:29 CET` */
export function formatDeadlineClock(at: number, locale: Locale): string {
  return `${formatClock(at, locale)} ${readerZoneName(at, locale)}`
}

function readerZoneName(at: number, locale: Locale): string {
  return zoneName(new Date(at), locale, Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** Today the time, this week the weekday, before that the day. */
export function formatRecent(at: number, now: number, locale: Locale): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  if (sameDay) return formatClock(at, locale)
  const options = now - at < 6 * day ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return writeDate(at, locale, options)
}
