/** What calls show of clusters: read in one round trip each. */
import type { ClusterUser } from '@atoll/contract/clusters'
import { type Expression, type InferResult, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { OperationRow } from '../../../platform/operations/index.ts'
import { overdueBillOf, unpaidOrdersOf } from '../../billing/index.ts'
import { nameOf } from '../../identity/index.ts'
import { latestSampleOf } from '../../observe/index.ts'
import { addressColumns } from '../network/public-address.ts'
import type { InstanceRow } from '../tables.ts'
import { type Viewer, visibleTo } from '../visibility.ts'
import { selectWithMasters } from './with-masters.ts'

/** A worker as the list's query aggregates it. */
export interface WorkerColumns {
  id: string
  ordinal: number
  status: InstanceRow['status']
  missing: boolean
  offering: string | null
  cpu: number
  memory: number
}

function workersOf(clusterId: Expression<string>) {
  return sql<WorkerColumns[] | null>`(
    select json_agg(json_build_object('id', w.id, 'ordinal', w.ordinal, 'status', w.status, 'missing', w.missing,
      'offering', w.offering, 'cpu', w.cpu_core_count, 'memory', w.memory_mib) order by w.ordinal)
    from instances as w
    where w.cluster_id = ${clusterId} and w.role = 'worker' and w.status not in ('destroyed', 'canceled'))`
}

/** A running operation as the list's query gives it: JSON knows no times. */
export type OperationColumns = Omit<OperationRow, 'started_at' | 'deadline_at' | 'ended_at'> & {
  started_at: string
  deadline_at: string
}

/** The running operation of the cluster as a whole. */
function operationOf(clusterId: Expression<string>) {
  return sql<OperationColumns | null>`(
    select row_to_json(o) from operations as o
    where o.subject_kind = 'cluster' and o.subject_id = ${clusterId} and o.state = 'running')`
}

/** The query behind the list of one owner; the bench runs it bare. */
export function clustersQuery(db: Db, owner: string) {
  return everyCluster(db).where('clusters.owner', '=', owner)
}

function everyCluster(db: Db) {
  return (
    selectWithMasters(db)
      .where('clusters.status', '<>', 'destroyed')
      // What was canceled is shown for a day, so that it is seen, and then dropped: nothing can be done with it.
      .where((from) =>
        from.or([
          from('clusters.status', '<>', 'canceled'),
          from('clusters.changed_at', '>', sql<Date>`now() - interval '1 day'`),
        ]),
      )
      .orderBy('clusters.created_at')
      .orderBy('clusters.id')
      .select((from) => [
        'clusters.id',
        'clusters.name',
        'clusters.owner',
        ...addressColumns,
        'clusters.status',
        'master.resume_stack',
        'clusters.cloud_name',
        'clusters.region_id',
        'clusters.version',
        'clusters.offering',
        'clusters.created_at',
        'master.error',
        'master.last_failure',
        'master.missing',
        'master.id as master_id',
        'master.cpu_core_count',
        'master.memory_mib',
        'master.host',
        'master.port',
        'master.network',
        'master.os_active',
        'master.has_password',
        'master.install_log',
        nameOf(from.ref('clusters.owner')).as('owner_name'),
        workersOf(from.ref('clusters.id')).as('workers'),
        operationOf(from.ref('clusters.id')).as('operation'),
        unpaidOrdersOf(from.ref('clusters.id')).as('orders'),
        overdueBillOf(from.ref('clusters.id')).as('overdue'),
        latestSampleOf(from.ref('master.id')).as('latest'),
      ])
  )
}

/** The clusters that `viewer` may see, those of `owner` alone if one is given; not destroyed, oldest first. */
export async function listClusters(db: Db, viewer: Viewer, owner?: string): Promise<ListedCluster[]> {
  const query = owner === undefined ? everyCluster(db) : clustersQuery(db, owner)
  return await query.where((from) => visibleTo(viewer, from.ref('clusters.owner'))).execute()
}

/** Who has a cluster that `viewer` may see, and `viewer`; by name. */
export async function listClusterUsers(db: Db, viewer: Viewer): Promise<ClusterUser[]> {
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
  return await selectWithMasters(db)
    .where('clusters.id', '=', clusterId)
    .where((from) => visibleTo(viewer, from.ref('clusters.owner')))
    .where('clusters.status', '<>', 'destroyed')
    .select((from) => [
      'clusters.id',
      'clusters.owner',
      'clusters.status',
      'clusters.desired',
      ...addressColumns,
      'master.resume_stack',
      'master.missing',
      'master.host',
      'master.port',
      'master.id as master_id',
      'master.os_active',
      'master.has_password',
      'master.disk_mib',
      nameOf(from.ref('clusters.owner')).as('owner_name'),
      latestSampleOf(from.ref('master.id')).as('latest'),
    ])
    .executeTakeFirst()
}
export type VisibleCluster = NonNullable<Awaited<ReturnType<typeof findVisibleCluster>>>

/** The newest operations of a cluster first, at most 50. */
export async function listOperations(db: Db, clusterId: string): Promise<OperationRow[]> {
  return await db
    .selectFrom('operations')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('subject_kind', 'in', ['cluster', 'instance'])
    .orderBy('started_at', 'desc')
    // Two workers that are ordered at once begin at once: the same order each time.
    .orderBy('id')
    .limit(50)
    .execute()
}

/** The instance that serves what visitors of a cluster ask for; undefined without such a cluster. */
export async function findServing(db: Db, asked: { label: string } | { clusterId: string }) {
  return await selectWithMasters(db)
    .where((from) =>
      'label' in asked ? from('clusters.host_label', '=', asked.label) : from('clusters.id', '=', asked.clusterId),
    )
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .where('clusters.purpose', '=', 'user')
    .select([
      ...addressColumns,
      'clusters.id as clusterId',
      'clusters.owner',
      'clusters.status',
      'master.resume_stack',
      'master.id as instanceId',
      'master.host',
      'master.port',
    ])
    .executeTakeFirst()
}
