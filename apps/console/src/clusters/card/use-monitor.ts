import type { ClusterMonitor, Resource } from '@atoll/contract/clusters'
import { useMonitoring } from './use-monitoring.ts'

/** Courses and usage of a running cluster, as a card shows them. */
export function useMonitor(cluster: Resource): ClusterMonitor | undefined {
  return useMonitoring(cluster, { everyMs: 60_000 }).monitor
}
