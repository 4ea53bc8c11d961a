import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not stay in the future after the clock was set back. */
export const domainTimes: readonly StoredTimes[] = [
  { table: 'domains', columns: ['next_check_at', 'checked_at', 'checks_since', 'asked_at'] },
]
