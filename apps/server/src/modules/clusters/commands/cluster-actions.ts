/**
 * What a person asks of a cluster or of one of its instances. Each writes what is wanted and the job that makes it so, in
 * one transaction under the cluster's row lock; nothing is called outside. Refused with `notFound` is what the caller may
 * not see, with the sentence of action-refusals.ts what is not possible now. An operation under way is superseded.
 */
import type { ClusterStatus, OperationKind } from '@atoll/contract'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { type AuditEntry, recordAudit } from '../../audit/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { listInstances, saveMove } from '../instances/instance-store.ts'
import { clusterFactsOf, instanceFactsOf } from '../lifecycle/action-facts.ts'
import { type ActionRefusal, clusterRefusal, eventOf, instanceRefusal } from '../lifecycle/action-refusals.ts'
import { isRefused, type Position, transition } from '../lifecycle/cluster-state.ts'
import { insertOperation } from '../operations/operation-store.ts'
import { wishInstall } from '../reconcile/provider-calls.ts'
import { countWish, enqueueReconcile, lockVisibleCluster } from '../reconcile/reconcile-store.ts'
import { isRemoval } from '../reconcile/removal.ts'
import type { ClusterRow, Desired, InstanceRow } from '../tables.ts'
import { instanceName } from '../views/instance-json.ts'
import { visibleTo } from '../visibility.ts'

/** An action on a cluster as a whole, or with an `instanceId` on that instance. */
export type AskedAction = 'start' | 'stop' | 'restart' | 'retry' | 'destroyMaster'

interface Wish {
  kind: OperationKind
  /** What is wanted from now on; undefined: what was wanted before. */
  desired?: Desired
}

const wishes = {
  start: { kind: 'start', desired: 'running' },
  stop: { kind: 'stop', desired: 'stopped' },
  restart: { kind: 'restart', desired: 'running' },
  destroyMaster: { kind: 'destroy', desired: 'destroyed' },
  retry: { kind: 'retry' },
} as const satisfies Record<AskedAction, Wish>

export interface ActionRequest {
  /** Of the call, for its idempotency key. */
  call: string
  action: AskedAction
  body: {
    clusterId: string
    instanceId?: string | undefined
    requestId?: string | undefined
    /** Of destroying a self-hosted cluster: the files on its hosts go, too. */
    wipe?: boolean
  }
}

/** Asks for `action`; answers with the status that is shown from now on. */
export async function requestAction(
  deps: ClusterDeps,
  caller: Caller,
  { call, action, body }: ActionRequest,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call, body }, async (trx) => {
    const { cluster, instances, master } = await lockCluster(trx, caller, body.clusterId)
    const subject = body.instanceId === undefined ? master : instances.find(({ id }) => id === body.instanceId)
    if (!subject) return refuse('notFound', { object: 'instance' })
    refuseIf(
      subject.id === body.instanceId && action !== 'destroyMaster'
        ? instanceRefusal(subject, instanceFactsOf(cluster, subject), action)
        : clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), action),
    )
    const { kind, desired }: Wish = wishes[action]
    if (action === 'destroyMaster' && cluster.cluster_type === 'SelfHost') {
      // Agents before instances: see the order of locks in instance-store.ts.
      await deps.agents.setWipe(
        trx,
        instances.map(({ id }) => id),
        body.wipe ?? false,
      )
    }
    const isWhole = body.instanceId === undefined
    const followers = isWhole
      ? instances.filter((instance) => instance !== subject && mustBeAsked(instance, action))
      : []
    let { status } = subject
    for (const instance of [subject, ...followers]) {
      const ofInstance = instance !== subject && kind === 'destroy' ? 'destroyWorker' : kind
      const moved = await moveInstance(deps, trx, { cluster, instance, kind: ofInstance, action, desired, caller })
      if (instance === subject) status = moved
    }
    const isClusters = isWhole || (subject === master && action === 'start')
    await countWish(trx, cluster, isClusters ? desired : undefined)
    await recordAudit(trx, auditOf(caller, cluster, subject, isWhole || subject === master, kind, status))
    await enqueueReconcile(trx, cluster.id)
    return { status }
  })
}

/**
 * Its workers follow a cluster by what is wanted, and need not be asked. But a restart leaves no trace to follow, and a worker
 * whose own removal was given up would not be tried again before its time, and its cluster wait for it.
 */
