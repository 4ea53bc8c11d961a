/** Start, stop, restart, retry and destroy, of a cluster or of one instance. An operation under way is superseded. */
import type { ClusterStatus, OperationKind } from '@atoll/contract/clusters'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { requestInstall } from '../instances/install-request.ts'
import { clusterFactsOf, instanceFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, eventOf, instanceRefusal, refuseIf } from '../lifecycle/action-refusals.ts'
import { isRefused, isRemoval, type Position, transition } from '../lifecycle/cluster-state.ts'
import type { Desired, InstanceRow } from '../tables.ts'
import { findActiveCluster } from '../views/active-clusters.ts'
import { allowedMove, type ClusterCommand, moveInstance, runCommand, setDesired } from './cluster-command.ts'
import { auditSubject, getSubject } from './command-subject.ts'
import { endOrAsk, type Yes } from './destroy-confirm.ts'

/** An action on a cluster as a whole, or with an `instanceId` on that instance. */
export type AskedAction = 'start' | 'stop' | 'restart' | 'retry' | 'destroyMaster'

/** `desired` from now on; undefined: as before. */
const effects = {
  start: { kind: 'start', desired: 'running' },
  stop: { kind: 'stop', desired: 'stopped' },
  restart: { kind: 'restart', desired: 'running' },
  destroyMaster: { kind: 'destroy', desired: 'destroyed' },
  retry: { kind: 'retry', desired: undefined },
} as const satisfies Record<AskedAction, { kind: OperationKind; desired: Desired | undefined }>

export interface ActionRequest {
  /** Of the call, for its request key. */
  call: string
  action: AskedAction
  body: {
    clusterId: string
    instanceId?: string | undefined
    requestId?: string | undefined
    /** Of destroying a self-hosted cluster: the files on its hosts go, too. */
    wipe?: boolean
  } & Yes
}

/** Asks for `action`; answers with the status that is shown from now on. */
export async function requestAction(
  deps: ClusterDeps,
  caller: Caller,
  { call, action, body }: ActionRequest,
): Promise<{ status: ClusterStatus }> {
  const { clusterId, instanceId } = body
  return await runCommand(deps, caller, { call, body, clusterId }, async (command) => {
    const { trx, cluster, instances, master } = command
    const isWhole = instanceId === undefined
    const subject = getSubject(command, instanceId)
    refuseIf(
      subject.id === instanceId && action !== 'destroyMaster'
        ? instanceRefusal(subject, instanceFactsOf(cluster, subject), action)
        : clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), action),
    )
    if (subject === master && (action === 'start' || action === 'retry')) await refuseBesideKin(deps, command)
    if (action === 'destroyMaster' && !(await endOrAsk(deps, command, subject, body))) {
      return { status: 'destroy_to_be_confirmed' as const }
    }
    const { kind, desired } = effects[action]
    if (action === 'destroyMaster' && cluster.cluster_type === 'SelfHost') {
      const ids = instances.map(({ id }) => id)
      await deps.agents.setWipe(trx, ids, body.wipe ?? false)
    }
    const followers = isWhole
      ? instances.filter((instance) => instance !== subject && mustBeAsked(instance, action))
      : []
    const { status } = await act(deps, command, subject, action, kind)
    for (const follower of followers) {
      await act(deps, command, follower, action, kind === 'destroy' ? 'destroyWorker' : kind)
    }
    await setDesired(command, isWhole || (subject === master && action === 'start') ? desired : undefined)
    const facts = { before: { status: subject.status }, after: { status } }
    await auditSubject(command, subject, kind, facts)
    return { status }
  })
}

/** One that was activated does not run again beside a cluster of the same backup that took its ID over. */
export async function refuseBesideKin(deps: ClusterDeps, { trx, cluster, master }: ClusterCommand): Promise<void> {
  if (!master.os_active) return
  const kin = await deps.restores.listKin(trx, { owner: cluster.owner, clusterId: cluster.id })
  const rival = await findActiveCluster(trx, kin)
  if (rival) refuse('rivalActive', { rival: rival.clusterName })
}

/**
 * Whether the worker needs a request of its own. Usually workers follow the cluster's desired state. But a restart is
 * not part of that state, and a worker whose own removal was given up would be retried only later, while its cluster
 * waits for it.
 */
function mustBeAsked(worker: InstanceRow, action: AskedAction): boolean {
  if (action === 'restart') return !isRefused(transition(worker, 'restart'))
  return action === 'destroyMaster' && worker.status === 'errored' && isRemoval(worker.resume_stack.at(-1))
}

async function act(
  deps: ClusterDeps,
  command: ClusterCommand,
  instance: InstanceRow,
  action: AskedAction,
  kind: OperationKind,
): Promise<Position> {
  const to = allowedMove(instance, eventOf(action))
  const installTask = await renewInstall(deps, command, instance, action, to)
  const isRestored = action === 'retry' && to.status === 'restoring' && instance.restore_id !== null
  const restoreId = isRestored ? await deps.restores.again(command.trx, instance.restore_id ?? '') : instance.restore_id
  await moveInstance(deps, command, instance, { to, kind, desired: effects[action].desired })
  await command.trx
    .updateTable('instances')
    .set({ recoveries: 0, restart_from: null, install_task: installTask, restore_id: restoreId })
    .where('id', '=', instance.id)
    .execute()
  return to
}

/**
 * The task of the install that is to happen now: a failed one is asked for again, and goes on at the step that failed.
 */
async function renewInstall(
  deps: ClusterDeps,
  { trx, cluster }: ClusterCommand,
  instance: InstanceRow,
  action: AskedAction,
  to: Position,
): Promise<string> {
  const installs = to.status === 'installing' || to.status === 'restoring' || to.status === 'pending'
  if (action !== 'retry' || !installs) return instance.install_task
  const [agent] = await deps.agents.listAgents(trx, [instance.id])
  if (agent?.install.state !== 'failed') return instance.install_task
  const taskId = newId('op')
  return (await requestInstall(deps, trx, instance, { taskId, version: cluster.version }))
    ? taskId
    : instance.install_task
}
