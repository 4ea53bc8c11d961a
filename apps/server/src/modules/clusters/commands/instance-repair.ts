import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { putInPlace } from '../instances/put-in-place.ts'
import { allowedMove, type OfCluster, runCommand, setDesired } from './cluster-command.ts'
import { auditSubject, getSubject, refuseActionOn } from './command-subject.ts'

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
    const { trx, master, at } = command
    const old = getSubject(command, body.instanceId)
    refuseActionOn(deps, command, old, { cluster: 'repair', instance: 'repair' })
    const gone = allowedMove(old, 'replaced')
    await deps.agents.forgetAgents(trx, [old.id])
    // What never got its files is made for them still.
    const restoreId = old.has_run || old.restore_id === null ? null : await deps.restores.again(trx, old.restore_id)
    const kind = 'repair'
    const instance = await putInPlace(trx, old, {
      ...{ gone, restoreId, kind, at, by: caller.userid },
      deadlineMs: deadlineMs(deps, kind),
    })
    await deps.billing.moveItem(trx, old.id, instance.id)
    const { status } = instance
    const facts = { before: { status: old.status, instanceId: old.id }, after: { status, instanceId: instance.id } }
    await auditSubject(command, old, 'repair', { ...facts, named: instance })
    // What is made anew is to be seen and activated, even where the old one had been stopped.
    await setDesired(command, old === master ? 'running' : undefined)
    return { status }
  })
}
