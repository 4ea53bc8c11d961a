import { type InstanceRow, instanceList, type Resource } from '@atoll/contract/clusters'
import { countUnreadable } from '@atoll/contract/wire'
import { isSilent } from '../../data/call-failure.ts'
import { useCall } from '../../data/use-call.ts'
import type { ShownInstance } from '../instance-table/shown-instance.ts'
import { useClusters } from '../use-clusters.ts'

export interface Instances {
  /** Cluster by cluster in the order of the home page, the master first; undefined until the first answer. */
  rows: ShownInstance[] | undefined
  clusters: Resource[]
  /** Why the newest question failed. */
  error: Error | null
  /** When the instances shown were answered, this device's time, ms. */
  updatedAt: number
  /** There are instances, and they are what we last knew. */
  stale: boolean
  retry: () => Promise<unknown>
}

/** Every instance with the cluster it belongs to. One whose cluster left the list in between is left out. */
export function useInstances(): Instances {
  const list = useCall(instanceList, {})
  const { clusters, error: clustersError, stale, retry: retryClusters } = useClusters()
  const ofCluster = byCluster(list.data ?? [])
  const rows =
    clusters &&
    list.data &&
    countUnreadable(
      clusters.flatMap((cluster) =>
        (ofCluster.get(cluster.clusterId) ?? [])
          .toSorted((one, other) => Number(other.role === 'master') - Number(one.role === 'master'))
          .map((instance) => ({ instance, cluster })),
      ),
      list.data,
    )
  const newest = list.error ?? clustersError
  // With instances on the screen a silent failure is passed over; without, something has to be said.
  const error = rows && newest && isSilent(newest) ? null : newest
  return {
    rows,
    clusters: clusters ?? [],
    error,
    updatedAt: list.dataUpdatedAt,
    stale: rows !== undefined && (stale || error !== null),
    retry: () => Promise.all([clustersError && retryClusters(), list.refetch()]),
  }
}

/** Grouped once: looking for each cluster's own among all would take an Admin's browser seconds. */
function byCluster(instances: InstanceRow[]): Map<string, InstanceRow[]> {
  const groups = new Map<string, InstanceRow[]>()
  for (const instance of instances) {
    const group = groups.get(instance.clusterId)
    if (group) group.push(instance)
    else groups.set(instance.clusterId, [instance])
  }
  return groups
}
