/** What calls show of clusters: read in one round trip each. */
import type { CallData, clusterUsers } from '@atoll/contract'
import { type Expression, type InferResult, sql } from 'kysely'
import { type Db, prepareQuery } from '../../platform/db/index.ts'
import { latestMetricsOf } from '../agents/index.ts'
import { nameOf } from '../identity/index.ts'
import type { InstanceRow, OperationRow } from './cluster-tables.ts'
import { type Viewer, visibleOwners, visibleTo } from './visibility.ts'

/** A worker as the list's query aggregates it. */
export interface WorkerColumns {
  id: string
  status: InstanceRow['status']
  offering: string | null
  cpu: number
  memory: number
}

function workersOf(clusterId: Expression<string>) {
  return sql<WorkerColumns[] | null>`(
    select json_agg(json_build_object('id', w.id, 'status', w.status, 'offering', w.offering, 'cpu', w.cpu_core_count,
      'memory', w.memory_mib) order by w.created_at, w.id)
    from instances as w
    where w.cluster_id = ${clusterId} and w.role = 'worker' and w.status not in ('destroyed', 'canceled'))`
}

/** The query behind the list of one owner; the bench runs it bare. */
export function clustersQuery(db: Db, owner: string) {
  return everyCluster(db).where('clusters.owner', '=', owner)
}

function everyCluster(db: Db) {
  return db
    .selectFrom('clusters')
    .innerJoin('instances as master', (join) =>
      join.onRef('master.cluster_id', '=', 'clusters.id').on('master.role', '=', 'master'),
    )
    .where('clusters.status', '<>', 'destroyed')
    .orderBy('clusters.created_at')
    .orderBy('clusters.id')
    .select((from) => [
      'clusters.id',
      'clusters.name',
      'clusters.owner',
      'clusters.cluster_type',
      'clusters.status',
      'clusters.trail',
      'clusters.reverse_proxy',
      'clusters.host_label',
      'clusters.cloud_name',
      'clusters.region_id',
      'clusters.version',
      'clusters.offering',
      'clusters.error',
      'clusters.created_at',
      'master.id as master_id',
      'master.cpu_core_count',
      'master.memory_mib',
      'master.host',
      'master.os_active',
      'master.has_password',
      'master.install_log',
      nameOf(from.ref('clusters.owner')).as('owner_name'),
      workersOf(from.ref('clusters.id')).as('workers'),
      latestMetricsOf(from.ref('master.id')).as('latest'),
    ])
}
const listOfOwner = prepareQuery('clusters.list', clustersQuery)
const listOfEverybody = prepareQuery('clusters.list-all', everyCluster)

/** The clusters that `viewer` may see, those of `owner` alone if one is given; not destroyed, oldest first. */
export async function listClusters(db: Db, viewer: Viewer, owner?: string): Promise<ListedCluster[]> {
  const owners = visibleOwners(viewer, owner)
  if (owners === 'nobody') return []
  return owners === 'everybody' ? await listOfEverybody(db, '') : await listOfOwner(db, owners.only)
}

/** Who has a cluster that `viewer` may see, and `viewer`; by name. */
export async function listClusterUsers(db: Db, viewer: Viewer): Promise<CallData<typeof clusterUsers>> {
  const rows = await db
    .selectFrom('accounts')
    .select((from) => ['accounts.userid', nameOf(from.ref('accounts.userid')).as('terminusName')])
    .where((from) =>
      from.or([
        from('accounts.userid', '=', viewer.userid),
        from.exists(
          from
            .selectFrom('clusters')
            .select('clusters.id')
            .whereRef('clusters.owner', '=', 'accounts.userid')
            .where('clusters.status', '<>', 'destroyed')
            .where((inner) => visibleTo(viewer, inner.ref('clusters.owner'))),
        ),
      ]),
    )
    .orderBy('terminusName')
    .orderBy('accounts.userid')
    .execute()
  return rows
}

export type ListedCluster = InferResult<ReturnType<typeof clustersQuery>>[number]

/** A cluster that `viewer` may see and that is not destroyed. */
export async function findVisibleCluster(db: Db, viewer: Viewer, clusterId: string) {
  return await db
    .selectFrom('clusters')
    .innerJoin('instances as master', (join) =>
      join.onRef('master.cluster_id', '=', 'clusters.id').on('master.role', '=', 'master'),
    )
    .where('clusters.id', '=', clusterId)
    .where((from) => visibleTo(viewer, from.ref('clusters.owner')))
    .where('clusters.status', '<>', 'destroyed')
    .select((from) => [
      'clusters.id',
      'clusters.owner',
      'clusters.status',
      'clusters.trail',
      'clusters.cluster_type',
      'clusters.host_label',
      'master.id as master_id',
      'master.os_active',
      'master.has_password',
      'master.disk_mib',
      nameOf(from.ref('clusters.owner')).as('owner_name'),
      latestMetricsOf(from.ref('master.id')).as('latest'),
    ])
    .executeTakeFirst()
}
export type VisibleCluster = NonNullable<Awaited<ReturnType<typeof findVisibleCluster>>>

/** Instances of a cluster, master first. */
export async function listInstances(db: Db, clusterId: string): Promise<InstanceRow[]> {
  return await db
    .selectFrom('instances')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('status', 'not in', ['destroyed', 'canceled'])
    .orderBy('role')
    .orderBy('created_at')
    .execute()
}

/** The newest operations of a cluster first, at most 50. */
export async function listOperations(db: Db, clusterId: string): Promise<OperationRow[]> {
  return await db
    .selectFrom('operations')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .orderBy('started_at', 'desc')
    .limit(50)
    .execute()
}

/** The instance that serves what visitors of `label` ask for; undefined without such a cluster. */
export async function findServing(db: Db, label: string) {
  return await db
    .selectFrom('clusters')
    .innerJoin('instances as master', (join) =>
      join.onRef('master.cluster_id', '=', 'clusters.id').on('master.role', '=', 'master'),
    )
    .where('clusters.host_label', '=', label)
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .select(['clusters.id as clusterId', 'clusters.status', 'master.id as instanceId', 'master.host', 'master.port'])
    .executeTakeFirst()
}
