import type { CallBody, ClusterStatus, clusterRepair } from '@atoll/contract'
import type { Caller } from '../../../platform/caller.ts'
import { endOperation, listRunningOperations } from '../../../platform/operations/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { insertInstance, saveMove } from '../instances/instance-store.ts'
import { clusterFactsOf, instanceFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, instanceRefusal } from '../lifecycle/action-refusals.ts'
import { isRefused, transition } from '../lifecycle/cluster-state.ts'
import { insertOperation, operationOf } from '../operations/operation-store.ts'
import { countWish, enqueueReconcile } from '../reconcile/reconcile-store.ts'
import { instanceName } from '../views/instance-json.ts'
import { lockCluster, refuseIf } from './cluster-actions.ts'

/**
 * Gives up an instance that its provider lacks or cannot reach, and makes another of the same size in its place, empty and
 * under an id of its own. So the old one can never serve again: its agent is nobody any more, and should it come back,
 * no row names it and the sweeper removes it.
 */
export async function repairInstance(
  deps: ClusterDeps,
  caller: Caller,
  body: CallBody<typeof clusterRepair>,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call: 'clusterRepair', body }, async (trx) => {
    const { cluster, instances, master } = await lockCluster(trx, caller, body.clusterId)
    const old = body.instanceId === undefined ? master : instances.find(({ id }) => id === body.instanceId)
    if (!old) return refuse('notFound', { object: 'instance' })
    refuseIf(
      old === master
        ? clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'repair')
        : instanceRefusal(old, instanceFactsOf(cluster, old), 'repair'),
    )
    const gone = transition(old, 'replaced')
    if (isRefused(gone)) throw new Error(`A repair was allowed and ${gone.status} refuses it`)
    const at = deps.clock.now()
    // Agents before instances: see the order of locks in instance-store.ts.
    await deps.agents.forgetAgents(trx, [old.id])
    const running = operationOf(await listRunningOperations(trx, cluster.id), old)
    const superseded = { key: 'superseded', params: { kind: 'repair' } } as const
    if (running) await endOperation(trx, running, { state: 'canceled', reason: superseded, at })
    await saveMove(trx, old, { to: gone, at, error: null, desired: 'destroyed' })
    await trx
      .updateTable('instances')
      .set({ replaced_at: at, host: null, port: null })
      .where('id', '=', old.id)
      .execute()
    const { cluster_id, owner, role, ordinal, offering, cpu_core_count, memory_mib, disk_mib } = old
    const instance = await insertInstance(
      trx,
      { cluster_id, owner, role, ordinal, offering, cpu_core_count, memory_mib, disk_mib },
      at,
    )
    const { status } = instance
    const isMaster = old === master
    if (isMaster) {
      await trx.updateTable('clusters').set({ status, changed_at: at }).where('id', '=', cluster.id).execute()
    }
    const kind = 'repair'
    await insertOperation(trx, instance, { kind, status, at, deadlineMs: deadlineMs(deps, kind), by: caller.userid })
    const source = { actor: caller, ip: caller.ip, before: { status: old.status, instanceId: old.id } }
    const after = { status, instanceId: instance.id }
    await recordAudit(
      trx,
      isMaster
        ? {
            ...source,
            after,
            action: 'cluster.repair',
            object: { kind: 'cluster', id: cluster.id, owner, name: cluster.name },
          }
        : {
            ...source,
            after: { ...after, instance: instanceName(instance) },
            action: 'instance.repair',
            object: { kind: 'instance', id: old.id, owner, name: cluster.name },
          },
    )
    // What is made anew is to be seen and activated, even where the old one had been stopped.
    await countWish(trx, cluster, isMaster ? 'running' : undefined)
    await enqueueReconcile(trx, cluster.id)
    return { status }
  })
}
