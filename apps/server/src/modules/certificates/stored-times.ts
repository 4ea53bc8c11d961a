import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not lie in the future after the clock was set back. */
export const certificateTimes: readonly StoredTimes[] = [
  { table: 'certificates', columns: ['next_try_at'] },
  // Counted for the authority's limits.
  { table: 'acme_orders', columns: ['created_at', 'ended_at'] },
]
