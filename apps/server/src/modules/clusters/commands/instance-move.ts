/** An instance is moved to another member of its region, as a drain asks: its owner sees it restart. */
import type { Trx } from '../../../platform/db/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { moveReserveMs } from '../decide/facts.ts'
import { lockInstance, saveMove } from '../instances/instance-store.ts'
import { countGeneration, enqueueReconcile, findSnapshot } from '../instances/reconcile-store.ts'
import { isRefused, transition } from '../lifecycle/cluster-state.ts'
import { insertOperation } from '../operations/operation-store.ts'

/** For stopping and copying, beside the restart, ms. */
const copyMs = 2 * 60 * 60_000

export interface AskedMove {
  clusterId: string
  instanceId: string
  /** Where it is to be. */
  member: string
}

/**
 * Has the reconciler move it: what runs is restarted there, what is stopped stays stopped. False: it is at neither now,
 * or somebody was faster; it is asked for again later.
 */
export async function beginMove(
  deps: ClusterDeps,
  trx: Trx,
  { clusterId, instanceId, member }: AskedMove,
): Promise<boolean> {
  const snapshot = await findSnapshot(trx, clusterId)
  const instance = snapshot?.instances.find(({ id }) => id === instanceId)
  if (!snapshot || !instance || instance.move_to !== null || instance.given_up) return false
  if (instance.status !== 'running' && instance.status !== 'stopped') return false
  if (!(await lockInstance(trx, instance))) return false
  const at = deps.clock.now()
  const to = instance.status === 'running' ? transition(instance, 'restart') : instance
  if (isRefused(to)) throw new Error(`A running instance refuses ${to.refused}`)
  const isStopped = to === instance
  // A stopped one has been so since before.
  await saveMove(trx, instance, { to, at: isStopped ? instance.changed_at : at, error: null, moveTo: member })
  await trx.updateTable('instances').set({ recoveries: 0, restart_from: null }).where('id', '=', instanceId).execute()
  if (!isStopped) {
    const limit = copyMs + moveReserveMs + deadlineMs(deps, 'restart', to.status)
    await insertOperation(trx, instance, { kind: 'restart', status: to.status, at, deadlineMs: limit, by: null })
  }
  await countGeneration(trx, snapshot.cluster)
  await enqueueReconcile(trx, clusterId)
  return true
}
