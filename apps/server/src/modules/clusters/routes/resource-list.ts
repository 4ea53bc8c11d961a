import { type Resource, resourceList } from '@atoll/contract/clusters'
import { defaultRowsPerPage } from '@atoll/contract/wire'
import { implement, type Route } from '../../../http/route.ts'
import { findAccountOfDid } from '../../accounts/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { maxWorkersOf } from '../lifecycle/action-facts.ts'
import { toResource } from '../views/cluster-json.ts'
import { listHosts } from '../views/cluster-service.ts'
import { type ListedCluster, listClusters, pageClusters } from '../views/cluster-views.ts'

export function resourceListRoute(deps: ClusterDeps): Route {
  const { db, config } = deps
  return implement(resourceList, async ({ clusterUserid, page, rowsPerPage = defaultRowsPerPage }, context) => {
    const { account, locale } = context
    // An empty filter is the form's way of saying none.
    const owner = clusterUserid ? ((await findAccountOfDid(db, clusterUserid)) ?? '') : undefined
    async function show(rows: readonly ListedCluster[]): Promise<Resource[]> {
      const showing = { config, viewer: account, locale, maxWorkers: maxWorkersOf(deps) }
      const hosts = await listHosts(deps, rows)
      return rows.map((row) => toResource(row, { ...showing, hosts }))
    }
    if (page === undefined) return await show(await listClusters(db, account, owner))
    const { rows, figures } = await pageClusters(db, account, { page, rowsPerPage }, owner)
    return { resources: await show(rows), ...figures }
  })
}
