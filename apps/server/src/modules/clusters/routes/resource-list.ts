import { resourceList } from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { maxWorkersOf } from '../lifecycle/action-facts.ts'
import { toResource } from '../views/cluster-json.ts'
import { listHosts } from '../views/cluster-service.ts'
import { listClusters } from '../views/cluster-views.ts'

export function resourceListRoute(deps: ClusterDeps): Route {
  const { db, config } = deps
  return implement(resourceList, async ({ clusterUserid }, { account, locale }) => {
    // An empty filter is the form's way of saying none.
    const clusters = await listClusters(db, account, clusterUserid || undefined)
    const hosts = await listHosts(deps, clusters)
    const showing = { config, viewer: account, locale, maxWorkers: maxWorkersOf(deps), hosts }
    return clusters.map((row) => toResource(row, showing))
  })
}
