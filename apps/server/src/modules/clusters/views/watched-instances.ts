import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { instanceName } from './instance-json.ts'

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
    .execute()
  return rows.map((row) => ({
    instanceId: row.id,
    name: instanceName(row),
    clusterId: row.cluster_id,
    clusterName: row.name,
    owner: row.owner,
  }))
}
