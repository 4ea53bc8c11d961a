/**
 * Where an axis of times has its words, and what they are: in the reader's zone. Distances are those of time
 * that passed, so a day of 23 or 25 hours is that much shorter or longer.
 */
import type { MonitorGrid } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { dateFormat } from '@atoll/ui/i18n'
import { scaleTime } from 'd3-scale'

const hour = 3_600_000

export interface TimeTick {
  time: number
  label: string
}

/** At most `most` ticks on round local times, evenly thinned. */
export function timeTicks({ from, last, stepMs }: MonitorGrid, most: number, locale: Locale): TimeTick[] {
  const to = last + stepMs
  const hours = (to - from) / hour
  // Words of hours fit four times, of days as often as there are days.
  const all = scaleTime([from, to], [0, 1])
    .ticks(hours > 48 ? Math.round(hours / 24) : 4)
    .map(Number)
    .filter(hours > 48 ? beginsDay : beginsHour)
  const each = Math.max(1, Math.ceil(all.length / Math.max(1, most)))
  // Thinned from the newest on, which matters most.
  return all
    .filter((_, at) => (all.length - 1 - at) % each === 0)
    .map((time) => ({ time, label: hours > 48 ? formatDay(time, locale) : formatClock(time, locale) }))
}

/** There are days that begin at one o'clock, and days that have midnight twice. */
const beginsDay = (time: number) => new Date(time).getDate() !== new Date(time - 1).getDate()
/** Not one that comes a second time, as the clocks are put back. */
const beginsHour = (time: number) => new Date(time).getHours() !== new Date(time - hour).getHours()

const formatters = new Map<string, ReturnType<typeof dateFormat>>()

/** Each format is made once: hundreds of rows are written with it. */
function formatter(locale: Locale, options: Intl.DateTimeFormatOptions): ReturnType<typeof dateFormat> {
  // Without a zone the browser's counts, which may change while the page is open.
  const key = `${locale} ${JSON.stringify(options)} ${new Date().getTimezoneOffset()}`
  const made = formatters.get(key) ?? dateFormat(locale, options)
  formatters.set(key, made)
  return made
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `05:07` */
export function formatClock(time: number, locale: Locale): string {
  return formatter(locale, clock)(time)
}

/** `05:07:40` */
export function formatSecond(time: number, locale: Locale): string {
  return formatter(locale, { ...clock, second: '2-digit' })(time)
}

/** `18 Mar` */
export function formatDay(time: number, locale: Locale): string {
  return formatter(locale, { day: 'numeric', month: 'short' })(time)
}

/** `18 Mar, 05:07`; with the zone where the clocks change within `grid`, as an hour then comes twice. */
export function formatMoment(time: number, grid: MonitorGrid, locale: Locale): string {
  const moment = `${formatDay(time, locale)}${locale === 'zh-CN' ? ' ' : ', '}${formatClock(time, locale)}`
  return changesClocks(grid) ? `${moment} ${formatZone(time)}` : moment
}

/** The moment, by its clock alone where `grid` holds each time of the day once. */
export function formatWithin(time: number, grid: MonitorGrid, locale: Locale): string {
  const isDay = grid.points * grid.stepMs <= 24 * hour && !changesClocks(grid)
  return isDay ? formatClock(time, locale) : formatMoment(time, grid, locale)
}

/** Whether the clocks are put forward or back within `grid`. */
export function changesClocks({ from, last, stepMs }: MonitorGrid): boolean {
  return new Date(from).getTimezoneOffset() !== new Date(last + stepMs).getTimezoneOffset()
}

/** `+02:00`, what the local time is ahead of UTC by. */
function formatZone(time: number): string {
  const ahead = -new Date(time).getTimezoneOffset()
  const two = (figure: number) => String(Math.floor(Math.abs(figure))).padStart(2, '0')
  return `${ahead < 0 ? '-' : '+'}${two(ahead / 60)}:${two(ahead % 60)}`
}

/** `2026-03-18T05:07:00+01:00`: the local time, and which moment it was. */
export function formatIso(time: number): string {
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000)
  return `${local.toISOString().slice(0, 19)}${formatZone(time)}`
}
