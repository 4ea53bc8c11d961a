import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not lie in the future after the clock was set back. */
export const backupTimes: readonly StoredTimes[] = [
  { table: 'backups', columns: ['next_at', 'slots_until', 'pruned_at', 'look_at'] },
  { table: 'backup_chores', columns: ['created_at', 'ended_at'] },
]
