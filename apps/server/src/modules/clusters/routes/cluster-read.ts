import {
  clusterActivation,
  clusterInstallLog,
  clusterMonitor,
  clusterOrder,
  clusterUsage,
  clusterUsers,
  installTime,
  instanceDetails,
} from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { getActivation, getClusterUsage, getDetail, getInstallLog, getOrder } from '../views/cluster-service.ts'
import { listClusterUsers } from '../views/cluster-views.ts'
import { readInstallTime } from '../views/figures/install-time.ts'
import { getMonitor } from '../views/monitor.ts'

/** Calls that show one cluster, and whose clusters there are. */
export function clusterReadRoutes(deps: ClusterDeps): Route[] {
  return [
    implement(instanceDetails, ({ clusterId }, { account, locale }) => getDetail(deps, account, clusterId, locale)),
    implement(clusterInstallLog, (body, { account }) => getInstallLog(deps, account, body)),
    implement(clusterOrder, ({ clusterId }, { account }) => getOrder(deps, account, clusterId)),
    implement(installTime, async (size) => ({ seconds: await readInstallTime(deps.db, size) })),
    implement(clusterUsage, ({ clusterId }, { account }) => getClusterUsage(deps, account, clusterId)),
    implement(clusterMonitor, (body, { account }) => getMonitor(deps, account, body)),
    implement(clusterActivation, ({ clusterId }, { account }) => getActivation(deps, account, clusterId)),
    implement(clusterUsers, (_body, { account }) => listClusterUsers(deps.db, account)),
  ]
}
