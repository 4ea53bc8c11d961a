/**
 * When a backup runs (design/backups, "Time"). A slot is a start on a quarter of an hour, on the clock of the cluster's
 * zone. A time that does not exist on a day is the first moment after it; one that comes twice is its first; an hourly
 * schedule follows the clock as it is shown, so such days have 23 or 25 runs. Pure; the server's clock decides.
 */
import { createHash } from 'node:crypto'
import { type BackupSchedule, slotMinutes } from '@atoll/contract/backups'
import { Temporal } from 'temporal-polyfill'

const slotMs = slotMinutes * 60_000
const hourMs = 3600_000
const mostJitterMs = 10 * 60_000

/** The usual interval between two runs, ms. */
export function intervalMs({ every }: BackupSchedule): number {
  return { hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs, month: 30 * 24 * hourMs }[every]
}

/** The first slot after `after`. */
export function slotAfter(schedule: BackupSchedule, timeZone: string, after: Date): Date {
  if (schedule.every === 'hour') return hourlySlotAfter(schedule.minute, timeZone, after)
  const { at } = schedule
  let day = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  // A slot that a day lacks may stand on the next day.
  day = day.subtract({ days: 1 })
  if (schedule.every === 'month') day = day.with({ day: 1 })
  for (;;) {
    const date = nearestDate(schedule, day)
    const slot = momentOf(date, at, timeZone)
    if (slot > after.getTime()) return new Date(slot)
    day = schedule.every === 'month' ? day.add({ months: 1 }) : date.add({ days: 1 })
  }
}

/** All offsets of today's zones are whole quarters of an hour, so each slot is one of UTC's, too. */
function hourlySlotAfter(minute: number, timeZone: string, after: Date): Date {
  let at = Math.floor(after.getTime() / slotMs) * slotMs
  do at += slotMs
  while (Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).minute !== minute)
  return new Date(at)
}

/** The first date from `day` on that the schedule names. */
function nearestDate(schedule: BackupSchedule, day: Temporal.PlainDate): Temporal.PlainDate {
  if (schedule.every === 'week') return day.add({ days: (schedule.weekday - day.dayOfWeek + 7) % 7 })
  if (schedule.every === 'month') return day.with({ day: Math.min(schedule.day, day.daysInMonth) })
  return day
}

/** ms since the epoch. */
function momentOf(date: Temporal.PlainDate, at: string, timeZone: string): number {
  const wall = date.toPlainDateTime(Temporal.PlainTime.from(at))
  const before = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  if (before.toPlainDateTime().equals(wall)) return before.epochMilliseconds
  // The clock leaps over it: the moment of the leap.
  return before.getTimeZoneTransition('next')?.epochMilliseconds ?? before.epochMilliseconds
}

export interface Due {
  /** The slot to run now; null: none is due. */
  slot: Date | null
  /** The first one that is still to come. */
  next: Date
}

/**
 * The slot that is due at `now` when all slots up to `since` are done. Several missed slots become one run, that of the
 * newest; there is no run if the next slot is due within a tenth of the interval.
 */
export function dueSlot(schedule: BackupSchedule, timeZone: string, since: Date, now: Date): Due {
  const interval = intervalMs(schedule)
  // Long missed: the newest slot lies within two intervals.
  const from = new Date(Math.max(since.getTime(), now.getTime() - 2 * interval - 2 * 24 * hourMs))
  let slot: Date | null = null
  let next = slotAfter(schedule, timeZone, from)
  while (next.getTime() <= now.getTime()) {
    slot = next
    next = slotAfter(schedule, timeZone, next)
  }
  const late = slot ? now.getTime() - slot.getTime() : 0
  const isMissed = late > slotMs + mostJitterMs
  if (isMissed && next.getTime() - now.getTime() < interval / 10) slot = null
  return { slot, next }
}

/** How long after its slot a backup begins, the same each time: 0 to 10 min, a tenth of the interval at most. ms */
export function jitterMs(backupId: string, schedule: BackupSchedule): number {
  const most = Math.min(mostJitterMs, intervalMs(schedule) / 10)
  const [share = 0] = new Uint32Array(createHash('sha256').update(backupId).digest().buffer.slice(0, 4))
  return Math.floor((share / 2 ** 32) * most)
}
