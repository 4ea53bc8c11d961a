/** Clusters: what owners want of them, how they come to be so, and what is shown. */
import type { Route } from '../../http/route.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { ProviderWatch } from '../compute/index.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { type DrillClusters, drillClusters } from './drills/drill-clusters.ts'
import { isTransitioning, servedStatus } from './lifecycle/cluster-state.ts'
import { ingressOf } from './network/public-address.ts'
import { findFrpLabel, frpTokenOf } from './network/self-host-proxy.ts'
import { tunnelTraffic } from './network/tunnel-traffic.ts'
import { clusterReconcile } from './reconcile/job.ts'
import { watchProviders } from './reconcile/provider-watch.ts'
import { clusterSweep, enqueueFullSweep } from './reconcile/sweep.ts'
import { clusterChangeRoutes } from './routes/cluster-change.ts'
import { clusterReadRoutes } from './routes/cluster-read.ts'
import { instanceChangeRoutes } from './routes/instance-change.ts'
import { instanceReadRoutes } from './routes/instance-read.ts'
import { resourceInitNewRoute } from './routes/resource-init-new.ts'
import { resourceListRoute } from './routes/resource-list.ts'
import { describeSweep } from './sweep/sweep-operator.ts'
import { findServing } from './views/cluster-views.ts'

export type { ClusterRestores, MadeForRestore } from './cluster-deps.ts'
export type { DrillClusters } from './drills/drill-clusters.ts'
export { createIntake } from './intake/intake.ts'
export { enqueueReconcile as wakeCluster } from './reconcile/reconcile-store.ts'
export { describeSweep, destroyStrays, resumeSweep, type SweepState } from './sweep/sweep-operator.ts'
export { hasActiveCluster } from './views/active-clusters.ts'
export { listFailedWorkloads, lockCluster, onMasters } from './views/alert-values.ts'
export {
  findClusterOfMaster,
  findLivingClusters,
  findOwnCluster,
  listClusterNames,
  listClusterOwners,
  listLivingClusterIds,
  listLivingInstanceIds,
  listOwners,
  listOwnInstances,
  listOwnMasters,
  type OwnMaster,
} from './views/cluster-owners.ts'
export { clustersQuery } from './views/cluster-views.ts'
export { listEnds, listMeteredInstances } from './views/metered-instances.ts'
export { getVisibleInstances, listNamedInstances, listWatchedInstances } from './views/watched-instances.ts'

/** Where the edge sends what visitors of a host ask for. */
export interface ClusterRoute {
  clusterId: string
  owner: string
  /** The cluster's own name among hosts, without a port. */
  clusterHost: string
  instanceId: string
  /** Meaningless unless `serving`. */
  host: string
  port: number
  /** Whether the personal server answers in this status. */
  serving: boolean
  /** Not serving, but on its way there. */
  starting: boolean
  /** Its host has not reported for a while. */
  offline: boolean
  /** Called over what its agent dialled instead of at `host` and `port`. */
  viaRelay: boolean
  /** The number of the customer's domain that the host is under; undefined: it is under the edge's own. */
  domainId: string | undefined
}

export interface Clusters {
  routes: Route[]
  drills: DrillClusters
  jobs: Job[]
  /** `host` as in a Host header; its port does not matter. Undefined when no cluster answers there. */
  findRouteByHost(db: Db, host: string): Promise<ClusterRoute | undefined>
  /** For the server plugin of an operator's frps: what an instance's frpc shows, and the label it may serve. */
  frps: {
    tokenOf(instanceId: string): string
    findLabel(db: Db, instanceId: string): Promise<string | undefined>
  }
  /** For a worker that starts: enqueues a reconcile of every living cluster: instances may have ended meanwhile. */
  resume(db: Db): Promise<void>
  /** Where nothing is swept and why, in words for the operator; undefined while it is swept everywhere. */
  describePausedSweep(db: Db): Promise<string | undefined>
  /** For a worker while it runs: observes what changes at providers by itself. */
  watchProviders(): ProviderWatch
}

export function createClusters(deps: ClusterDeps): Clusters {
  return {
    routes: [
      resourceInitNewRoute(deps),
      resourceListRoute(deps),
      ...clusterReadRoutes(deps),
      ...clusterChangeRoutes(deps),
      ...instanceReadRoutes(deps),
      ...instanceChangeRoutes(deps),
    ],
    drills: drillClusters(deps),
    jobs: [clusterReconcile(deps), clusterSweep(deps), tunnelTraffic(deps)],
    async findRouteByHost(db, host) {
      const asked = await nameCluster(deps, db, host)
      const found = asked && (await findServing(db, asked))
      const ingress = found && ingressOf(deps.config, found)
      // Others carry to the rest; what a host says of its own address is not for us to call.
      if (!found || (ingress !== 'edge' && ingress !== 'relay')) return undefined
      const { clusterId, owner, instanceId, host: address, port } = found
      const status = servedStatus(found)
      const viaRelay = ingress === 'relay'
      return {
        clusterId,
        owner,
        clusterHost: asked.clusterHost,
        instanceId,
        host: address ?? '',
        port: port ?? 0,
        serving: status === 'running' && (viaRelay || (address !== null && port !== null)),
        viaRelay,
        domainId: asked.domainId,
        offline: status === 'offline',
        starting: isTransitioning(status) && status !== 'stopping' && status !== 'destroying' && status !== 'canceling',
      }
    },
    frps: {
      tokenOf: (instanceId) => frpTokenOf(deps, instanceId),
      findLabel: (db, instanceId) => findFrpLabel(deps, db, instanceId),
    },
    resume: enqueueFullSweep,
    async describePausedSweep(db) {
      const { paused } = await describeSweep(db)
      return paused.length === 0 ? undefined : paused.map(({ why }) => why).join(' ')
    },
    watchProviders: () => watchProviders(deps),
  }
}

/** Which cluster a host names: by its label under the edge's domain, or by a host under a customer's domain. */
async function nameCluster({ config: { edgeDomain }, customHosts }: ClusterDeps, db: Db, host: string) {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  const label = labelOf(name, edgeDomain)
  if (label !== undefined) return { label, clusterHost: `${label}.${edgeDomain}`, domainId: undefined }
  return name === edgeDomain || name.endsWith(`.${edgeDomain}`) ? undefined : await customHosts.find(db, name)
}

/** `reef` of `reef.atoll.localhost`; undefined for a host under another domain or with more labels. */
function labelOf(name: string, domain: string): string | undefined {
  if (!name.endsWith(`.${domain}`)) return undefined
  const label = name.slice(0, -domain.length - 1)
  return /^[a-z0-9-]{1,63}$/.test(label) ? label : undefined
}
