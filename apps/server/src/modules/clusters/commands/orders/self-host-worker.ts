/** The command by which a host is enrolled into a self-hosted cluster. */
import type { EnrollCommand, InstanceRole } from '@atoll/contract/clusters'
import type { Caller } from '../../../../platform/caller.ts'
import { listRunningOperations, moveDeadline } from '../../../../platform/operations/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { IssuedCommand } from '../../../agents/index.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { enqueueReconcile } from '../../instances/reconcile-store.ts'
import { clusterFactsOf } from '../../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf } from '../../lifecycle/action-refusals.ts'
import { isAwaitingHost } from '../../lifecycle/cluster-state.ts'
import { operationOf } from '../../operations/operation-store.ts'
import {
  allowedMove,
  auditCluster,
  type ClusterCommand,
  moveInstance,
  type OfCluster,
  runCommand,
  setDesired,
} from '../cluster-command.ts'

/**
 * A fresh command for the cluster's one master, or for one more host. Refused for clusters of other kinds. The same
 * `requestId` again gives the same command: what is kept to be repeated names the command and does not hold its token.
 */
export async function issueSelfHostCommand(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { role: InstanceRole },
): Promise<EnrollCommand> {
  const { clusterId, role } = body
  const issued = await runCommand(deps, caller, { call: 'selfHostCommand', body, clusterId }, async (command) => {
    if (command.cluster.cluster_type !== 'SelfHost') return refuse('selfHostOnly')
    const made = role === 'master' ? await issueForMaster(deps, command) : await issueForWorker(deps, command)
    await auditCluster(command, 'cluster.issueToken', { after: { role, expireAt: made.expireAt } })
    return made
  })
  return deps.enrollCommands.describe(issued)
}

/** Waits for the host again for as long as the new command is valid, also after an error. */
async function issueForMaster(deps: ClusterDeps, command: ClusterCommand): Promise<IssuedCommand> {
  const { trx, cluster, master, at } = command
  if (master.given_up) return refuse('givenUp')
  if (!isAwaitingHost(master)) return refuse('selfHostEnrolled')
  const gaveUp = master.status === 'errored'
  const issued = await deps.enrollCommands.issue(trx, { instanceId: master.id, clusterId: cluster.id })
  if (!issued) return refuse('selfHostEnrolled')
  const running = operationOf(await listRunningOperations(trx, cluster.id), master)
  if (!gaveUp && running) await moveDeadline(trx, running, new Date(issued.expireAt))
  if (gaveUp) {
    const to = allowedMove(master, 'retry')
    const deadlineMs = new Date(issued.expireAt).getTime() - at.getTime()
    await moveInstance(deps, command, master, { to, kind: 'retry', deadlineMs })
    await setDesired(command)
  } else await enqueueReconcile(trx, cluster.id)
  return issued
}

async function issueForWorker(
  deps: ClusterDeps,
  { trx, caller, cluster, instances, master }: ClusterCommand,
): Promise<IssuedCommand> {
  refuseIf(clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'addWorker'))
  return await deps.enrollCommands.issueForWorker(trx, cluster.id)
}
