import type { RolloutKind } from '@atoll/contract/rollouts'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import type { RolloutState, TargetState } from './decide.ts'

interface RolloutsTable {
  id: string
  kind: RolloutKind
  version: string
  state: Generated<RolloutState>
  /** Place of the wave that runs. */
  wave: Generated<number>
  wave_at: Date
  /** The last failure of this wave. */
  fault_at: Generated<Date | null>
  paused_at: Generated<Date | null>
  paused_because: Generated<'failures' | 'notOffered' | 'operator' | null>
  created_at: Date
  ended_at: Generated<Date | null>
}
export type RolloutRow = Selectable<RolloutsTable>

interface RolloutTargetsTable {
  rollout_id: string
  instance_id: string
  cluster_id: string
  wave: number
  state: Generated<TargetState>
  /** The task that it was asked by last. */
  task_id: Generated<string | null>
  reason: Generated<string | null>
  not_before: Generated<Date | null>
  put_off: Generated<number>
  changed_at: Date
}
export type TargetRow = Selectable<RolloutTargetsTable>

interface ProgramReleasesTable {
  kind: RolloutKind
  version: string
  released_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    rollouts: RolloutsTable
    rollout_targets: RolloutTargetsTable
    program_releases: ProgramReleasesTable
  }
}

/** The one that is open, or else the newest. */
export async function findNewestRollout(db: Db, kind: RolloutKind): Promise<RolloutRow | undefined> {
  return await db
    .selectFrom('rollouts')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy(sql`state = 'ended'`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Locked until `trx` ends: everybody who changes a rollout or its targets locks it first. */
export async function lockOpenRollout(trx: Trx, kind: RolloutKind): Promise<RolloutRow | undefined> {
  return await trx
    .selectFrom('rollouts')
    .selectAll()
    .where('kind', '=', kind)
    .where('state', '<>', 'ended')
    .forUpdate()
    .executeTakeFirst()
}

export async function findRollout(db: Db, id: string): Promise<RolloutRow | undefined> {
  return await db.selectFrom('rollouts').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function lockRollout(trx: Trx, id: string): Promise<RolloutRow | undefined> {
  return await trx.selectFrom('rollouts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertRollout(
  trx: Trx,
  rollout: { id: string; kind: RolloutKind; version: string; now: Date },
  targets: readonly { instanceId: string; clusterId: string; wave: number }[],
): Promise<void> {
  const { id, kind, version, now } = rollout
  await trx
    .insertInto('rollouts')
    .values({ id, kind, version, state: 'running', wave_at: now, created_at: now })
    .execute()
  for (let from = 0; from < targets.length; from += 1000) {
    const rows = targets.slice(from, from + 1000).map(({ instanceId, clusterId, wave }) => ({
      rollout_id: id,
      instance_id: instanceId,
      cluster_id: clusterId,
      wave,
      changed_at: now,
    }))
    await trx.insertInto('rollout_targets').values(rows).execute()
  }
}

export async function updateRollout(trx: Trx, id: string, change: Partial<Omit<RolloutRow, 'id'>>): Promise<void> {
  await trx.updateTable('rollouts').set(change).where('id', '=', id).execute()
  await tellStaff(trx)
}

export async function listTargets(db: Db, rolloutId: string): Promise<TargetRow[]> {
  return await db
    .selectFrom('rollout_targets')
    .selectAll()
    .where('rollout_id', '=', rolloutId)
    .orderBy('wave')
    .orderBy('instance_id')
    .execute()
}

type TargetChange = Partial<Pick<TargetRow, 'state' | 'task_id' | 'reason' | 'not_before' | 'put_off'>>

export async function updateTargets(
  trx: Trx,
  { rolloutId, instanceIds, now }: { rolloutId: string; instanceIds: readonly string[]; now: Date },
  change: TargetChange,
): Promise<void> {
  if (instanceIds.length === 0) return
  await trx
    .updateTable('rollout_targets')
    .set({ ...change, changed_at: now })
    .where('rollout_id', '=', rolloutId)
    .where('instance_id', 'in', instanceIds)
    .execute()
  await tellStaff(trx)
}

/** Pages of staff that show rollouts ask again. */
async function tellStaff(trx: Trx): Promise<void> {
  await publishChange(trx, { account: 'staff', topic: 'operator', id: 'rollouts' })
}

/** The rollout that asked by this task, and is not over. */
export async function findByTask(
  db: Db,
  taskId: string,
): Promise<{ rolloutId: string; instanceId: string } | undefined> {
  return await db
    .selectFrom('rollout_targets')
    .innerJoin('rollouts', 'rollouts.id', 'rollout_targets.rollout_id')
    .select(['rollout_id as rolloutId', 'instance_id as instanceId'])
    .where('task_id', '=', taskId)
    .where('rollouts.state', '<>', 'ended')
    .executeTakeFirst()
}

/** Tasks by which rollouts asked that were taken back or have ended, where no answer was noted. */
export async function listWithdrawn(db: Db): Promise<{ taskId: string; isOver: boolean }[]> {
  return await db
    .selectFrom('rollout_targets')
    .innerJoin('rollouts', 'rollouts.id', 'rollout_targets.rollout_id')
    .select('task_id as taskId')
    .$narrowType<{ taskId: string }>()
    .select(sql<boolean>`rollouts.state = 'ended'`.as('isOver'))
    .where('task_id', 'is not', null)
    .where('rollout_targets.state', '=', 'asked')
    .where('rollouts.state', 'in', ['back', 'ended'])
    .execute()
}

/** Coming updates of a cluster: targets of an open rollout that were not asked yet, most put off first. */
export async function listComing(db: Db, clusterId: string): Promise<(TargetRow & { version: string })[]> {
  return await db
    .selectFrom('rollout_targets')
    .innerJoin('rollouts', 'rollouts.id', 'rollout_targets.rollout_id')
    .selectAll('rollout_targets')
    .select('rollouts.version')
    .where('cluster_id', '=', clusterId)
    .where('rollouts.state', 'in', ['running', 'paused'])
    .where('rollout_targets.state', '=', 'waiting')
    .orderBy('put_off', 'desc')
    .execute()
}

/** Open rollouts that paused automatically, with how many clusters failed. */
export async function listPausedByItself(db: Db) {
  return await db
    .selectFrom('rollouts')
    .select(['id', 'version', 'paused_at'])
    .select((from) =>
      from
        .selectFrom('rollout_targets')
        .select(sql<number>`count(distinct cluster_id)`.as('failed'))
        .whereRef('rollout_id', '=', 'rollouts.id')
        .where('rollout_targets.state', '=', 'failed')
        .$asScalar()
        .$notNull()
        .as('failed'),
    )
    .where('state', '=', 'paused')
    .where('paused_because', '<>', 'operator')
    .execute()
}

/** Notes when a version was released; later notes change nothing. */
export async function noteRelease(db: Db, release: Selectable<ProgramReleasesTable>): Promise<void> {
  await db
    .insertInto('program_releases')
    .values(release)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listReleases(db: Db, kind: RolloutKind): Promise<Map<string, Date>> {
  const rows = await db.selectFrom('program_releases').selectAll().where('kind', '=', kind).execute()
  return new Map(rows.map(({ version, released_at }) => [version, released_at]))
}
