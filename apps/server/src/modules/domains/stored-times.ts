import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const domainTimes: readonly StoredTimes[] = [
  { table: 'domains', columns: ['next_check_at', 'checked_at', 'checks_since', 'asked_at'] },
]
