import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not stay in the future after the clock is set back. */
export const billingTimes: readonly StoredTimes[] = [{ table: 'due_items', columns: ['retry_at'] }]
