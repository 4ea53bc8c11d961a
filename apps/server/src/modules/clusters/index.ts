/** Clusters: what owners want of them, how they come to be so, and what is shown. */
import type { Locale } from '@atoll/contract/wire'
import type { Route } from '../../http/route.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { SourceCheck } from '../../platform/sources/index.ts'
import { getDid } from '../accounts/index.ts'
import type { ProviderWatch } from '../compute/index.ts'
import { capacityRead } from './capacity/read-capacity.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { requestAction } from './commands/cluster-actions.ts'
import { keepInstance, listAskedRunning } from './commands/destroy-confirm.ts'
import { checkForStaff, commandAsStaff, giveUpAsStaff, retryAsStaff } from './commands/staff-acts.ts'
import { memberDrain } from './drains/drain-job.ts'
import { type DrillClusters, drillClusters } from './drills/drill-clusters.ts'
import { findFrpLabel, frpTokenOf } from './network/self-host-proxy.ts'
import { tunnelTraffic } from './network/tunnel-traffic.ts'
import { clusterReconcile } from './reconcile/job.ts'
import { watchProviders } from './reconcile/provider-watch.ts'
import { clusterChangeRoutes } from './routes/cluster-change.ts'
import { clusterReadRoutes } from './routes/cluster-read.ts'
import { instanceChangeRoutes } from './routes/instance-change.ts'
import { instanceReadRoutes } from './routes/instance-read.ts'
import { resourceInitNewRoute } from './routes/resource-init-new.ts'
import { resourceListRoute } from './routes/resource-list.ts'
import { providerSources } from './sweep/provider-sources.ts'
import { clusterSweep, enqueueFullSweep } from './sweep/sweep.ts'
import { describeSweep } from './sweep/sweep-operator.ts'
import { findClusterOwner } from './views/cluster-owners.ts'
import { findRouteByHost } from './views/cluster-route.ts'
import { describeStaffCluster } from './views/staff-clusters.ts'

export { setAccepts } from './capacity/capacity-store.ts'
export { describeCapacity } from './capacity/describe-capacity.ts'
export type { AskedRestore, Asker, ClusterRestores, MadeForRestore } from './cluster-deps.ts'
export { type PlannedDrain, planDrain, startDrain, stopDrain } from './drains/drain-service.ts'
export type { DrillClusters } from './drills/drill-clusters.ts'
export { enqueueReconcile as wakeCluster } from './instances/reconcile-store.ts'
export { createIntake, type Intake } from './intake/intake.ts'
export { clusterKeyMoves, listFrpInstances } from './key-moves.ts'
export { listOwnLabels } from './network/host-label.ts'
export { clusterTimes } from './stored-times.ts'
export { describeSweep, destroyStrays, resumeSweep, type SweepState } from './sweep/sweep-operator.ts'
export { findActiveCluster } from './views/active-clusters.ts'
export {
  findAddressedClusters,
  findClusterOfMaster,
  findClusterOwner,
  findClusterSteps,
  findMasterOf,
  findOwnCluster,
  listAddressedClusterIds,
  listClusterFigures,
  listClusterNames,
  listClusterOwners,
  listInstallLogs,
  listLivingClusterIds,
  listLivingInstanceIds,
  listLivingInstances,
  listOwners,
  listOwnInstances,
  listOwnMasters,
  type OwnMaster,
  ownerOfCluster,
} from './views/cluster-owners.ts'
export { clustersQuery } from './views/cluster-views.ts'
export { listFailedWorkloads, lockCluster, onMasters } from './views/figures/alert-values.ts'
export { countInstances } from './views/figures/count-instances.ts'
export { listEnds, listMeteredInstances } from './views/figures/metered-instances.ts'
export { countAnswering, listOwnersIn, listRegionsOf } from './views/figures/region-figures.ts'
export { listPresentAddresses } from './views/present-addresses.ts'
export { readStaffClusters, toStaffCluster } from './views/staff-clusters.ts'
export { findStuckClusters } from './views/stuck-clusters.ts'
export { getVisibleInstances, listNamedInstances, listWatchedInstances } from './views/watched-instances.ts'

