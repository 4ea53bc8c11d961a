import { taskKinds } from '@atoll/contract/agents'
import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { clusterFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf } from '../lifecycle/action-refusals.ts'
import { auditCluster, type OfCluster, runCommand } from './cluster-command.ts'

/**
 * Asks the master's agent for a new one-time password, by which the owner, with a signature of the wallet, sets a new
 * password in the wizard. The old one goes on opening the server until then. Only the owner may, and only once it is
 * active: before, the one-time password of the hand-over does the same.
 */
export async function resetPassword(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster,
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'clusterPasswordReset', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, cluster, instances, master } = command
    const refusal = clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'activate')
    // A reset requires an active cluster, which is exactly what activation refuses; both share all other refusals.
    if (refusal?.key !== 'alreadyActive') {
      refuseIf(refusal)
      return refuse('notActiveYet')
    }
    await deps.agents.requestTask(trx, taskKinds.rotate, { taskId: newId('at'), instanceId: master.id, params: {} })
    await auditCluster(command, 'cluster.resetPassword', {})
    return { status: cluster.status }
  })
}
