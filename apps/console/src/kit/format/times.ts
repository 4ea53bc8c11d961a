/**
 * Times and durations by locale. Times in ms since the epoch or ISO 8601, in the zone, an IANA name, that the reader's
 * deadlines are written in; they do not print it.
 */
import { daysPerMonth, type Locale } from '@atoll/contract/wire'
import { spaceHan, writeDate } from '@atoll/ui/i18n'
import { readerZone } from './reader-zone.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `14:26` today; with day and month on other days, with the year in other years. */
export function formatTime(time: string | number, now: number, locale: Locale, zone = readerZone()): string {
  const clock = formatClock(time, locale, zone)
  return isSameDay(time, now, zone) ? clock : `${formatDayOnly(time, now, locale, zone)} ${clock}`
}

/** As `formatTime`, with the day also today: `Today 14:26`. */
export function formatDayAndTime(time: string | number, now: number, locale: Locale, zone = readerZone()): string {
  const text = formatDayAndTimeWithin(time, now, locale, zone)
  return `${text[0]?.toLocaleUpperCase(locale)}${text.slice(1)}`
}

/** As `formatDayAndTime`, within a sentence: `today 14:26`. */
export function formatDayAndTimeWithin(
  time: string | number,
  now: number,
  locale: Locale,
  zone = readerZone(),
): string {
  if (!isSameDay(time, now, zone)) return formatTime(time, now, locale, zone)
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day')
  return `${word} ${formatClock(time, locale, zone)}`
}

/** The time of day: `14:26`. */
export function formatClock(time: string | number, locale: Locale, zone = readerZone()): string {
  const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone } as const
  return writeDate(new Date(time), locale, parts)
}

/** The day alone, with its year where that is another: `20 Sep 2027`. */
function formatDayOnly(time: string | number, now: number, locale: Locale, zone: string): string {
  return writeDate(new Date(time), locale, {
    day: 'numeric',
    month: 'short',
    timeZone: zone,
    ...(yearOf(time, zone) !== yearOf(now, zone) && { year: 'numeric' }),
  })
}

/** The day as a title says it: `Thursday 26 November 2026`. */
export function formatLongDay(time: number, locale: Locale, zone = readerZone()): string {
  return writeDate(new Date(time), locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: zone,
  })
}

/** Whether two times are of one day in `zone`, an IANA name. */
function isSameDay(one: string | number, other: string | number, zone: string): boolean {
  const dayOf = (time: string | number) => writeDate(new Date(time), 'en-US', { dateStyle: 'short', timeZone: zone })
  return dayOf(one) === dayOf(other)
}

function yearOf(time: string | number, zone: string): string {
  return writeDate(new Date(time), 'en-US', { year: 'numeric', timeZone: zone })
}

/** How long ago, in the largest unit that fits; a month is 30 days (spec §9). */
export function formatAgo(time: string | number, now: number, locale: Locale): string {
  const passed = Math.max(0, now - new Date(time).getTime())
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  const ago = (unit: Intl.RelativeTimeFormatUnit, length: number) =>
    spaceHan(relative.format(-Math.floor(passed / length), unit))
  if (passed < minute) return ago('second', second)
  if (passed < hour) return ago('minute', minute)
  if (passed < day) return ago('hour', hour)
  if (passed < daysPerMonth * day) return ago('day', day)
  return ago('month', daysPerMonth * day)
}

/** For how long something runs, in its two largest units: `3d 4h`, `12m`, `40s`. */
export function formatUptime(ms: number, locale: Locale): string {
  const units = [
    ['day', day],
    ['hour', hour],
    ['minute', minute],
    ['second', second],
  ] as const
  const largest = Math.max(
    0,
    units.findIndex(([, length]) => ms >= length),
  )
  // Seconds beside minutes would only make the figure restless.
  const shown = ms < minute ? units.slice(-1) : units.slice(Math.min(largest, 2), Math.min(largest + 2, 3))
  return shown
    .map(([unit, length], index) => ({
      unit,
      amount: Math.floor((index === 0 ? ms : ms % (shown[0]?.[1] ?? ms)) / length),
    }))
    .filter(({ amount }, index) => index === 0 || amount > 0)
    .map(({ unit, amount }) =>
      spaceHan(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(amount)),
    )
    .join(' ')
}