function mustBeAsked(worker: InstanceRow, action: AskedAction): boolean {
  if (action === 'restart') return !isRefused(transition(worker, 'restart'))
  return action === 'destroyMaster' && worker.status === 'errored' && isRemoval(worker.trail.at(-1))
}

/** Whose cluster it is: for whoever locks the account, which comes before the cluster. It never changes. */
export async function getOwner(trx: Trx, caller: Caller, clusterId: string): Promise<string> {
  const row = await trx
    .selectFrom('clusters')
    .select('owner')
    .where('id', '=', clusterId)
    .where((from) => visibleTo(caller, from.ref('clusters.owner')))
    .executeTakeFirst()
  return row?.owner ?? refuse('notFound', { object: 'cluster' })
}

export interface LockedCluster {
  cluster: ClusterRow
  instances: InstanceRow[]
  master: InstanceRow
}

/** The cluster with its instances, locked until the transaction ends; refuses one that the caller may not see or is gone. */
export async function lockCluster(trx: Trx, caller: Caller, clusterId: string): Promise<LockedCluster> {
  const cluster = await lockVisibleCluster(trx, caller, clusterId)
  const instances = cluster ? await listInstances(trx, cluster.id) : []
  const master = instances.find(({ role }) => role === 'master')
  if (cluster?.status === 'canceled') return refuse('actionAfterEnd', { status: cluster.status })
  if (!cluster || !master) return refuse('notFound', { object: 'cluster' })
  return { cluster, instances, master }
}

export function refuseIf(refusal: ActionRefusal | undefined): void {
  if (refusal) refuse(refusal.key, refusal.params)
}

interface AskedMove {
  cluster: ClusterRow
  instance: InstanceRow
  kind: OperationKind
  action: AskedAction
  desired: Desired | undefined
  caller: Caller
}

async function moveInstance(
  deps: ClusterDeps,
  trx: Trx,
  { cluster, instance, kind, action, desired, caller }: AskedMove,
): Promise<ClusterStatus> {
  const to = transition(instance, eventOf(action))
  if (isRefused(to)) throw new Error(`${action} was allowed and ${to.status} refuses it`)
  const at = deps.clock.now()
  // Agents before instances: see the order of locks in instance-store.ts.
  const installTask = await renewInstall(deps, trx, { cluster, instance, action, to })
  await saveMove(trx, instance, { to, at, error: null, ...(desired && { desired }) })
  await trx
    .updateTable('instances')
    .set({
      recoveries: 0,
      restart_from: null,
      install_task: installTask,
    })
    .where('id', '=', instance.id)
    .execute()
  await insertOperation(trx, instance, {
    kind,
    status: to.status,
    at,
    deadlineMs: deadlineMs(deps, kind),
    by: caller.userid,
  })
  return to.status
}

/** The task of the install that is to happen now: a failed one is asked for anew. */
async function renewInstall(
  deps: ClusterDeps,
  trx: Trx,
  { cluster, instance, action, to }: Pick<AskedMove, 'cluster' | 'instance' | 'action'> & { to: Position },
): Promise<string> {
  if (action !== 'retry' || (to.status !== 'installing' && to.status !== 'pending')) return instance.install_task
  const [agent] = await deps.agents.listAgents(trx, [instance.id])
  if (agent?.install.state !== 'failed') return instance.install_task
  const taskId = newId('op')
  // The agent goes on at the step that failed.
  return (await wishInstall(deps, trx, instance, { taskId, version: cluster.version })) ? taskId : instance.install_task
}

/** What the log says of it: of the cluster where it is about all of it, of the instance otherwise. */
function auditOf(
  caller: Caller,
  cluster: ClusterRow,
  instance: InstanceRow,
  isCluster: boolean,
  kind: (typeof wishes)[AskedAction]['kind'],
  status: ClusterStatus,
): AuditEntry {
  const source = { actor: caller, ip: caller.ip, before: { status: instance.status }, after: { status } }
  const { id, owner, name } = cluster
  return isCluster
    ? { ...source, action: `cluster.${kind}`, object: { kind: 'cluster', id, owner, name } }
    : {
        ...source,
        after: { status, instance: instanceName(instance) },
        action: `instance.${kind}`,
        object: { kind: 'instance', id: instance.id, owner, name },
      }
}
