/** Answers for other modules: owners and names of clusters, and which clusters are not gone. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { staffRoleOf } from '../../accounts/index.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import { instanceName } from './instance-json.ts'
import { selectWithMasters } from './with-masters.ts'

/** Ids of the clusters of an account that are not gone, the oldest first. */
export async function listLivingClusterIds(db: Db, owner: string): Promise<string[]> {
  const rows = await db
    .selectFrom('clusters')
    .select('id')
    .where('owner', '=', owner)
    .where('status', 'not in', endedStatuses)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Ids of the clusters of an account that have an address, the oldest first: not gone, and not given up. */
export async function listAddressedClusterIds(db: Db, owner: string): Promise<string[]> {
  const rows = await selectAddressed(db).where('owner', '=', owner).orderBy('created_at').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The owner of a cluster by its id, or the owners of those of a name. */
export function ownerOfCluster(search: string): RawBuilder<string> {
  return sql<string>`(select owner from clusters where id = ${search} union all select owner from clusters
    where lower(name) = ${search.toLowerCase()} and status not in ('destroyed', 'canceled') and purpose = 'user')`
}

function selectAddressed(db: Db) {
  return db
    .selectFrom('clusters')
    .select('id')
    .where('status', 'not in', endedStatuses)
    .where('given_up_at', 'is', null)
}

/** Which of these clusters have an address. */
export async function findAddressedClusters(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await selectAddressed(db).where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

/** A cluster of an account that is not gone, and its master. */
export interface OwnMaster {
  clusterId: string
  clusterName: string
  instanceId: string
}

/** Oldest first. */
export async function listOwnMasters(db: Db, owner: string): Promise<OwnMaster[]> {
  return await selectWithMasters(db)
    .select(['clusters.id as clusterId', 'clusters.name as clusterName', 'master.id as instanceId'])
    .where('clusters.owner', '=', owner)
    .where('clusters.status', 'not in', endedStatuses)
    .orderBy('clusters.created_at')
    .orderBy('clusters.id')
    .execute()
}

/** The cluster whose master this instance is now; undefined: none that is not gone. */
export async function findClusterOfMaster(db: Db, instanceId: string): Promise<{ clusterId: string } | undefined> {
  return await selectWithMasters(db)
    .select('clusters.id as clusterId')
    .where('master.id', '=', instanceId)
    .where('clusters.status', 'not in', endedStatuses)
    .executeTakeFirst()
}

/** The instance that is the master of a cluster now; undefined: there is no such cluster. */
export async function findMasterOf(db: Db, clusterId: string): Promise<string | undefined> {
  const row = await selectWithMasters(db)
    .select('master.id as instanceId')
    .where('clusters.id', '=', clusterId)
    .executeTakeFirst()
  return row?.instanceId
}

/** Names of these clusters, including those that are gone. */
export async function listClusterNames(
  db: Db,
  clusterIds: readonly string[],
): Promise<{ clusterId: string; clusterName: string }[]> {
  if (clusterIds.length === 0) return []
  return await db
    .selectFrom('clusters')
    .select(['id as clusterId', 'name as clusterName'])
    .where('id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
    .execute()
}

/** Accounts that have a cluster. */
export async function listClusterOwners(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('clusters')
    .select('owner')
    .distinct()
    .where('status', '<>', 'destroyed')
    .where('purpose', '=', 'user')
    .execute()
  return rows.map(({ owner }) => owner)
}

/** The owner of each of these clusters; ids that never existed are left out. */
export async function listOwners(
  db: Db,
  clusterIds: readonly string[],
): Promise<{ clusterId: string; owner: string }[]> {
  if (clusterIds.length === 0) return []
  return await db
    .selectFrom('clusters')
    .select(['id as clusterId', 'owner'])
    .where('id', '=', sql<string>`any(${[...clusterIds]}::text[])`)
    .execute()
}

/** The instances of all clusters of an account that are not gone. */
export async function listLivingInstanceIds(db: Db, owner: string): Promise<string[]> {
  const rows = await db
    .selectFrom('instances')
    .select('id')
    .where('owner', '=', owner)
    .where('status', 'not in', endedStatuses)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The cloud of a cluster that belongs to this very account and is not destroyed. */
export async function findOwnCluster(
  db: Db,
  owner: string,
  clusterId: string,
): Promise<{ cloudName: string | null } | undefined> {
  return await db
    .selectFrom('clusters')
    .select('cloud_name as cloudName')
    .where('id', '=', clusterId)
    .where('owner', '=', owner)
    .where('status', '<>', 'destroyed')
    .executeTakeFirst()
}

/** The instances of a living cluster of this very account, and whether each ran; undefined for any other cluster. */
export async function listOwnInstances(
  db: Db,
  owner: string,
  clusterId: string,
): Promise<{ instanceId: string; hasRun: boolean }[] | undefined> {
  const rows = await db
    .selectFrom('clusters')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select(['instances.id as instanceId', 'instances.has_run as hasRun'])
    .where('clusters.id', '=', clusterId)
    .where('clusters.owner', '=', owner)
    .where('clusters.status', 'not in', endedStatuses)
    .where('instances.status', 'not in', endedStatuses)
    .orderBy('instances.ordinal')
    .execute()
  return rows.length === 0 ? undefined : rows
}

/** The staff's view of an account's clusters that are not gone: nothing from inside them. */
export async function listClusterFigures(db: Db, owner: string) {
  return await selectWithMasters(db)
    .select((from) => [
      'clusters.id as clusterId',
      'clusters.name',
      'clusters.cluster_type as clusterType',
      'clusters.status',
      'clusters.region_id as regionId',
      'clusters.version',
      'master.cpu_core_count as cpuCoreCount',
      'master.memory_mib as memorySize',
      'clusters.created_at as createAt',
      from
        .selectFrom('instances as worker')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('worker.cluster_id', '=', 'clusters.id')
        .where('worker.role', '=', 'worker')
        .where('worker.status', 'not in', endedStatuses)
        .$asScalar()
        .as('workers'),
    ])
    .where('clusters.owner', '=', owner)
    .where('clusters.status', 'not in', endedStatuses)
    .orderBy('clusters.created_at')
    .orderBy('clusters.id')
    .execute()
}

export async function findClusterOwner(db: Db, clusterId: string): Promise<string | undefined> {
  return (await db.selectFrom('clusters').select('owner').where('id', '=', clusterId).executeTakeFirst())?.owner
}

/** Whether an account has ever had a cluster, and an activated one; clusters of drills do not count. */
export async function findClusterSteps(db: Db, owner: string): Promise<{ created: boolean; activated: boolean }> {
  const { clusters, activated } = await selectWithMasters(db)
    .select(({ fn }) => [
      fn.countAll<number>().as('clusters'),
      fn<boolean | null>('bool_or', ['os_active']).as('activated'),
    ])
    .where('clusters.owner', '=', owner)
    .where('clusters.purpose', '=', 'user')
    .executeTakeFirstOrThrow()
  return { created: clusters > 0, activated: activated === true }
}

/** Every instance of a living cluster of somebody, and whether that somebody has a staff role. */
export async function listLivingInstances(
  db: Db,
): Promise<{ instanceId: string; clusterId: string; isOwn: boolean }[]> {
  return await db
    .selectFrom('clusters')
    .innerJoin('instances', 'instances.cluster_id', 'clusters.id')
    .select((from) => [
      'instances.id as instanceId',
      'clusters.id as clusterId',
      sql<boolean>`${staffRoleOf(from.ref('clusters.owner'))} is not null`.as('isOwn'),
    ])
    .where('clusters.purpose', '=', 'user')
    .where('clusters.status', 'not in', endedStatuses)
    .where('instances.status', 'not in', endedStatuses)
    .orderBy('instances.id')
    .execute()
}

/** The install logs of a cluster's instances, JSON texts. */
export async function listInstallLogs(db: Db, clusterId: string): Promise<{ name: string; log: string }[]> {
  const rows = await db
    .selectFrom('instances')
    .select(['role', 'ordinal', 'install_log as log'])
    .where('cluster_id', '=', clusterId)
    .where('status', 'not in', endedStatuses)
    .orderBy('ordinal')
    .execute()
  return rows.map(({ log, ...instance }) => ({ name: instanceName(instance), log }))
}
