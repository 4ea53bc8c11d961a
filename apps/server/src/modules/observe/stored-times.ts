import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not lie in the future after the clock was set back. */
export const observeTimes: readonly StoredTimes[] = [
  // A rule mails once an hour.
  { table: 'alert_states', columns: ['since', 'seen_at', 'mailed_at'] },
]