/** Parameters of a function after its dependencies. */
type Rest<F> = F extends (deps: ClusterDeps, ...rest: infer Others) => unknown ? Others : never

export interface Clusters {
  routes: Route[]
  drills: DrillClusters
  jobs: Job[]
  /** Checks, one for each provider, whether it knows more than this database; the list follows the catalogue. */
  sources(): SourceCheck[]
  /** `host` as in a Host header; its port does not matter. Undefined when no cluster answers there. */
  findRouteByHost(db: Db, host: string): ReturnType<typeof findRouteByHost>
  /** For the server plugin of an operator's frps: what an instance's frpc shows, and the label it may serve. */
  frps: {
    isToken(instanceId: string, shown: string): boolean
    findLabel(db: Db, instanceId: string): Promise<string | undefined>
  }
  /**
   * Stops or starts a cluster for the system, as a suspension does; refused for the same reasons as for the owner. A
   * cluster that still runs while its destruction waits to be confirmed is kept and stopped.
   */
  setPower(order: { owner: string; clusterId: string; action: 'start' | 'stop' }): Promise<void>
  /** Destroys a cluster for the system, at the refund of now; a self-hosted one leaves, and keeps its files. */
  end(order: { owner: string; clusterId: string }): Promise<void>
  /** For staff, who have been let in by their own routes. */
  staff: {
    describe(clusterId: string, locale: Locale): ReturnType<typeof describeStaffCluster>
    retry: (...args: Rest<typeof retryAsStaff>) => Promise<void>
    giveUp: (...args: Rest<typeof giveUpAsStaff>) => Promise<void>
    check: (...args: Rest<typeof checkForStaff>) => ReturnType<typeof checkForStaff>
    command: (...args: Rest<typeof commandAsStaff>) => Promise<void>
  }
  findOwner(db: Db, clusterId: string): Promise<string | undefined>
  /** For a worker that starts: enqueues a reconcile of every living cluster: instances may have ended meanwhile. */
  resume(db: Db): Promise<void>
  /** Where nothing is swept and why, in words for the operator; undefined while it is swept everywhere. */
  describePausedSweep(db: Db): Promise<string | undefined>
  /** For a running worker: watches providers for changes that nobody here requested. */
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
    jobs: [clusterReconcile(deps), clusterSweep(deps), tunnelTraffic(deps), capacityRead(deps), memberDrain(deps)],
    sources: () => providerSources(deps),
    findRouteByHost: (db, host) => findRouteByHost(deps, db, host),
    frps: {
      isToken: (instanceId, shown) => deps.sealer.accepts('frp', instanceId, shown),
      findLabel: (db, instanceId) => findFrpLabel(deps, db, instanceId),
    },
    async setPower({ owner, clusterId, action }) {
      const did = await getDid(deps.db, owner)
      const system = { userid: owner, did, sessionId: '', role: 'User', ip: '', isSystem: true } as const
      if (action === 'stop')
        for (const instanceId of await listAskedRunning(deps.db, clusterId))
          await keepInstance(deps, system, { clusterId, instanceId })
      await requestAction(deps, system, { call: `system.${action}`, action, body: { clusterId } })
    },
    async end({ owner, clusterId }) {
      const did = await getDid(deps.db, owner)
      const system = { userid: owner, did, sessionId: '', role: 'User', ip: '', isSystem: true } as const
      await requestAction(deps, system, { call: 'system.destroy', action: 'destroyMaster', body: { clusterId } })
    },
    staff: {
      describe: (clusterId, locale) => describeStaffCluster(deps, clusterId, locale),
      retry: (...args) => retryAsStaff(deps, ...args),
      giveUp: (...args) => giveUpAsStaff(deps, ...args),
      check: (...args) => checkForStaff(deps, ...args),
      command: (...args) => commandAsStaff(deps, ...args),
    },
    findOwner: findClusterOwner,
    resume: enqueueFullSweep,
    async describePausedSweep(db) {
      const { paused } = await describeSweep(db)
      return paused.length === 0 ? undefined : paused.map(({ why }) => why).join(' ')
    },
    watchProviders: () => watchProviders(deps),
  }
}
