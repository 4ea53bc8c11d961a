import { resourceInitNew } from '@atoll/contract/clusters'
import { defaultMonitorRange } from '@atoll/contract/wire'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { maxWorkersOf } from '../lifecycle/action-facts.ts'
import { toResource } from '../views/cluster-json.ts'
import { getDetail, getInstanceInfo, listHosts } from '../views/cluster-service.ts'
import { listClusters, listClusterUsers } from '../views/cluster-views.ts'
import { getMonitor } from '../views/monitor.ts'

/** The home page: each part is what its own call answers. */
export function resourceInitNewRoute(deps: ClusterDeps): Route {
  return implement(resourceInitNew, async (_body, { account, locale }) => {
    const { userid } = account
    const [user, instanceInfo, clusters, clusterUser, customerInfo, subscriptionPeriod, notices] = await Promise.all([
      deps.accounts.getUser(deps.db, userid),
      getInstanceInfo(deps, userid, locale),
      listClusters(deps.db, account),
      listClusterUsers(deps.db, account),
      deps.billing.getCustomerInfo(userid),
      deps.billing.getPlanPeriod(userid),
      deps.billing.notices(deps.db, userid),
    ])
    const hosts = await listHosts(deps, clusters)
    const showing = { config: deps.config, viewer: account, locale, maxWorkers: maxWorkersOf(deps), hosts }
    const first = clusters[0]?.id
    const [resourceDetail, resourceMetrics] =
      first === undefined
        ? [null, null]
        : await Promise.all([
            getDetail(deps, account, first, locale),
            getMonitor(deps, account, { clusterId: first, range: defaultMonitorRange }),
          ])
    return {
      clusterUserAndPeriod: {
        clusterUser,
        subscriptionPeriod,
      },
      instanceInfo,
      resourceDetail,
      resourceMetrics,
      user,
      customerInfo,
      notices,
      resourceData: clusters.map((row) => toResource(row, showing)),
    }
  })
}
