import type { RestoreSource } from '@atoll/contract/backups'
import type { EnrollCommand } from '@atoll/contract/clusters'
import type { Caller } from '../../../../platform/caller.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { clusterFactsOf } from '../../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf } from '../../lifecycle/action-refusals.ts'
import { auditCluster, type OfCluster, runCommand } from '../cluster-command.ts'

/**
 * A command that brings another machine in the place of a self-hosted cluster's own (intake/replace-master.ts). Until
 * that machine comes nothing changes. `restore`: what its drive is made of, refused here as an order of a cluster is. A
 * newer command takes the place of the one before; the same `requestId` again gives the same one.
 */
export async function issueReplacement(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { restore?: RestoreSource | undefined },
): Promise<EnrollCommand> {
  const { clusterId, restore } = body
  const request = { call: 'clusterReplaceMachine', body, clusterId }
  const issued = await runCommand(deps, caller, request, async (command) => {
    const { trx, cluster, instances, master } = command
    refuseIf(clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'replaceMachine'))
    if (restore) {
      if (cluster.owner !== caller.userid) refuse('ownerOnly')
      await deps.restores.check(trx, { owner: cluster.owner, clusterId, ...restore })
    }
    const made = await deps.enrollCommands.issueForReplacement(trx, { clusterId, restore: restore ?? null })
    await auditCluster(command, 'cluster.issueReplacement', { after: { expireAt: made.expireAt } })
    return made
  })
  return deps.enrollCommands.describe(issued)
}
