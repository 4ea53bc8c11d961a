/** The clock of a plan, which is that of its cluster's zone, beside the reader's. Zones by their IANA names. */
import type { Backup, BackupSchedule } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import { zoneName } from '@atoll/contract/zone-name'
import { readerZone } from '../kit/format/reader-zone.ts'
import type { Translate } from '../locales/text.ts'
import { scheduleWords } from './plan-words.ts'

const minutesPerDay = 24 * 60

/** When a plan of `planZone` runs on the reader's clock, as it is at `at`, ms; undefined where both clocks agree. */
export function readerTimeWords(
  { schedule, timeZone }: Pick<Backup, 'schedule' | 'timeZone'>,
  at: number,
  t: Translate,
  locale: Locale,
  zone = readerZone(),
): string | undefined {
  const shift = shiftOf(schedule, timeZone, at, zone)
  if (shift === 0) return undefined
  const name = zoneName(new Date(at), locale, zone)
  if (schedule.every === 'hour') {
    return t('backups.yourTime', { time: `:${twoDigits(wrap(schedule.minute + shift, 60))} ${name}` })
  }
  const [hours = 0, minutes = 0] = schedule.at.split(':').map(Number)
  const there = hours * 60 + minutes + shift
  const minute = wrap(there, minutesPerDay)
  const time = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)} ${name}`
  if (there < 0) return t('backups.yourTimeBefore', { time })
  return t(there < minutesPerDay ? 'backups.yourTime' : 'backups.yourTimeAfter', { time })
}

/**
 * `Daily, 03:00`; with the name of the plan's zone, `Daily, 03:00 CET`, where the reader's clock shows another time.
 */
export function planWords(
  { schedule, timeZone }: Pick<Backup, 'schedule' | 'timeZone'>,
  at: number,
  t: Translate,
  locale: Locale,
  zone = readerZone(),
): string {
  const words = scheduleWords(schedule, t, locale)
  return shiftOf(schedule, timeZone, at, zone) === 0 ? words : `${words} ${zoneName(new Date(at), locale, timeZone)}`
}

/** Minutes that the reader's clock is ahead of the plan's at `at`, ms; of an hourly plan within the hour. */
function shiftOf(schedule: BackupSchedule, planZone: string, at: number, zone: string): number {
  const shift = minutesAhead(at, zone) - minutesAhead(at, planZone)
  return schedule.every === 'hour' ? shift % 60 : shift
}

/** Minutes that a zone's clock is ahead of UTC at `at`, ms. */
function minutesAhead(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
  // `GMT-03:30`; UTC itself is `GMT`.
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}

function wrap(value: number, length: number): number {
  return ((value % length) + length) % length
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
