import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../../platform/caller.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { ClusterDeps } from '../../cluster-deps.ts'
import { auditInstance, type OfCluster, runCommand, setDesired } from '../cluster-command.ts'
import { getSubject } from '../command-subject.ts'

/**
 * The owner says which of the machines that run with copies of one disk goes on; the others are refused until another
 * is chosen. Answers with the status, which stays.
 */
export async function chooseMachine(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { instanceId: string; bootId: string },
): Promise<{ status: ClusterStatus }> {
  const { clusterId, instanceId, bootId } = body
  return await runCommand(deps, caller, { call: 'clusterChooseMachine', body, clusterId }, async (command) => {
    const { trx } = command
    const instance = getSubject(command, instanceId)
    if (!(await deps.agents.chooseMachine(trx, { instanceId, bootId }))) refuse('machineUnknown')
    const [agent] = await deps.agents.listAgents(trx, [instanceId])
    const copies = agent?.copies ?? null
    await trx
      .updateTable('instances')
      .set({ copies: copies && JSON.stringify(copies) })
      .where('id', '=', instanceId)
      .execute()
    const hostName = copies?.serving.hostName ?? ''
    await auditInstance(command, 'instance.chooseMachine', instance, { after: { hostName } })
    await setDesired(command)
    return { status: instance.status }
  })
}
