import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const billingTimes: readonly StoredTimes[] = [{ table: 'due_items', columns: ['retry_at'] }]
