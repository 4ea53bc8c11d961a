/** Dates as the wallet writes them, by locale. Times in ms. */
import type { Locale } from '@atoll/contract/wire'
import { dateLocale, spaceHan } from '@atoll/ui/i18n'

const day = 24 * 3600 * 1000

/** `18 Mar 2026, 14:27:06` · `2026 年 3 月 18 日 14:27:06` */
export function formatMoment(at: number, locale: Locale): string {
  const options = { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const
  return spaceHan(new Intl.DateTimeFormat(dateLocale(locale), options).format(at))
}

/** `14:29` */
export function formatClock(at: number, locale: Locale): string {
  return new Intl.DateTimeFormat(dateLocale(locale), { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    at,
  )
}

/** Today the time, this week the weekday, before that the day. */
export function formatRecent(at: number, now: number, locale: Locale): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString()
  if (sameDay) return formatClock(at, locale)
  const options = now - at < 6 * day ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  return spaceHan(new Intl.DateTimeFormat(dateLocale(locale), options).format(at))
}
