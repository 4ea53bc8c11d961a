import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const clusterTimes: readonly StoredTimes[] = [{ table: 'clusters', columns: ['checked_at'] }]
