import type { Backup, BackupSchedule, KeepRules } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import { dateLocale } from '@atoll/ui/i18n'
import type { Translate } from '../kit/i18n/text.ts'

/** `Monday`, of 1 to 7. */
export function weekdayName(weekday: number, locale: Locale): string {
  // 1 January 2024 was a Monday.
  const day = new Date(Date.UTC(2024, 0, weekday))
  return new Intl.DateTimeFormat(dateLocale(locale), { weekday: 'long', timeZone: 'UTC' }).format(day)
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

/** How many snapshots the rules name at most. */
export function mostKept(keep: KeepRules): number {
  return Object.values(keep).reduce((sum, count) => sum + count, 0)
}

export function pathsWords({ paths }: Pick<Backup, 'paths'>, t: Translate): string {
  return paths.includes('/') ? t('backups.allFiles') : paths.join(', ')
}
