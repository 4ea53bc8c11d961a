import { instanceList, workerList } from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import { findAccountOfDid } from '../../accounts/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { getVisibleCluster } from '../views/cluster-service.ts'
import { toInstanceLine } from '../views/instance-json.ts'
import { listVisibleInstances } from '../views/instance-views.ts'

/** Calls that list instances over all clusters. */
export function instanceReadRoutes(deps: ClusterDeps): Route[] {
  return [
    implement(instanceList, async ({ clusterUserid }, { account, locale }) => {
      // An empty filter is the form's way of saying none.
      const owner = clusterUserid ? ((await findAccountOfDid(deps.db, clusterUserid)) ?? '') : undefined
      const rows = await listVisibleInstances(deps.db, account, owner)
      return rows.map((row) => toInstanceLine(row, { viewer: account, locale }))
    }),
    implement(workerList, async ({ clusterId }, { account, locale }) => {
      if (clusterId !== undefined) await getVisibleCluster(deps, account, clusterId)
      const rows = await listVisibleInstances(deps.db, account)
      const isAsked = (row: (typeof rows)[number]) => clusterId === undefined || row.cluster_id === clusterId
      return rows
        .filter((row) => row.role === 'worker' && isAsked(row))
        .map((row) => toInstanceLine(row, { viewer: account, locale }))
    }),
  ]
}
