/**
 * Instances: the rows of masters and workers that are not gone. A writer of an instance's status holds its cluster's
 * row lock, and the revision fences writers that decided from an older row: of two that read the same row, only one
 * writes. Operations change in the same transaction.
 * Rows are locked in this order everywhere: accounts, clusters, agents, instances, the rest. (An agent's report locks
 * the agent, then its instance, and no cluster.)
 */
import type { Reason } from '@atoll/contract/api'
import { type Insertable, sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Tables, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { CatalogOffering } from '../../catalog/index.ts'
import { isEnded, type Position, servedStatus } from '../lifecycle/cluster-state.ts'
import { storeReason } from '../lifecycle/stored-reason.ts'
import type { ClusterRow, Desired, InstanceRow } from '../tables.ts'

/** Statuses of an instance that is gone; such rows are kept for the history. */
export const endedStatuses = ['destroyed', 'canceled'] as const

/** The instances of a cluster that are not gone: the master first, then workers in the order they were added. */
export async function listInstances(db: Db, clusterId: string): Promise<InstanceRow[]> {
  return await db
    .selectFrom('instances')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('status', 'not in', endedStatuses)
    .orderBy('ordinal')
    .execute()
}

/**
 * The desired state of an instance: what was asked of its cluster as a whole goes before what was asked of it alone.
 */
export function desiredOf(cluster: Pick<ClusterRow, 'desired'>, instance: Pick<InstanceRow, 'desired'>): Desired {
  return cluster.desired === 'running' ? instance.desired : cluster.desired
}

/** Locks the cluster until the transaction ends; false when `instance` changed since it was read. */
export async function lockInstance(trx: Trx, instance: InstanceRow): Promise<boolean> {
  await trx.selectFrom('clusters').select('id').where('id', '=', instance.cluster_id).forNoKeyUpdate().execute()
  const row = await trx
    .selectFrom('instances')
    .select('id')
    .where('id', '=', instance.id)
    .where('revision', '=', instance.revision)
    .executeTakeFirst()
  return row !== undefined
}

/** The size of an instance of `offering`; null: of a host, until it reports what it has. */
export function sizeOfOffering(offering: CatalogOffering | null) {
  return {
    offering: offering?.name ?? null,
    cpu_core_count: offering?.cpuCoreCount ?? 0,
    memory_mib: offering?.memoryMiB ?? 0,
    disk_mib: offering?.diskMiB ?? 0,
  }
}

export type NewInstance = Pick<
  Insertable<Tables['instances']>,
  | 'cluster_id'
  | 'owner'
  | 'role'
  | 'ordinal'
  | 'offering'
  | 'cpu_core_count'
  | 'memory_mib'
  | 'disk_mib'
  | 'has_run'
  | 'restore_id'
  | 'member'
> & { status?: 'fetching' | 'unpaid' }

/** An instance that waits to be made from `at` on, or with `unpaid` to be paid. */
export async function insertInstance(trx: Trx, instance: NewInstance, at: Date): Promise<InstanceRow> {
  return await trx
    .insertInto('instances')
    .values({
      status: 'fetching',
      ...instance,
      id: newId('in'),
      install_task: newId('op'),
      created_at: at,
      changed_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Tells the owner that something of the instance, or of what is done to it, changed. */
export async function publishToOwner(trx: Trx, instance: InstanceRow): Promise<void> {
  await publishChange(trx, { account: instance.owner, topic: 'cluster', id: instance.cluster_id })
}

export interface Move {
  to: Position
  at: Date
  /** Why the operation failed; null when it did not. */
  error: Reason | null
  /** The state that a person now wants for this instance; left out if nobody requested one. */
  desired?: Desired
  /** The provider lacks it. */
  missing?: boolean
  /** The member that it is to be moved to; left out: a move goes on only while the status stays. */
  moveTo?: string
}

/**
 * Writes a decided status, for a master to its cluster too, and publishes it. The caller holds the cluster's row
 * lock and read `instance` under it, or has checked its revision (`lockInstance`).
 */
export async function saveMove(
  trx: Trx,
  instance: InstanceRow,
  { to, at, error, desired, missing, moveTo }: Move,
): Promise<void> {
  const stays = servedStatus(instance) === 'running' && servedStatus(to) === 'running'
  // The cluster follows its master in the same statement. Once it has ended, nothing desired remains to be done.
  const ofCluster = { status: to.status, changed_at: at }
  const following = trx.with('followed', (cte) =>
    cte
      .updateTable('clusters')
      .set((row) => ({ ...ofCluster, ...(isEnded(to.status) && { observed_generation: row.ref('generation') }) }))
      .where('id', '=', instance.cluster_id),
  )
  const { numUpdatedRows } = await (instance.role === 'master' ? following : trx)
    .updateTable('instances')
    .set({
      status: to.status,
      resume_stack: [...to.resume_stack],
      desired: desired ?? instance.desired,
      revision: instance.revision + 1,
      failed_calls: 0,
      last_failure: null,
      error: storeReason(error),
      missing: missing ?? false,
      move_to: moveTo ?? (to.status === instance.status ? instance.move_to : null),
      changed_at: at,
      has_run: instance.has_run || to.status === 'running',
      started_at: stays ? instance.started_at : to.status === 'running' ? at : null,
    })
    .where('id', '=', instance.id)
    .where('revision', '=', instance.revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`The instance ${instance.id} changed while its cluster was locked`)
  await publishToOwner(trx, instance)
}

/** Counts a provider call that failed or led nowhere. Fenced like a move. */
export async function saveFailure(db: Db, instance: InstanceRow, reason: Reason): Promise<void> {
  await saveHold(db, instance, { failedCalls: instance.failed_calls + 1, because: storeReason(reason) })
}

/** Everything could be seen: earlier failures are over, and `because` is what holds it up, if anything does. */
export async function clearFailures(db: Db, instance: InstanceRow, because: Reason | null): Promise<void> {
  const stored = storeReason(because)
  if (instance.failed_calls === 0 && instance.last_failure === stored) return
  await saveHold(db, instance, { failedCalls: 0, because: stored })
}

/** Writes what holds an instance up, and publishes another reason: it is shown while the operation runs. */
async function saveHold(
  db: Db,
  instance: InstanceRow,
  hold: { failedCalls: number; because: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('instances')
      .set({ failed_calls: hold.failedCalls, last_failure: hold.because })
      .where('id', '=', instance.id)
      .where('revision', '=', instance.revision)
      .execute()
    if (hold.because !== instance.last_failure) await publishToOwner(trx, instance)
  })
}

/** Records the facts of the boot that is being left, before the call that boots again. */
export async function saveBoot(
  db: Db,
  instance: InstanceRow,
  note: { previousBootId: string | null; restartFrom?: string; recovers?: boolean },
): Promise<void> {
  await db
    .updateTable('instances')
    .set({
      previous_boot_id: note.previousBootId,
      ...(note.restartFrom !== undefined && { restart_from: note.restartFrom }),
      ...(note.recovers && { recoveries: instance.recoveries + 1 }),
    })
    .where('id', '=', instance.id)
    .execute()
}

/** Where the provider has it; published, since shown. Fenced like a move: one that has ended meanwhile is nowhere. */
export async function saveAddress(
  db: Db,
  instance: InstanceRow,
  address: { host: string; port: number },
): Promise<void> {
  if (instance.host === address.host && instance.port === address.port) return
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('instances')
      .set(address)
      .where('id', '=', instance.id)
      .where('revision', '=', instance.revision)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await publishToOwner(trx, instance)
  })
}

/** The provider has it, or lacks it; published, since it changes what can be done. */
export async function saveMissing(trx: Trx, instance: InstanceRow, missing: boolean): Promise<void> {
  await trx.updateTable('instances').set({ missing }).where('id', '=', instance.id).execute()
  await publishToOwner(trx, instance)
}

/** vCPU of everything the account has here that is not gone; its own hosts cost nobody anything. */
export async function sumCpuCores(db: Db, userid: string): Promise<number> {
  const row = await db
    .selectFrom('instances')
    .innerJoin('clusters', 'clusters.id', 'instances.cluster_id')
    .select(sql<number>`coalesce(sum(instances.cpu_core_count), 0)::int`.as('total'))
    .where('instances.owner', '=', userid)
    .where('clusters.cluster_type', '=', 'Cloud')
    .where('clusters.status', 'not in', ['destroyed', 'canceled'])
    .where('instances.status', 'not in', ['destroyed', 'canceled'])
    .executeTakeFirstOrThrow()
  return row.total
}
