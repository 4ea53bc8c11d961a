/**
 * Dates of money: in the zone of the account, so that a period begins on the day that its invoice prints (design:
 * billing, "Money and periods"). Times in ISO 8601, ms or, of periods, seconds since the epoch.
 */
import type { Locale } from '@atoll/contract/wire'
import { writeDate } from '@atoll/ui/i18n'

/** Where an account's days begin. */
export type AccountZone = 'UTC' | 'UTC+8'

/** How much later it is there than in UTC, ms. */
export const zoneOffsetMs: Record<AccountZone, number> = { UTC: 0, 'UTC+8': 8 * 60 * 60_000 }

/** As `Intl` names them; its sign is that of POSIX. */
const timeZones: Record<AccountZone, string> = { UTC: 'UTC', 'UTC+8': 'Etc/GMT-8' }

interface Parts {
  year?: boolean
  time?: boolean
}

/** `21 Sep 2026`. */
export function formatDate(time: string | number, zone: AccountZone, locale: Locale): string {
  return format(time, zone, locale, { year: true })
}

/** `21 Sep`, for a date whose year goes without saying. */
export function formatShortDate(time: string | number, zone: AccountZone, locale: Locale): string {
  return format(time, zone, locale, {})
}

/** `21 Sep 2026, 13:40`. */
export function formatDateAndTime(time: string | number, zone: AccountZone, locale: Locale): string {
  return format(time, zone, locale, { year: true, time: true })
}

/** `13:40`, where the day goes without saying. */
export function formatTimeOfDay(time: string | number, zone: AccountZone, locale: Locale): string {
  return writeDate(new Date(time), locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: timeZones[zone],
  })
}

/** `Sep`, for the ticks of a year. */
export function formatMonth(time: string | number, zone: AccountZone, locale: Locale): string {
  return writeDate(new Date(time), locale, { month: 'short', timeZone: timeZones[zone] })
}

/** `18 Sep – 18 Oct`; with the years where they differ. */
export function formatPeriod(start: number, end: number, zone: AccountZone, locale: Locale): string {
  const [from, to] = [start * 1000, end * 1000]
  const year = yearOf(from, zone) !== yearOf(to, zone)
  return `${format(from, zone, locale, { year })} – ${format(to, zone, locale, { year })}`
}

/** Whole days of a period, and how many of them are left at `now`, ms. */
export function daysOfPeriod(start: number, end: number, now: number): { days: number; left: number } {
  const day = 86_400
  const days = Math.round((end - start) / day)
  return { days, left: Math.min(days, Math.max(0, Math.ceil((end - now / 1000) / day))) }
}

function yearOf(ms: number, zone: AccountZone): string {
  return writeDate(ms, 'en-US', { year: 'numeric', timeZone: timeZones[zone] })
}

function format(time: string | number, zone: AccountZone, locale: Locale, { year, time: hasTime }: Parts): string {
  const day = writeDate(new Date(time), locale, {
    day: 'numeric',
    month: 'short',
    ...(year && { year: 'numeric' }),
    timeZone: timeZones[zone],
  })
  if (!hasTime) return day
  return `${day}${locale === 'zh-CN' ? ' ' : ', '}${formatTimeOfDay(time, zone, locale)}`
}
