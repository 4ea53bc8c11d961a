/** Settings of how many clusters there may be, and of instances that nothing names. */
import { z } from 'zod'
import { Count, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const clustersSettings = {
  ATOLL_SELF_HOST_CLUSTERS: setting(
    Count(0, 1_000_000),
    '20',
    'Self-hosted clusters that an account may have at a time.',
  ),
  ATOLL_STRAY_DAYS: setting(
    z.coerce.number().min(1).max(3650),
    '7',
    'Days after which an instance that the database does not know, stopped at once, is destroyed.',
  ),
}

export function clustersConfig(values: ValuesOf<typeof clustersSettings>) {
  return {
    /** At a time, for each account. */
    selfHostClusters: values.ATOLL_SELF_HOST_CLUSTERS,
    /** How long an instance that no row names is kept, ms. */
    strayMs: values.ATOLL_STRAY_DAYS * 24 * 60 * 60 * 1000,
  }
}
