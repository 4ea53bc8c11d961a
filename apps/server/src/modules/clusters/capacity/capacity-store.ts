/** The machines of each region as they were read last, and what is sold of them. */
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { endedStatuses } from '../instances/instance-store.ts'

interface CapacityRegionsTable {
  cloud_name: string
  region_id: string
  accepts: boolean
}
interface CapacityMembersTable {
  cloud_name: string
  region_id: string
  member: string
  accepts: boolean
  state: 'online' | 'resting' | 'lost'
  cpu_cores: number
  memory_mib: number
  memory_used_mib: number
  disk_mib: number
  disk_used_mib: number
  cpu_busy: number | null
  full_since: Date | null
  read_at: Date
}
export type CapacityMember = Selectable<CapacityMembersTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    capacity_regions: CapacityRegionsTable
    capacity_members: CapacityMembersTable
  }
}

export interface RegionKey {
  cloudName: string
  regionId: string
}

/** Whether the region takes orders, with its row locked: orders in it come one after another from here. */
export async function lockRegion(trx: Trx, { cloudName, regionId }: RegionKey): Promise<boolean> {
  await trx
    .insertInto('capacity_regions')
    .values({ cloud_name: cloudName, region_id: regionId, accepts: true })
    .onConflict((conflict) => conflict.columns(['cloud_name', 'region_id']).doNothing())
    .execute()
  const row = await trx
    .selectFrom('capacity_regions')
    .select('accepts')
    .where('cloud_name', '=', cloudName)
    .where('region_id', '=', regionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.accepts
}

/** Regions that take no orders. */
export async function listClosed(db: Db): Promise<RegionKey[]> {
  return await db
    .selectFrom('capacity_regions')
    .select(['cloud_name as cloudName', 'region_id as regionId'])
    .where('accepts', '=', false)
    .execute()
}

export async function listMembers(db: Db, region?: RegionKey): Promise<CapacityMember[]> {
  let query = db.selectFrom('capacity_members').selectAll().orderBy('member')
  if (region) query = query.where('cloud_name', '=', region.cloudName).where('region_id', '=', region.regionId)
  return await query.execute()
}

export interface Sold extends RegionKey {
  /** Null: not known yet. */
  member: string | null
  instances: number
  cpu: number
  memory: number
  disk: number
}

/** The sizes of all Cloud instances that are not gone, paid or not, by where they are or are being moved to. */
export async function sumSold(db: Db, region?: RegionKey): Promise<Sold[]> {
  const place = sql<string | null>`coalesce(instances.move_to, instances.member)`
  let query = db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select(['clusters.cloud_name as cloudName', 'clusters.region_id as regionId', place.as('member')])
    .select([
      sql<number>`count(*)::int`.as('instances'),
      sql<number>`sum(instances.cpu_core_count)::float8`.as('cpu'),
      sql<number>`sum(instances.memory_mib)::float8`.as('memory'),
      sql<number>`sum(instances.disk_mib)::float8`.as('disk'),
    ])
    .where('instances.status', 'not in', endedStatuses)
    .where('clusters.cloud_name', 'is not', null)
    .where('clusters.region_id', 'is not', null)
    .groupBy(['clusters.cloud_name', 'clusters.region_id', place])
    .$narrowType<RegionKey>()
  if (region)
    query = query.where('clusters.cloud_name', '=', region.cloudName).where('clusters.region_id', '=', region.regionId)
  return await query.execute()
}

export async function saveMembers(
  trx: Trx,
  { cloudName, regionId }: RegionKey,
  members: readonly Omit<CapacityMember, 'cloud_name' | 'region_id' | 'accepts'>[],
): Promise<void> {
  const key = { cloud_name: cloudName, region_id: regionId }
  for (const member of members) {
    await trx
      .insertInto('capacity_members')
      .values({ ...key, ...member, accepts: true })
      .onConflict((conflict) => conflict.columns(['cloud_name', 'region_id', 'member']).doUpdateSet(member))
      .execute()
  }
  const names = members.map(({ member }) => member)
  let gone = trx.deleteFrom('capacity_members').where('cloud_name', '=', cloudName).where('region_id', '=', regionId)
  if (names.length > 0) gone = gone.where('member', 'not in', names)
  await gone.execute()
}

/** Notes where instances are, as their provider says. */
export async function saveLocations(trx: Trx, member: string, instanceIds: readonly string[]): Promise<void> {
  if (instanceIds.length === 0) return
  await trx
    .updateTable('instances')
    .set({ member })
    .where('id', 'in', instanceIds)
    .where((from) => from.or([from('member', 'is', null), from('member', '<>', member)]))
    .execute()
}

/** Has a region, or one member of it, take orders or not; false: there is no such member. */
export async function setAccepts(
  trx: Trx,
  { cloudName, regionId }: RegionKey,
  { member, accepts }: { member: string | undefined; accepts: boolean },
): Promise<boolean> {
  await lockRegion(trx, { cloudName, regionId })
  const key = { cloud_name: cloudName, region_id: regionId }
  const { numUpdatedRows } =
    member === undefined
      ? await trx
          .updateTable('capacity_regions')
          .set({ accepts })
          .where((from) => from.and(key))
          .executeTakeFirst()
      : await trx
          .updateTable('capacity_members')
          .set({ accepts })
          .where((from) => from.and({ ...key, member }))
          .executeTakeFirst()
  return numUpdatedRows > 0n
}
