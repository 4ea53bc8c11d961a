import type { RestoreSource } from '@atoll/contract/backups'
import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { putInPlace } from '../instances/put-in-place.ts'
import type { InstanceRow } from '../tables.ts'
import { allowedMove, type ClusterCommand, type OfCluster, runCommand, setDesired } from './cluster-command.ts'
import { auditSubject, getSubject, refuseActionOn } from './command-subject.ts'

/**
 * Gives up an instance that its provider lacks or cannot reach, and creates another of the same size in its place,
 * with a new id: empty, or for the master made of a backup. The old one can therefore never serve again: its agent is
 * unknown, and if it returns, no row names it and the sweeper removes it.
 */
export async function repairInstance(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { instanceId?: string | undefined; restore?: RestoreSource | undefined },
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'clusterRepair', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, master, at } = command
    const old = getSubject(command, body.instanceId)
    refuseActionOn(deps, command, old, { cluster: 'repair', instance: 'repair' })
    const gone = allowedMove(old, 'replaced')
    const restoreId = await beginRestore(deps, command, old, body.restore)
    await deps.agents.forgetAgents(trx, [old.id])
    const kind = 'repair'
    const instance = await putInPlace(trx, old, {
      gone,
      restoreId,
      kind,
      at,
      by: caller.userid,
      deadlineMs: deadlineMs(deps, kind),
    })
    await deps.billing.moveItem(trx, old.id, instance.id)
    const { status } = instance
    const facts = { before: { status: old.status, instanceId: old.id }, after: { status, instanceId: instance.id } }
    await auditSubject(command, old, 'repair', { ...facts, named: instance })
    // The new instance has to be activated by its owner, so it runs even if the old one was stopped.
    await setDesired(command, old === master ? 'running' : undefined)
    return { status }
  })
}

/** The restore that the replacement is made for; null: it is made empty. */
async function beginRestore(
  { restores }: ClusterDeps,
  { trx, caller, cluster, master }: ClusterCommand,
  old: InstanceRow,
  asked: RestoreSource | undefined,
): Promise<string | null> {
  if (asked) {
    if (old !== master) return refuse('restoreOfWorker')
    if (cluster.owner !== caller.userid) return refuse('ownerOnly')
    const offering = { name: old.offering ?? '', diskMiB: old.disk_mib }
    return await restores.begin(trx, caller, { clusterId: cluster.id, offering, ...asked })
  }
  // If the old instance never received its files, the replacement is created for the same restore.
  return old.has_run || old.restore_id === null ? null : await restores.again(trx, old.restore_id)
}
