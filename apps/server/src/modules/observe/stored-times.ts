import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const observeTimes: readonly StoredTimes[] = [
  // A rule mails once an hour.
  { table: 'alert_states', columns: ['since', 'seen_at', 'mailed_at'] },
]
