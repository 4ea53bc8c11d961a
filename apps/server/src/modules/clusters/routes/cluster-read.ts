import { clusterActivation, clusterMonitor, clusterUsage, clusterUsers, instanceDetails } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { getActivation, getClusterUsage, getDetail, getMonitor } from '../cluster-service.ts'

/** Calls that show one cluster, and whose clusters there are. */
export function clusterReadRoutes(deps: ClusterDeps): Route[] {
  return [
    implement(instanceDetails, ({ clusterId }, { account }) => getDetail(deps, account.userid, clusterId)),
    implement(clusterUsage, ({ clusterId }, { account }) => getClusterUsage(deps, account.userid, clusterId)),
    implement(clusterMonitor, ({ clusterId, range }, { account }) =>
      getMonitor(deps, account.userid, clusterId, range),
    ),
    implement(clusterActivation, ({ clusterId }, { account }) => getActivation(deps, account.userid, clusterId)),
    implement(clusterUsers, async (_body, { account: { userid } }) => {
      const { terminusName } = await deps.accounts.getUser(deps.db, userid)
      return [{ terminusName, userid }]
    }),
  ]
}
