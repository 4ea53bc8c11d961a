import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const backupTimes: readonly StoredTimes[] = [
  { table: 'backups', columns: ['next_at', 'slots_until', 'pruned_at', 'look_at'] },
  { table: 'backup_chores', columns: ['created_at', 'ended_at'] },
]
