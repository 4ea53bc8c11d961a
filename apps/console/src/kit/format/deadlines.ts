/**
 * Deadlines: in the reader's time zone, which is always named, and in UTC beside it. Times in ms since the epoch or
 * ISO 8601, zones by their IANA names.
 */
import type { Locale } from '@atoll/contract/wire'
import { zoneName } from '@atoll/contract/zone-name'
import { spaceHan, writeDate } from '@atoll/ui/i18n'
import { readerZone } from './reader-zone.ts'
import { formatClock, formatTime } from './times.ts'

const minute = 60_000
const units = [
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const

/** `14:15 CET` today; `28 Nov 14:15 CET` on other days, with the year in other years. */
export function formatDeadline(time: string | number, now: number, locale: Locale, zone = readerZone()): string {
  return `${formatTime(time, now, locale, zone)} ${zoneName(new Date(time), locale, zone)}`
}

/** The same moment for everybody, and how long it is until then: `27 Nov 2026, 13:15 UTC · in 3 hours`. */
export function explainDeadline(time: string | number, now: number, locale: Locale): string {
  const day = writeDate(new Date(time), locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const moment = `${day}${locale === 'zh-CN' ? ' ' : ', '}${formatClock(time, locale, 'UTC')} UTC`
  const left = new Date(time).getTime() - now
  const [unit, length] = units.find(([, ms]) => Math.abs(left) >= ms) ?? units[2]
  return `${moment} · ${spaceHan(new Intl.RelativeTimeFormat(locale).format(Math.trunc(left / length), unit))}`
}
