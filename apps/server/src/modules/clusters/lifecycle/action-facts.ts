/** Rows as the facts by which actions are allowed. */

import type { ClusterDeps } from '../cluster-deps.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import type { Viewer } from '../visibility.ts'
import type { ActionFacts, HeldScope, InstanceFacts } from './action-refusals.ts'

/** Workers that a cluster may have, from the catalogue. */
export function maxWorkersOf({ compute }: Pick<ClusterDeps, 'compute'>): number {
  return compute.catalog.maxWorkers
}

/** How far a cluster is suspended, as a query or a command read it. */
export interface Held {
  held?: HeldScope | null | undefined
}

export function clusterFactsOf(
  deps: Pick<ClusterDeps, 'compute'>,
  cluster: Pick<ClusterRow, 'cluster_type' | 'owner'> & Held,
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
    // Matters only for a cluster that was given up; read under a lock when it is taken back
    // (commands/machines/machine-give-up.ts).
    addressTaken: false,
    held: cluster.held ?? undefined,
  }
}

export function instanceFactsOf(
  cluster: Pick<ClusterRow, 'cluster_type' | 'status' | 'desired'> & Held,
  instance: Pick<InstanceRow, 'role' | 'os_active' | 'missing'>,
): InstanceFacts {
  return {
    role: instance.role,
    clusterType: cluster.cluster_type,
    osActive: instance.os_active,
    missing: instance.missing,
    clusterStatus: cluster.status,
    clusterDesired: cluster.desired,
    held: cluster.held ?? undefined,
  }
}
