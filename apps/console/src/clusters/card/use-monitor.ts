import type { ClusterMonitor, Resource } from '@atoll/contract/clusters'
import { useQuery } from '@tanstack/react-query'
import { monitorQuery } from '../../data/queries.ts'
import { useCurrentAccount } from '../../session/account-store.ts'

/** Courses and usage of a running cluster; a cluster that does not run is not asked about (spec §4, "Monitoring"). */
export function useMonitor(cluster: Resource): ClusterMonitor | undefined {
  const userid = useCurrentAccount()?.userid ?? ''
  const running = cluster.clusterStatus === 'running'
  return useQuery({ ...monitorQuery(userid, cluster.clusterId), enabled: running, refetchInterval: 60_000 }).data
}
