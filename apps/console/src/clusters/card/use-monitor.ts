import { type ClusterMonitor, clusterMonitor, type Resource } from '@atoll/contract/clusters'
import { defaultMonitorRange } from '@atoll/contract/wire'
import { useCall } from '../../data/use-call.ts'

/** ms */
const everyMs = 60_000

/** Courses and usage of a running cluster; a cluster that does not run is not asked about (spec §4, "Monitoring"). */
export function useMonitor({ clusterId, clusterStatus }: Resource): ClusterMonitor | undefined {
  return useCall(
    clusterMonitor,
    { clusterId, range: defaultMonitorRange },
    { enabled: clusterStatus === 'running', staleTime: everyMs, refetchInterval: everyMs },
  ).data
}
