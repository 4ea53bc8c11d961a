import type { StoredTimes } from '../../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const dnsTimes: readonly StoredTimes[] = [{ table: 'zone_copies', columns: ['next_try_at', 'checked_at'] }]
