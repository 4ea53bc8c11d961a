/** Rows as the facts by which actions are allowed. */

import type { ClusterDeps } from '../cluster-deps.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import type { Viewer } from '../visibility.ts'
import type { ActionFacts, InstanceFacts } from './action-refusals.ts'

/** Workers that a cluster may have, from the catalogue. */
export function maxWorkersOf({ compute }: Pick<ClusterDeps, 'compute'>): number {
  return compute.catalog.maxWorkers
}

export function clusterFactsOf(
  deps: Pick<ClusterDeps, 'compute'>,
  cluster: Pick<ClusterRow, 'cluster_type' | 'owner'>,
  caller: Viewer,
  instances: readonly Pick<InstanceRow, 'role' | 'os_active' | 'has_password' | 'missing'>[],
): ActionFacts {
  const master = instances.find(({ role }) => role === 'master')
  return {
    clusterType: cluster.cluster_type,
    isOwner: cluster.owner === caller.userid,
    osActive: master?.os_active ?? false,
    hasPassword: master?.has_password ?? false,
    missing: master?.missing ?? false,
    workerCount: instances.filter(({ role }) => role === 'worker').length,
    maxWorkers: maxWorkersOf(deps),
    // Of one that was given up alone, and asked under a lock when it is taken back (commands/machine-give-up.ts).
    addressTaken: false,
  }
}

export function instanceFactsOf(
  cluster: Pick<ClusterRow, 'cluster_type' | 'status' | 'desired'>,
  instance: Pick<InstanceRow, 'role' | 'os_active' | 'missing'>,
): InstanceFacts {
  return {
    role: instance.role,
    clusterType: cluster.cluster_type,
    osActive: instance.os_active,
    missing: instance.missing,
    clusterStatus: cluster.status,
    clusterDesired: cluster.desired,
  }
}
