import { resourceInitNew } from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { maxWorkersOf } from '../lifecycle/action-facts.ts'
import { toResource } from '../views/cluster-json.ts'
import { getDetail, getInstanceInfo, getMonitor } from '../views/cluster-service.ts'
import { listClusters, listClusterUsers } from '../views/cluster-views.ts'

/** The home page: each part is what its own call answers. */
export function resourceInitNewRoute(deps: ClusterDeps): Route {
  return implement(resourceInitNew, async (_body, { account, locale }) => {
    const { userid } = account
    const [user, instanceInfo, clusters, clusterUser] = await Promise.all([
      deps.accounts.getUser(deps.db, userid),
      getInstanceInfo(deps, userid, locale),
      listClusters(deps.db, account),
      listClusterUsers(deps.db, account),
    ])
    const showing = { config: deps.config, viewer: account, locale, maxWorkers: maxWorkersOf(deps) }
    const first = clusters[0]?.id
    const [resourceDetail, resourceMetrics] =
      first === undefined
        ? [null, null]
        : await Promise.all([getDetail(deps, account, first, locale), getMonitor(deps, account, first, '12h')])
    return {
      clusterUserAndPeriod: {
        clusterUser,
        subscriptionPeriod: null,
      },
      instanceInfo,
      resourceDetail,
      resourceMetrics,
      user,
      // Nothing can be owed or paid until there is billing.
      customerInfo: { cashBalance: 0, currency: 'usd' as const, defaultPayMethod: null, promoBalance: 0 },
      resourceData: clusters.map((row) => toResource(row, showing)),
    }
  })
}
