import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not lie in the future after the clock was set back. */
export const clusterTimes: readonly StoredTimes[] = [
  { table: 'clusters', columns: ['checked_at'] },
  // Waits that begin when a status changes, too.
  { table: 'instances', columns: ['drain_until'], shiftedWith: 'changed_at' },
]
