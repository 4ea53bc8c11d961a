import type { OperationKind } from '@atoll/contract/clusters'
import type { Trx } from '../../../platform/db/index.ts'
import { endOperation, listRunningOperations } from '../../../platform/operations/index.ts'
import type { Position } from '../lifecycle/cluster-state.ts'
import { insertOperation, operationOf } from '../operations/operation-store.ts'
import type { InstanceRow } from '../tables.ts'
import { insertInstance, saveMove } from './instance-store.ts'

export interface Placing {
  /** The end of the old one, as the status machine has it. */
  gone: Position
  /** The restore that the new one is made for; null: it is made empty. */
  restoreId: string | null
  kind: Extract<OperationKind, 'repair' | 'replaceMachine'>
  at: Date
  deadlineMs: number
  /** Userid; null: nobody in particular. */
  by: string | null
}

/**
 * Ends `old` and creates another instance of the same size in its place, under its own id, so that the old one can
 * never serve again. The operation that ran on `old` is superseded. The caller holds the cluster's row and has
 * forgotten the agent of `old`, because agents are locked before instances.
 */
export async function putInPlace(
  trx: Trx,
  old: InstanceRow,
  { gone, restoreId, kind, at, deadlineMs, by }: Placing,
): Promise<InstanceRow> {
  const running = operationOf(await listRunningOperations(trx, old.cluster_id), old)
  const reason = { key: 'superseded', params: { kind } } as const
  if (running) await endOperation(trx, running, { state: 'canceled', reason, at })
  await saveMove(trx, old, { to: gone, at, error: null, desired: 'destroyed' })
  await trx.updateTable('instances').set({ replaced_at: at, host: null, port: null }).where('id', '=', old.id).execute()
  const { cluster_id, owner, role, ordinal, offering, cpu_core_count, memory_mib, disk_mib, member } = old
  const size = { cluster_id, owner, role, ordinal, offering, cpu_core_count, memory_mib, disk_mib, member }
  // An instance made for a restore is followed until that has run.
  const has_run = old.has_run && restoreId === null
  const instance = await insertInstance(trx, { ...size, has_run, restore_id: restoreId }, at)
  const { status } = instance
  if (role === 'master') {
    await trx.updateTable('clusters').set({ status, changed_at: at }).where('id', '=', cluster_id).execute()
  }
  await insertOperation(trx, instance, { kind, status, at, deadlineMs, by })
  return instance
}
