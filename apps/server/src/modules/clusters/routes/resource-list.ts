import { resourceList } from '@atoll/contract'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { toResource } from '../cluster-json.ts'
import { listClusters } from '../cluster-views.ts'

export function resourceListRoute({ db, config }: ClusterDeps): Route {
  return implement(resourceList, async ({ clusterUserid }, { account }) => {
    // An account sees its own; a filter for another one finds nothing.
    if (clusterUserid !== undefined && clusterUserid !== '' && clusterUserid !== account.userid) return []
    return (await listClusters(db, account.userid)).map((row) => toResource(row, config))
  })
}
