import type { StoredTimes } from '../../../platform/careful/index.ts'

/** Times that must not stay in the future after the clock was set back. */
export const dnsTimes: readonly StoredTimes[] = [{ table: 'zone_copies', columns: ['next_try_at', 'checked_at'] }]
