/** Sizes, shares and times as this server's pages write them, by locale. */
import type { Locale } from '@atoll/contract'

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Bytes in the largest unit that keeps the figure at 1 or more: `9.2 GB`. Powers of 1024. */
export function formatBytes(bytes: number, locale: Locale): string {
  let value = Math.max(0, bytes)
  let unit = 0
  // 999.5 and more would be rounded to four digits.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)} ${units[unit]}`
}

/** A share 0..1 as `23%`. */
export function formatPercent(share: number, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

/** Today `14:27`, this year `18 Mar 14:27`, before that `18 Mar 2025`. `at` and `now` in ms. */
export function formatWhen(at: number, now: number, locale: Locale): string {
  const then = new Date(at)
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const day = { day: 'numeric', month: 'short' } as const
  // Days before months and 24 hours, as on the boards: British, not American, English.
  const tag = locale === 'en-US' ? 'en-GB' : locale
  if (then.toDateString() === new Date(now).toDateString()) return new Intl.DateTimeFormat(tag, clock).format(at)
  const sameYear = then.getFullYear() === new Date(now).getFullYear()
  const options = sameYear ? { ...day, ...clock } : ({ ...day, year: 'numeric' } as const)
  return new Intl.DateTimeFormat(tag, options).format(at)
}

export interface Duration {
  days: number
  hours: number
  minutes: number
}

/** ms in whole minutes, hours and days. */
export function splitDuration(ms: number): Duration {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 }
}
