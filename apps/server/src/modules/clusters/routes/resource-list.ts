import { resourceList } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { toResource } from '../cluster-json.ts'
import { listClusters } from '../cluster-views.ts'

export function resourceListRoute({ db, config }: ClusterDeps): Route {
  return implement(resourceList, async ({ clusterUserid }, { account }) => {
    // An empty filter is the form's way of saying none.
    const clusters = await listClusters(db, account, clusterUserid || undefined)
    return clusters.map((row) => toResource(row, config))
  })
}
