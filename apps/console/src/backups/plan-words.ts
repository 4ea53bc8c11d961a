import type { Backup, BackupSchedule, KeepReason, KeepRules } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import { formatFigure, writeDate } from '@atoll/ui/i18n'
import { readerZone } from '../kit/format/reader-zone.ts'
import { type TextKey, type Translate, textOf } from '../locales/text.ts'

/** `Monday`, of 1 to 7. */
export function weekdayName(weekday: number, locale: Locale): string {
  // 1 January 2024 was a Monday.
  const day = new Date(Date.UTC(2024, 0, weekday))
  return writeDate(day, locale, { weekday: 'long', timeZone: 'UTC' })
}

/** `18 Mar`, in the reader's zone, an IANA name. */
export function formatDay(at: string | number, locale: Locale, timeZone = readerZone()): string {
  return writeDate(new Date(at), locale, { day: 'numeric', month: 'short', timeZone })
}

/** `Daily, 03:00`. */
export function scheduleWords(schedule: BackupSchedule, t: Translate, locale: Locale): string {
  switch (schedule.every) {
    case 'hour':
      return t('backups.hourlyAt', { minute: String(schedule.minute).padStart(2, '0') })
    case 'day':
      return t('backups.dailyAt', { time: schedule.at })
    case 'week':
      return t('backups.weeklyAt', { day: weekdayName(schedule.weekday, locale), time: schedule.at })
    case 'month':
      return t('backups.monthlyAt', { day: schedule.day, time: schedule.at })
  }
}

export const keepRuleNames = [
  'last',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
] as const satisfies (keyof KeepRules)[]

/** `30 daily, 12 monthly`. */
export function keepWords(keep: KeepRules, t: Translate): string {
  const rules = keepRuleNames.filter((rule) => keep[rule] > 0)
  return rules.map((rule) => t(`backups.keptBy.${rule}`, { count: keep[rule] })).join(t('backups.comma'))
}

const reasonTexts: Record<KeepReason, TextKey> = {
  last: 'backups.because.last',
  hourly: 'backups.because.hourly',
  daily: 'backups.because.daily',
  weekly: 'backups.because.weekly',
  monthly: 'backups.because.monthly',
  yearly: 'backups.because.yearly',
  'oldest last': 'backups.because.oldest',
  'oldest hourly': 'backups.because.oldest',
  'oldest daily': 'backups.because.oldest',
  'oldest weekly': 'backups.because.oldest',
  'oldest monthly': 'backups.because.oldest',
  'oldest yearly': 'backups.because.oldest',
  newest: 'backups.because.newest',
  proved: 'backups.because.proved',
  restoring: 'backups.because.restoring',
  pinned: 'backups.because.pinned',
  recent: 'backups.because.recent',
}

/** Why a snapshot is kept: `Daily, Monthly`. */
export function reasonWords(because: readonly KeepReason[], t: Translate): string {
  return [...new Set(because.map((reason) => t(textOf(reasonTexts, reason))))].join(t('backups.comma'))
}

/** How many snapshots the rules name at most. */
export function mostKept(keep: KeepRules): number {
  return Object.values(keep).reduce((sum, count) => sum + count, 0)
}

/** For texts of so many files: `count` chooses the form, `files` is shown. */
export function countFiles(files: number | null, locale: Locale): { count: number; files: string } {
  return { count: files ?? 0, files: formatFigure(files ?? 0, 0, locale) }
}

export function pathsWords({ paths }: Pick<Backup, 'paths'>, t: Translate): string {
  return paths.includes('/') ? t('backups.allFiles') : paths.join(', ')
}
