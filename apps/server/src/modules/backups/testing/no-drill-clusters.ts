import type { BackupDeps } from '../backups-deps.ts'

/** Nothing is sold that a drill could be carried out on. */
export const noDrillClusters: Pick<BackupDeps, 'drills' | 'drillTerms'> = {
  drills: {
    order: async () => 'none',
    find: async () => undefined,
    list: async () => [],
    destroy: async () => undefined,
  },
  drillTerms: async () => ({ hasDrills: false, currency: 'usd' }),
}
