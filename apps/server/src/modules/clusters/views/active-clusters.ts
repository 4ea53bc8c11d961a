import type { Db } from '../../../platform/db/index.ts'
import { adoptsId } from '../lifecycle/adopts-id.ts'
import { selectWithMasters } from './with-masters.ts'

/** The first of these clusters that uses its owner's ID now (`adoptsId`); undefined: none does. */
export async function findActiveCluster(
  db: Db,
  clusterIds: readonly string[],
): Promise<{ clusterId: string; clusterName: string } | undefined> {
  if (clusterIds.length === 0) return undefined
  const rows = await selectWithMasters(db)
    .select(['clusters.id as clusterId', 'clusters.name as clusterName'])
    .select(['master.status', 'master.resume_stack', 'master.given_up', 'master.os_active as osActive'])
    .where('clusters.id', 'in', clusterIds)
    .orderBy('clusters.id')
    .execute()
  return rows.find(adoptsId)
}
