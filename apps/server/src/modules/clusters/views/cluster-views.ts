/** Reads clusters for calls, in one round trip each. */
import type { ClusterUser } from '@atoll/contract/clusters'
import type { PageQuery } from '@atoll/contract/wire'
import { type Expression, type InferResult, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type OperationRow, operationsOn, runningOperationOf } from '../../../platform/operations/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import { didOfAccount, heldScopeOf, namedAccounts, nameOf } from '../../accounts/index.ts'
import { overdueBillOf, unpaidOrdersOf } from '../../billing/index.ts'
import { latestSampleOf } from '../../observe/index.ts'
import { addressColumns } from '../network/public-address.ts'
import { visitorsHeldOf } from '../network/visitors-held.ts'
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

/** An instance whose disk was copied, as the list's query aggregates it; `copies`: JSON of `MachineCopies`. */
export interface CopiedColumns {
  id: string
  role: InstanceRow['role']
  ordinal: number
  copies: string
}

function copiedOf(clusterId: Expression<string>) {
  return sql<CopiedColumns[] | null>`(
    select json_agg(json_build_object('id', c.id, 'role', c.role, 'ordinal', c.ordinal, 'copies', c.copies)
      order by c.ordinal)
    from instances as c
    where c.cluster_id = ${clusterId} and c.copies is not null and c.status not in ('destroyed', 'canceled'))`
}

/** The DID of who asked for the running operation of the cluster as a whole. */
function askedByOf(clusterId: Expression<string>) {
  return didOfAccount(sql`(${runningOperationOf('cluster', clusterId)} ->> 'asked_by')`).$castTo<string | null>()
}

/** Of a cluster that was given up: another one has its address now. */
const isAddressTaken = sql<boolean>`
  clusters.given_up_at is not null and exists (
    select from clusters as o
    where o.host_label = clusters.host_label and o.id <> clusters.id
      and o.status not in ('destroyed', 'canceled') and o.given_up_at is null)`

/** The query behind the list of one owner; the bench runs it bare. */
export function clustersQuery(db: Db, owner: string) {
  return everyCluster(db).where('clusters.owner', '=', owner)
}

function everyCluster(db: Db) {
  return (
    selectWithMasters(db)
      .where('clusters.status', '<>', 'destroyed')
      // A canceled cluster is shown for a day, so that its end is seen, and then left out: nothing can be done with it.
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
        'clusters.given_up_at',
        'master.given_up',
        isAddressTaken.as('address_taken'),
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
        didOfAccount(from.ref('clusters.owner')).as('owner_did'),
        nameOf(from.ref('clusters.owner')).as('owner_name'),
        heldScopeOf(from.ref('clusters.owner'), from.ref('clusters.id')).as('held'),
        workersOf(from.ref('clusters.id')).as('workers'),
        copiedOf(from.ref('clusters.id')).as('copied'),
        // Of the cluster as a whole.
        runningOperationOf('cluster', from.ref('clusters.id')).as('operation'),
        askedByOf(from.ref('clusters.id')).as('operation_by'),
        unpaidOrdersOf(from.ref('clusters.id')).as('orders'),
        overdueBillOf(from.ref('clusters.id')).as('overdue'),
        latestSampleOf(from.ref('master.id')).as('latest'),
      ])
  )
}

/** Clusters in an answer without pages: an Admin sees those of everybody. */
const mostListed = 200

/**
 * The clusters that `viewer` may see, those of `owner` alone if one is given; not destroyed, oldest first: the newest
 * 200 of them.
 */
export async function listClusters(db: Db, viewer: Viewer, owner?: string): Promise<ListedCluster[]> {
  const newest = clustersSeenBy(db, viewer, owner)
    .clearOrderBy()
    .orderBy('clusters.created_at', 'desc')
    .orderBy('clusters.id', 'desc')
  return (await newest.limit(mostListed).execute()).toReversed()
}

/** One page of all of them, oldest first. */
export async function pageClusters(db: Db, viewer: Viewer, page: PageQuery, owner?: string) {
  return await readPage(clustersSeenBy(db, viewer, owner), page)
}

function clustersSeenBy(db: Db, viewer: Viewer, owner: string | undefined) {
  const query = owner === undefined ? everyCluster(db) : clustersQuery(db, owner)
  return query.where((from) => visibleTo(viewer, from.ref('clusters.owner')))
}

/** The owners of the clusters that `viewer` may see, and `viewer`; by name. */
export async function listClusterUsers(db: Db, viewer: Viewer): Promise<ClusterUser[]> {
  const rows = await namedAccounts(db)
    .where((from) =>
      from.or([
        from('accounts.account_id', '=', viewer.userid),
        from.exists(
          db
            .selectFrom('clusters')
            .select('clusters.id')
            .where('clusters.owner', '=', from.ref('accounts.account_id'))
            .where('clusters.status', '<>', 'destroyed')
            .where((inner) => visibleTo(viewer, inner.ref('clusters.owner'))),
        ),
      ]),
    )
    .orderBy('terminusName')
    .orderBy('accounts.did')
    .execute()
  return rows.map(({ did, terminusName, role }) => ({ userid: did, terminusName, role }))
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
      'master.given_up',
      isAddressTaken.as('address_taken'),
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

/** JSON text of the `InstallLog` of an instance of the cluster; undefined: it has none of that id. */
export async function findInstanceLog(
  db: Db,
  { id, clusterId }: { id: string; clusterId: string },
): Promise<string | undefined> {
  const instance = db.selectFrom('instances').select('install_log').where('id', '=', id)
  return (await instance.where('cluster_id', '=', clusterId).executeTakeFirst())?.install_log
}

/** The newest operations of a cluster first, at most 50. */
export async function listOperations(db: Db, clusterId: string): Promise<(OperationRow & { by_did: string | null })[]> {
  return await operationsOn(db, ['cluster', 'instance'])
    .select((from) => didOfAccount(from.ref('asked_by')).$castTo<string | null>().as('by_did'))
    .where('cluster_id', '=', clusterId)
    .orderBy('started_at', 'desc')
    // Two workers that are ordered at once begin at once: the same order each time.
    .orderBy('id')
    .limit(50)
    .execute()
}

/** The instance that serves the visitors of a cluster; undefined without such a cluster. */
export async function findServing(db: Db, asked: { label: string } | { clusterId: string }) {
  return await selectWithMasters(db)
    .where((from) =>
      'label' in asked ? from('clusters.host_label', '=', asked.label) : from('clusters.id', '=', asked.clusterId),
    )
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .where('clusters.given_up_at', 'is', null)
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
    .select(visitorsHeldOf().as('held'))
    .executeTakeFirst()
}
