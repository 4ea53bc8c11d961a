import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import type { Viewer } from '../visibility.ts'
import { findVisibleCluster } from './cluster-views.ts'
import { instanceName } from './instance-json.ts'
import { listInstances } from './instance-views.ts'

/**
 * Those of `instanceIds` that should run and that nothing is done to now: what is stopped on purpose, still being made,
 * or ended is left out.
 */
export async function listWatchedInstances(db: Db, instanceIds: readonly string[]) {
  const rows = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select([
      'instances.id',
      'instances.role',
      'instances.ordinal',
      'clusters.id as cluster_id',
      'clusters.name',
      'clusters.owner',
    ])
    .where('instances.id', '=', sql<string>`any(${[...instanceIds]}::text[])`)
    .where('instances.replaced_at', 'is', null)
    .where('instances.status', 'in', ['running', 'offline'])
    .where('clusters.desired', '=', 'running')
    .where('clusters.purpose', '=', 'user')
    .execute()
  return rows.map((row) => ({
    instanceId: row.id,
    name: instanceName(row),
    clusterId: row.cluster_id,
    clusterName: row.name,
    owner: row.owner,
  }))
}

/** The living instances of a cluster; refuses one that `viewer` may not see like one that does not exist. */
export async function getVisibleInstances(db: Db, viewer: Viewer, clusterId: string) {
  const cluster = (await findVisibleCluster(db, viewer, clusterId)) ?? refuse('notFound', { object: 'cluster' })
  const rows = await listInstances(db, cluster.id)
  return rows.map((row) => ({ instanceId: row.id, name: instanceName(row) }))
}

/** The instances of this very account that are not gone, for who reads their measurements. */
export async function listNamedInstances(db: Db, owner: string) {
  const rows = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select(['instances.id', 'instances.role', 'instances.ordinal', 'clusters.id as cluster_id', 'clusters.name'])
    .where('clusters.owner', '=', owner)
    .where('instances.replaced_at', 'is', null)
    .where('instances.status', 'not in', endedStatuses)
    .orderBy('instances.id')
    .execute()
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    clusterName: row.name,
    instanceId: row.id,
    name: instanceName(row),
  }))
}
