import {
  clusterActivation,
  clusterMonitor,
  clusterUsage,
  clusterUsers,
  instanceDetails,
} from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { getActivation, getClusterUsage, getDetail } from '../views/cluster-service.ts'
import { listClusterUsers } from '../views/cluster-views.ts'
import { getMonitor } from '../views/monitor.ts'

/** Calls that show one cluster, and whose clusters there are. */
export function clusterReadRoutes(deps: ClusterDeps): Route[] {
  return [
    implement(instanceDetails, ({ clusterId }, { account, locale }) => getDetail(deps, account, clusterId, locale)),
    implement(clusterUsage, ({ clusterId }, { account }) => getClusterUsage(deps, account, clusterId)),
    implement(clusterMonitor, (body, { account }) => getMonitor(deps, account, body)),
    implement(clusterActivation, ({ clusterId }, { account }) => getActivation(deps, account, clusterId)),
    implement(clusterUsers, (_body, { account }) => listClusterUsers(deps.db, account)),
  ]
}
