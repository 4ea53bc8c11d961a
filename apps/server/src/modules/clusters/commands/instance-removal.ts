/** Ends of single instances that a person asks for: a worker destroyed, and what still waits for resources canceled. */
import type { CallBody, ClusterStatus, cancelInstance, destroyWorker, operationCancel } from '@atoll/contract'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { endOperation, listRunningOperations } from '../../../platform/operations/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { type ClusterDeps, deadlineMs, drainMs } from '../cluster-deps.ts'
import { saveMove } from '../instances/instance-store.ts'
import { clusterFactsOf, instanceFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, instanceRefusal } from '../lifecycle/action-refusals.ts'
import { isRefused, transition } from '../lifecycle/cluster-state.ts'
import { insertOperation, instanceIdOf, isCancellable, operationOf } from '../operations/operation-store.ts'
import { countWish, enqueueReconcile } from '../reconcile/reconcile-store.ts'
import type { InstanceRow } from '../tables.ts'
import { instanceName } from '../views/instance-json.ts'
import { visibleTo } from '../visibility.ts'
import { type LockedCluster, lockCluster, refuseIf } from './cluster-actions.ts'

/**
 * Removes a worker. With `drain`, its agent is asked to take no more work and to finish what it has begun; the instance goes
 * when it answers, or after `drainMs`. One that does not run has nothing to finish.
 */
export async function removeWorker(
  deps: ClusterDeps,
  caller: Caller,
  body: CallBody<typeof destroyWorker>,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call: 'destroyWorker', body }, async (trx) => {
    const locked = await lockCluster(trx, caller, body.clusterId)
    const { cluster } = locked
    const worker = locked.instances.find(({ id }) => id === body.instanceId)
    if (!worker) return refuse('notFound', { object: 'instance' })
    refuseIf(instanceRefusal(worker, instanceFactsOf(cluster, worker), 'destroyWorker'))
    const to = transition(worker, 'destroy')
    if (isRefused(to)) throw new Error(`Destroying a worker was allowed and ${to.status} refuses it`)
    const at = deps.clock.now()
    const drains = body.drain && worker.status === 'running'
    const drainTask = drains ? newId('op') : null
    // Agents before instances: see the order of locks in instance-store.ts.
    if (drainTask) await deps.agents.requestDrain(trx, { instanceId: worker.id, taskId: drainTask })
    await saveMove(trx, worker, { to, at, error: null, desired: 'destroyed' })
    await trx
      .updateTable('instances')
      .set({ drain_task: drainTask, drain_until: drainTask ? new Date(at.getTime() + drainMs) : null })
      .where('id', '=', worker.id)
      .execute()
    const kind = 'destroyWorker'
    await insertOperation(trx, worker, {
      kind,
      status: to.status,
      at,
      deadlineMs: deadlineMs(deps, kind),
      by: caller.userid,
      drains,
    })
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'instance.destroy',
      object: { kind: 'instance', id: worker.id, owner: cluster.owner, name: cluster.name },
      before: { status: worker.status },
      after: { status: to.status, instance: instanceName(worker), drain: drains },
    })
    await countWish(trx, cluster)
    await enqueueReconcile(trx, cluster.id)
    return { status: to.status }
  })
}

/** Cancels a worker, or by its master a whole cluster, that still waits for resources. */
export async function cancelWaiting(
  deps: ClusterDeps,
  caller: Caller,
  body: CallBody<typeof cancelInstance>,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call: 'cancelInstance', body }, async (trx) => {
    const clusterId = await findCluster(trx, caller, body.instanceId)
    const locked = await lockCluster(trx, caller, clusterId)
    const instance = locked.instances.find(({ id }) => id === body.instanceId)
    if (!instance) return refuse('notFound', { object: 'instance' })
    return await cancelLocked(deps, trx, caller, locked, instance)
  })
}

/** Cancels a running operation while what it makes still waits for resources. */
export async function cancelOperation(
  deps: ClusterDeps,
  caller: Caller,
  body: CallBody<typeof operationCancel>,
): Promise<{ status: ClusterStatus }> {
  return await once(deps, { owner: caller.userid, call: 'operationCancel', body }, async (trx) => {
    const operation = await trx
      .selectFrom('operations')
      .selectAll()
      .where('id', '=', body.operationId)
      .where('subject_kind', 'in', ['cluster', 'instance'])
      .where((from) => visibleTo(caller, from.ref('operations.owner')))
      .executeTakeFirst()
    if (!operation?.cluster_id) return refuse('notFound', { object: 'operation' })
    const locked = await lockCluster(trx, caller, operation.cluster_id)
    const instance = locked.instances.find(({ id }) => id === (instanceIdOf(operation) ?? locked.master.id))
    const running = instance && operationOf(await listRunningOperations(trx, locked.cluster.id), instance)
    if (!instance || running?.id !== operation.id) return refuse('operationEnded')
    if (!isCancellable(running, instance.status)) return refuse('tooLateToCancel', { status: instance.status })
    return await cancelLocked(deps, trx, caller, locked, instance)
  })
}

async function cancelLocked(
  deps: ClusterDeps,
  trx: Trx,
  caller: Caller,
  { cluster, instances, master }: LockedCluster,
  instance: InstanceRow,
): Promise<{ status: ClusterStatus }> {
  const isMaster = instance.id === master.id
  refuseIf(
    isMaster
      ? clusterRefusal(master, clusterFactsOf(deps, cluster, caller, instances), 'cancel')
      : instanceRefusal(instance, instanceFactsOf(cluster, instance), 'cancelInstance'),
  )
  const to = transition(instance, 'cancel')
  if (isRefused(to)) throw new Error(`Canceling was allowed and ${to.status} refuses it`)
  const at = deps.clock.now()
  const running = operationOf(await listRunningOperations(trx, cluster.id), instance)
  if (running) await endOperation(trx, running, { state: 'canceled', reason: { key: 'canceled' }, at })
  await saveMove(trx, instance, { to, at, error: null, desired: 'destroyed' })
  const kind = 'cancel'
  await insertOperation(trx, instance, {
    kind,
    status: to.status,
    at,
    deadlineMs: deadlineMs(deps, kind),
    by: caller.userid,
  })
  const source = { actor: caller, ip: caller.ip, before: { status: instance.status } }
  const after = { status: to.status }
  const { owner, name } = cluster
  await recordAudit(
    trx,
    isMaster
      ? { ...source, after, action: 'cluster.cancel', object: { kind: 'cluster', id: cluster.id, owner, name } }
      : {
          ...source,
          after: { ...after, instance: instanceName(instance) },
          action: 'instance.cancel',
          object: { kind: 'instance', id: instance.id, owner, name },
        },
  )
  await countWish(trx, cluster, isMaster ? 'destroyed' : undefined)
  await enqueueReconcile(trx, cluster.id)
  return { status: to.status }
}

async function findCluster(db: Db, caller: Caller, instanceId: string): Promise<string> {
  const row = await db
    .selectFrom('instances')
    .select('cluster_id')
    .where('id', '=', instanceId)
    .where((from) => visibleTo(caller, from.ref('instances.owner')))
    .executeTakeFirst()
  return row?.cluster_id ?? refuse('notFound', { object: 'instance' })
}
