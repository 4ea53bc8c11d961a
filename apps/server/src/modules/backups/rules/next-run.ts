import type { BackupRow } from '../tables.ts'
import { dueSlot, jitterMs } from './schedule.ts'

export type Plan = Pick<BackupRow, 'id' | 'schedule' | 'time_zone' | 'slots_until'>

/** When the slot after `slots_until` begins, and which slots are dealt with then. */
export function nextRunOf({ id, schedule, time_zone }: Plan, since: Date, now: Date): { slot: Date | null; at: Date } {
  const { slot, next } = dueSlot(schedule, time_zone, since, now)
  return { slot, at: new Date(next.getTime() + jitterMs(id, schedule)) }
}
