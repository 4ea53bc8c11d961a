import { resourceList } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import { maxWorkersOf } from '../action-facts.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { toResource } from '../cluster-json.ts'
import { listClusters } from '../cluster-views.ts'

export function resourceListRoute(deps: ClusterDeps): Route {
  const { db, config } = deps
  return implement(resourceList, async ({ clusterUserid }, { account, locale }) => {
    // An empty filter is the form's way of saying none.
    const clusters = await listClusters(db, account, clusterUserid || undefined)
    const showing = { config, viewer: account, locale, maxWorkers: maxWorkersOf(deps) }
    return clusters.map((row) => toResource(row, showing))
  })
}
