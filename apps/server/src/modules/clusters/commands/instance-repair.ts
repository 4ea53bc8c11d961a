import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { insertInstance, saveMove } from '../instances/instance-store.ts'
import { insertOperation } from '../operations/operation-store.ts'
import { allowedMove, type OfCluster, runCommand, setDesired } from './cluster-command.ts'
import { auditSubject, endRunning, getSubject, refuseActionOn } from './command-subject.ts'

/**
 * Gives up an instance that its provider lacks or cannot reach, and makes another of the same size in its place, empty
 * and under an id of its own. So the old one can never serve again: its agent is nobody any more, and should it come
 * back, no row names it and the sweeper removes it.
 */
export async function repairInstance(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { instanceId?: string | undefined },
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'clusterRepair', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, cluster, master, at } = command
    const old = getSubject(command, body.instanceId)
    refuseActionOn(deps, command, old, { cluster: 'repair', instance: 'repair' })
    const gone = allowedMove(old, 'replaced')
    await deps.agents.forgetAgents(trx, [old.id])
    await endRunning(command, old, { key: 'superseded', params: { kind: 'repair' } })
    await saveMove(trx, old, { to: gone, at, error: null, desired: 'destroyed' })
    await trx
      .updateTable('instances')
      .set({ replaced_at: at, host: null, port: null })
      .where('id', '=', old.id)
      .execute()
    const { cluster_id, owner, role, ordinal, offering, cpu_core_count, memory_mib, disk_mib, has_run } = old
    const size = { cluster_id, owner, role, ordinal, offering, cpu_core_count, memory_mib, disk_mib, has_run }
    // What never got its files is made for them still.
    const restoreId = has_run || old.restore_id === null ? null : await deps.restores.again(trx, old.restore_id)
    const instance = await insertInstance(trx, { ...size, restore_id: restoreId }, at)
    await deps.billing.moveItem(trx, old.id, instance.id)
    const { status } = instance
    const isMaster = old === master
    if (isMaster) {
      await trx.updateTable('clusters').set({ status, changed_at: at }).where('id', '=', cluster.id).execute()
    }
    const kind = 'repair'
    await insertOperation(trx, instance, { kind, status, at, deadlineMs: deadlineMs(deps, kind), by: caller.userid })
    const facts = { before: { status: old.status, instanceId: old.id }, after: { status, instanceId: instance.id } }
    await auditSubject(command, old, 'repair', { ...facts, named: instance })
    // What is made anew is to be seen and activated, even where the old one had been stopped.
    await setDesired(command, isMaster ? 'running' : undefined)
    return { status }
  })
}
