/**
 * Machines: the rows of instances that are not gone, masters and workers. Whoever writes a machine's status holds its
 * cluster's row lock, and the revision fences those who decided from an older row; so of two who read the same row only
 * one writes. Operations change in the same transaction.
 * Rows are locked in this order everywhere: accounts, clusters, agents, instances, the rest. (An agent's report locks the
 * agent, then its instance, and no cluster.)
 */
import type { Reason } from '@atoll/contract'
import type { Insertable } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Tables, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { isEnded, type Position } from '../lifecycle/cluster-state.ts'
import { storeReason } from '../reconcile/stored-reason.ts'
import type { ClusterRow, Desired, InstanceRow } from '../tables.ts'

/** What the status of a machine that is gone can be; such rows stay for the history. */
export const endedStatuses = ['destroyed', 'canceled'] as const

/** The machines of a cluster that are not gone: the master first, then workers in the order they were added. */
export async function listMachines(db: Db, clusterId: string): Promise<InstanceRow[]> {
  return await db
    .selectFrom('instances')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('status', 'not in', endedStatuses)
    .orderBy('ordinal')
    .execute()
}

/** What is wanted of a machine: what was asked of its cluster as a whole goes before what was asked of it alone. */
export function wantedOf(cluster: Pick<ClusterRow, 'desired'>, machine: Pick<InstanceRow, 'desired'>): Desired {
  return cluster.desired === 'running' ? machine.desired : cluster.desired
}

/** Locks the cluster until the transaction ends; false when `machine` changed since it was read. */
export async function lockMachine(trx: Trx, machine: InstanceRow): Promise<boolean> {
  await trx.selectFrom('clusters').select('id').where('id', '=', machine.cluster_id).forNoKeyUpdate().execute()
  const row = await trx
    .selectFrom('instances')
    .select('id')
    .where('id', '=', machine.id)
    .where('revision', '=', machine.revision)
    .executeTakeFirst()
  return row !== undefined
}

export type NewMachine = Pick<
  Insertable<Tables['instances']>,
  'cluster_id' | 'owner' | 'role' | 'ordinal' | 'offering' | 'cpu_core_count' | 'memory_mib' | 'disk_mib'
>

/** A machine that waits to be made from `at` on. */
export async function insertMachine(trx: Trx, machine: NewMachine, at: Date): Promise<InstanceRow> {
  return await trx
    .insertInto('instances')
    .values({
      ...machine,
      id: newId('in'),
      status: 'fetching',
      install_task: newId('op'),
      created_at: at,
      changed_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Tells the owner that something of the machine, or of what is done to it, changed. */
export async function tellOwner(trx: Trx, machine: InstanceRow): Promise<void> {
  await publishChange(trx, { account: machine.owner, topic: 'cluster', id: machine.cluster_id })
}

export interface Move {
  to: Position
  at: Date
  /** Why the operation failed; null when it did not. */
  error: Reason | null
  /** What a person wants of this machine now; left out when nobody asked for anything. */
  desired?: Desired
  /** The provider lacks it. */
  missing?: boolean
}

/**
 * Writes a decided status, for a master to its cluster too, and tells the owner. The caller holds the cluster's row lock
 * and read `machine` under it, or has checked its revision (`lockMachine`).
 */
export async function saveMove(
  trx: Trx,
  machine: InstanceRow,
  { to, at, error, desired, missing }: Move,
): Promise<void> {
  const stays = machine.status === 'running' && to.status === 'running'
  const { numUpdatedRows } = await trx
    .updateTable('instances')
    .set({
      status: to.status,
      trail: [...to.trail],
      desired: desired ?? machine.desired,
      revision: machine.revision + 1,
      failed_calls: 0,
      last_failure: null,
      error: storeReason(error),
      missing: missing ?? false,
      changed_at: at,
      started_at: stays ? machine.started_at : to.status === 'running' ? at : null,
    })
    .where('id', '=', machine.id)
    .where('revision', '=', machine.revision)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error(`The machine ${machine.id} changed while its cluster was locked`)
  if (machine.role === 'master') {
    await trx
      .updateTable('clusters')
      // What has ended is looked at no more: nothing of what was wanted is left to do.
      .set((row) => ({
        status: to.status,
        changed_at: at,
        ...(isEnded(to.status) && { observed_generation: row.ref('generation') }),
      }))
      .where('id', '=', machine.cluster_id)
      .execute()
  }
  await tellOwner(trx, machine)
}

/** Counts a provider call that failed or led nowhere. Fenced like a move. */
export async function saveFailure(db: Db, machine: InstanceRow, reason: Reason): Promise<void> {
  await saveHold(db, machine, { failedCalls: machine.failed_calls + 1, because: storeReason(reason) })
}

/** Everything could be seen: earlier failures are over, and `because` is what holds it up, if anything does. */
export async function clearFailures(db: Db, machine: InstanceRow, because: Reason | null): Promise<void> {
  const stored = storeReason(because)
  if (machine.failed_calls === 0 && machine.last_failure === stored) return
  await saveHold(db, machine, { failedCalls: 0, because: stored })
}

/** Writes what holds a machine up, and tells it when it is another reason: it is shown while the operation runs. */
async function saveHold(
  db: Db,
  machine: InstanceRow,
  hold: { failedCalls: number; because: string | null },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('instances')
      .set({ failed_calls: hold.failedCalls, last_failure: hold.because })
      .where('id', '=', machine.id)
      .where('revision', '=', machine.revision)
      .execute()
    if (hold.because !== machine.last_failure) await tellOwner(trx, machine)
  })
}

/** What a boot leaves behind, noted before the call that boots. */
export async function saveBoot(
  db: Db,
  machine: InstanceRow,
  note: { bootBefore: string | null; restartFrom?: string; recovers?: boolean },
): Promise<void> {
  await db
    .updateTable('instances')
    .set({
      boot_before: note.bootBefore,
      ...(note.restartFrom !== undefined && { restart_from: note.restartFrom }),
      ...(note.recovers && { recoveries: machine.recoveries + 1 }),
    })
    .where('id', '=', machine.id)
    .execute()
}

/** Where the provider has it; told, since it is shown. Fenced like a move: one that has ended meanwhile is nowhere. */
export async function saveAddress(
  db: Db,
  machine: InstanceRow,
  address: { host: string; port: number },
): Promise<void> {
  if (machine.host === address.host && machine.port === address.port) return
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('instances')
      .set(address)
      .where('id', '=', machine.id)
      .where('revision', '=', machine.revision)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await tellOwner(trx, machine)
  })
}

/** The provider has it, or lacks it; told, since it changes what can be done. */
export async function saveMissing(trx: Trx, machine: InstanceRow, missing: boolean): Promise<void> {
  await trx.updateTable('instances').set({ missing }).where('id', '=', machine.id).execute()
  await tellOwner(trx, machine)
}
