import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const certificateTimes: readonly StoredTimes[] = [
  { table: 'certificates', columns: ['next_try_at'] },
  // Counted for the authority's limits.
  { table: 'acme_orders', columns: ['created_at', 'ended_at'] },
]
