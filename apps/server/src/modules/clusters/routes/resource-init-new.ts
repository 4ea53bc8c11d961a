import { resourceInitNew } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { toResource } from '../cluster-json.ts'
import { getDetail, getInstanceInfo, getMonitor } from '../cluster-service.ts'
import { listClusters } from '../cluster-views.ts'

/** The home page: each part is what its own call answers. */
export function resourceInitNewRoute(deps: ClusterDeps): Route {
  return implement(resourceInitNew, async (_body, { account: { userid }, locale }) => {
    const [user, instanceInfo, clusters] = await Promise.all([
      deps.accounts.getUser(deps.db, userid),
      getInstanceInfo(deps, userid, locale),
      listClusters(deps.db, userid),
    ])
    const first = clusters[0]?.id
    const [resourceDetail, resourceMetrics] =
      first === undefined
        ? [null, null]
        : await Promise.all([getDetail(deps, userid, first), getMonitor(deps, userid, first, '12h')])
    return {
      clusterUserAndPeriod: {
        clusterUser: [{ terminusName: user.terminusName, userid }],
        subscriptionPeriod: null,
      },
      instanceInfo,
      resourceDetail,
      resourceMetrics,
      user,
      // Nothing can be owed or paid until there is billing.
      customerInfo: { cashBalance: 0, currency: 'usd' as const, defaultPayMethod: null, promoBalance: 0 },
      resourceData: clusters.map((row) => toResource(row, deps.config)),
    }
  })
}
