/** Reads instances for calls, in one round trip each. */
import type { MonthlyPrice } from '@atoll/contract/clusters'
import type { Db } from '../../../platform/db/index.ts'
import { didOfAccount, nameOf } from '../../accounts/index.ts'
import { instancePriceOf } from '../../billing/index.ts'
import { type LatestTuple, latestSampleOf } from '../../observe/index.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import type { InstanceRow } from '../tables.ts'
import { type Viewer, visibleTo } from '../visibility.ts'

const columns = [
  'instances.id',
  'instances.cluster_id',
  'instances.owner',
  'instances.role',
  'instances.ordinal',
  'instances.status',
  'instances.resume_stack',
  'instances.missing',
  'instances.offering',
  'instances.cpu_core_count',
  'instances.memory_mib',
  'instances.disk_mib',
  'instances.host',
  'instances.os_active',
  'instances.has_password',
  'instances.started_at',
  'instances.error',
  'instances.created_at',
] as const

export type ListedInstance = Awaited<ReturnType<ReturnType<typeof everyInstance>['execute']>>[number]

function everyInstance(db: Db) {
  return db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .where('instances.status', 'not in', endedStatuses)
    .orderBy('clusters.created_at')
    .orderBy('clusters.id')
    .orderBy('instances.ordinal')
    .select(columns)
    .select((from) => [
      'clusters.name as cluster_name',
      'clusters.cluster_type',
      'clusters.status as cluster_status',
      'clusters.desired as cluster_desired',
      'clusters.cloud_name',
      'clusters.region_id',
      didOfAccount(from.ref('instances.owner')).as('owner_did'),
      nameOf(from.ref('instances.owner')).as('owner_name'),
      latestSampleOf(from.ref('instances.id')).as('latest'),
      instancePriceOf(from.ref('instances.id')).as('price'),
    ])
}
/** The instances that `viewer` may see, those of `owner` alone if one is given; by cluster, the master first. */
export async function listVisibleInstances(db: Db, viewer: Viewer, owner?: string): Promise<ListedInstance[]> {
  const query = everyInstance(db).where((from) => visibleTo(viewer, from.ref('instances.owner')))
  return await (owner === undefined ? query : query.where('instances.owner', '=', owner)).execute()
}

/** Instances of one cluster, the master first. */
export async function listInstances(
  db: Db,
  clusterId: string,
): Promise<(InstanceRow & { latest: LatestTuple | null; price: MonthlyPrice | null })[]> {
  return await db
    .selectFrom('instances')
    .selectAll()
    .select((from) => [
      latestSampleOf(from.ref('instances.id')).as('latest'),
      instancePriceOf(from.ref('instances.id')).as('price'),
    ])
    .where('cluster_id', '=', clusterId)
    .where('status', 'not in', endedStatuses)
    .orderBy('ordinal')
    .execute()
}
