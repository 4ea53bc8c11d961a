/**
 * Giving up a machine that failed or is silent. This is a flag beside its status, which does not change: its agents are
 * refused, its address is free for another cluster, and nothing is destroyed. It is charged as before. Afterwards the
 * machine can only be destroyed, or taken back while no other cluster has its address (lifecycle/cluster-state.ts).
 */
import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../../platform/caller.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { clusterFactsOf } from '../../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf } from '../../lifecycle/action-refusals.ts'
import { isHostLabelTaken } from '../../network/host-label.ts'
import { refuseBesideKin } from '../cluster-actions.ts'
import { auditCluster, type ClusterCommand, type OfCluster, runCommand, setDesired } from '../cluster-command.ts'

/** Gives the machine up; answers with the status, which stays. Refused unless it is errored or offline. */
export async function giveUpMachine(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster,
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'clusterGiveUp', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { cluster, instances, master } = command
    refuseIf(clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'giveUp'))
    await deps.agents.refuseAgents(command.trx, idsOf(command))
    await saveGivenUp(command, true)
    await auditCluster(command, 'cluster.giveUpMachine', { after: { status: master.status } })
    await finish(deps, command)
    return { status: master.status }
  })
}

/**
 * Takes the machine back: its agents are admitted again. Refused while another cluster has its address, or another
 * cluster of the same backup is active with its ID.
 */
export async function takeMachineBack(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster,
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'clusterTakeBack', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, cluster, instances, master } = command
    const { terminusName } = await deps.accounts.getUser(trx, cluster.owner)
    const facts = clusterFactsOf(deps, cluster, caller, instances)
    const addressTaken = await isHostLabelTaken(trx, terminusName ?? cluster.host_label, cluster)
    refuseIf(clusterRefusal(master, { ...facts, addressTaken }, 'takeBack'))
    await refuseBesideKin(deps, command)
    await deps.agents.admitAgents(trx, idsOf(command))
    await saveGivenUp(command, false)
    await auditCluster(command, 'cluster.takeBack', { after: { status: master.status } })
    await finish(deps, command)
    return { status: master.status }
  })
}

function idsOf({ instances }: ClusterCommand): string[] {
  return instances.map(({ id }) => id)
}

/** The revision counts: a reconciler that decided before decides again. */
async function saveGivenUp({ trx, cluster, instances, at }: ClusterCommand, given_up: boolean): Promise<void> {
  await trx
    .updateTable('clusters')
    .set({ given_up_at: given_up ? at : null })
    .where('id', '=', cluster.id)
    .execute()
  for (const { id, revision } of instances) {
    await trx
      .updateTable('instances')
      .set({ given_up, revision: revision + 1 })
      .where('id', '=', id)
      .execute()
  }
}

/** Hosts under a customer's domain follow, and the reconciler decides again. */
async function finish(deps: ClusterDeps, command: ClusterCommand): Promise<void> {
  await deps.customHosts.give(command.trx, command.cluster.owner)
  await setDesired(command)
}
