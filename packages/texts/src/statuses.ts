import type { ClusterStatus } from '@atoll/contract/clusters'
import { type Locale, lookUp } from '@atoll/contract/wire'
import tables from './tables/statuses.gen.ts'

export const statusLabels: Record<Locale, Readonly<Record<ClusterStatus, string>>> = tables

/** A status in words; one that is not known yet is shown as it is. */
export function statusLabel(status: ClusterStatus, locale: Locale): string {
  return lookUp<ClusterStatus, string>(statusLabels[locale], status, status)
}
