import type { BackupSchedule } from './backups.ts'

/** Whether two schedules of one cluster would start in one slot: by their time of day, for hourly by its minute. */
export function isSlotShared(one: BackupSchedule, other: BackupSchedule): boolean {
  if (one.every !== 'hour' && other.every !== 'hour') return one.at === other.at
  return minuteOf(one) === minuteOf(other)
}

function minuteOf(schedule: BackupSchedule): number {
  return schedule.every === 'hour' ? schedule.minute : Number(schedule.at.slice(3))
}
