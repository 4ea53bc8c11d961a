import type { CallBody, ClusterStatus, clusterPasswordReset } from '@atoll/contract'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { clusterFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal } from '../lifecycle/action-refusals.ts'
import { lockCluster, refuseIf } from './cluster-actions.ts'

/**
 * Asks the master's agent for a new one-time password, by which the owner, with a signature of the wallet, sets a new
 * password in the wizard. The old one goes on opening the server until then. Only the owner may, and only once it is active:
 * before, the one-time password of the hand-over does the same.
 */
export async function resetPassword(
  deps: ClusterDeps,
  caller: Caller,
  body: CallBody<typeof clusterPasswordReset>,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call: 'clusterPasswordReset', body }, async (trx) => {
    const { cluster, instances, master } = await lockCluster(trx, caller, body.clusterId)
    const refusal = clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'activate')
    // What cannot be activated because it is active is what can be reset; it is refused for the same other reasons.
    if (refusal?.key !== 'alreadyActive') {
      refuseIf(refusal)
      return refuse('notActiveYet')
    }
    await deps.agents.requestRotation(trx, { instanceId: master.id, taskId: newId('op') })
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'cluster.resetPassword',
      object: { kind: 'cluster', id: cluster.id, owner: cluster.owner, name: cluster.name },
      before: null,
      after: null,
    })
    await publishChange(trx, { account: cluster.owner, topic: 'cluster', id: cluster.id })
    return { status: cluster.status }
  })
}
