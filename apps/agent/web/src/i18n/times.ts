/** Times as this server's pages write them, by locale. */
import type { Locale } from '@atoll/contract/wire'
import { writeDate } from '@atoll/ui/i18n'

/** Today `14:27`, this year `18 Mar 14:27`, before that `18 Mar 2025`. `at` and `now` in ms. */
export function formatWhen(at: number, now: number, locale: Locale): string {
  const then = new Date(at)
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const day = { day: 'numeric', month: 'short' } as const
  if (then.toDateString() === new Date(now).toDateString()) return writeDate(at, locale, clock)
  const sameYear = then.getFullYear() === new Date(now).getFullYear()
  const options = sameYear ? { ...day, ...clock } : ({ ...day, year: 'numeric' } as const)
  return writeDate(at, locale, options)
}

/** `23 Nov 2026`. ms */
export function formatDay(at: number, locale: Locale): string {
  return writeDate(at, locale, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** `23 Nov 2026, 03:00`. ms */
export function formatMoment(at: number, locale: Locale): string {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return writeDate(at, locale, { day: 'numeric', month: 'short', year: 'numeric', ...clock })
}
