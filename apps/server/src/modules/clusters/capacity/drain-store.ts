/** Drains of members, and what each began to move. */
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { endedStatuses } from '../instances/instance-store.ts'
import type { RegionKey } from './capacity-store.ts'

interface DrainsTable {
  id: string
  cloud_name: string
  region_id: string
  member: string
  state: 'running' | DrainEnd
  begins_at: Date
  ends_at: Date
  asked_by: string
  asked_at: Date
  told_at: Date | null
  ended_at: Date | null
}
export type DrainRow = Selectable<DrainsTable>
/** Nothing is left, no room for the rest, the window is over, the rest cannot be moved, or staff stopped it. */
export type DrainEnd = 'done' | 'noRoom' | 'over' | 'left' | 'stopped'

interface DrainMovesTable {
  drain_id: string
  instance_id: string
  began_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    drains: DrainsTable
    drain_moves: DrainMovesTable
  }
}

export interface MemberKey extends RegionKey {
  member: string
}

export async function insertDrain(trx: Trx, row: Omit<DrainRow, 'state' | 'told_at' | 'ended_at'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('drains')
    .values({ ...row, state: 'running', told_at: null, ended_at: null })
    .onConflict((conflict) =>
      conflict.columns(['cloud_name', 'region_id', 'member']).where('state', '=', 'running').doNothing(),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function listRunningDrains(db: Db): Promise<DrainRow[]> {
  return await db.selectFrom('drains').selectAll().where('state', '=', 'running').orderBy('asked_at').execute()
}

/** The drain, if it runs, locked until `trx` ends. */
export async function lockRunningDrain(trx: Trx, id: string): Promise<DrainRow | undefined> {
  return await trx
    .selectFrom('drains')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()
}

export async function noteTold(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('drains').set({ told_at: at }).where('id', '=', id).execute()
}

/** Ends a running drain; undefined if none has this id. */
export async function endDrain(db: Db | Trx, id: string, state: DrainEnd, at: Date): Promise<DrainRow | undefined> {
  return await db
    .updateTable('drains')
    .set({ state, ended_at: at })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returningAll()
    .executeTakeFirst()
}

export async function insertDrainMove(trx: Trx, drainId: string, instanceId: string, at: Date): Promise<void> {
  await trx.insertInto('drain_moves').values({ drain_id: drainId, instance_id: instanceId, began_at: at }).execute()
}

/** The newest drain of each member, with how many instances it has taken elsewhere. */
export async function listNewestDrains(db: Db): Promise<(DrainRow & { moved: number })[]> {
  return await db
    .selectFrom('drains')
    .selectAll('drains')
    .select(
      sql<number>`(
        select count(*)::int from drain_moves join instances on instances.id = drain_moves.instance_id
        where drain_moves.drain_id = drains.id and instances.move_to is null
          and instances.member is distinct from drains.member)`.as('moved'),
    )
    .distinctOn(['cloud_name', 'region_id', 'member'])
    .orderBy('cloud_name')
    .orderBy('region_id')
    .orderBy('member')
    .orderBy('asked_at', 'desc')
    .execute()
}

/** The Cloud instances on a member, those with most on the disk first. */
export async function listOnMember(db: Db, { cloudName, regionId, member }: MemberKey, drainId: string | null) {
  return await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select(['instances.id', 'instances.cluster_id', 'instances.owner', 'instances.status', 'instances.move_to'])
    .select(['instances.role', 'instances.ordinal', 'clusters.name', 'clusters.purpose', 'instances.given_up'])
    .select(['instances.cpu_core_count', 'instances.memory_mib', 'instances.disk_mib'])
    .select((from) =>
      from
        .exists(
          from
            .selectFrom('drain_moves')
            .select('instance_id')
            .whereRef('instance_id', '=', 'instances.id')
            .where('drain_id', '=', drainId),
        )
        .as('was_tried'),
    )
    .where('clusters.cloud_name', '=', cloudName)
    .where('clusters.region_id', '=', regionId)
    .where('instances.member', '=', member)
    .where('instances.status', 'not in', endedStatuses)
    .orderBy('instances.disk_mib', 'desc')
    .orderBy('instances.id')
    .execute()
}
