/**
 * Ends of single instances that a person asks for: a worker destroyed, and what still waits for resources canceled.
 */
import { taskKinds } from '@atoll/contract/agents'
import type { ClusterStatus } from '@atoll/contract/clusters'
import type { Caller } from '../../../../platform/caller.ts'
import { newId } from '../../../../platform/crypto.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { listRunningOperations, operationsOn } from '../../../../platform/operations/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { type ClusterDeps, drainMs, drainWithinMs } from '../../cluster-deps.ts'
import { instanceFactsOf } from '../../lifecycle/action-facts.ts'
import { instanceRefusal, refuseIf } from '../../lifecycle/action-refusals.ts'
import { servedStatus } from '../../lifecycle/cluster-state.ts'
import { instanceIdOf, isCancellable, operationOf } from '../../operations/operation-store.ts'
import type { InstanceRow } from '../../tables.ts'
import { openTo } from '../../visibility.ts'
import {
  allowedMove,
  auditInstance,
  type ClusterCommand,
  moveInstance,
  type OfCluster,
  runCommand,
  setDesired,
} from '../cluster-command.ts'
import { auditSubject, endRunning, getSubject, refuseActionOn } from '../command-subject.ts'
import { endOrAsk, endPaid, type Yes } from '../destroy-confirm.ts'
import { cancelUnpaid } from '../orders/order-cancel.ts'

/**
 * Removes a worker. With `drain`, its agent is asked to take no more work and to finish what it has begun; the
 * instance goes when it answers, or after `drainMs`. One that does not run has nothing to finish.
 */
export async function removeWorker(
  deps: ClusterDeps,
  caller: Caller,
  body: OfCluster & { instanceId: string; drain: boolean } & Yes,
): Promise<{ status: ClusterStatus }> {
  const request = { call: 'destroyWorker', body, clusterId: body.clusterId }
  return await runCommand(deps, caller, request, async (command) => {
    const { trx, cluster, at } = command
    const worker = getSubject(command, body.instanceId)
    refuseIf(instanceRefusal(worker, instanceFactsOf(cluster, worker), 'destroyWorker'))
    if (!(await endOrAsk(deps, command, worker, body))) return { status: 'destroy_to_be_confirmed' as const }
    const to = allowedMove(worker, 'destroy')
    const drains = body.drain && servedStatus(worker) === 'running'
    const drainTask = drains ? newId('at') : null
    if (drainTask) {
      const request = { taskId: drainTask, instanceId: worker.id, params: { withinMs: drainWithinMs } }
      await deps.agents.requestTask(trx, taskKinds.drain, request)
    }
    await moveInstance(deps, command, worker, { to, kind: 'destroyWorker', desired: 'destroyed', drains })
    await trx
      .updateTable('instances')
      .set({ drain_task: drainTask, drain_until: drainTask ? new Date(at.getTime() + drainMs) : null })
      .where('id', '=', worker.id)
      .execute()
    await auditInstance(command, 'instance.destroy', worker, {
      before: { status: worker.status },
      after: { status: to.status, drain: drains },
    })
    await setDesired(command)
    return { status: to.status }
  })
}

/** Cancels a worker, or by its master a whole cluster, that still waits for resources or to be paid. */
export async function cancelWaiting(
  deps: ClusterDeps,
  caller: Caller,
  body: { instanceId: string; requestId?: string | undefined },
): Promise<{ status: ClusterStatus }> {
  const clusterId = (trx: Trx) => findCluster(trx, caller, body.instanceId)
  return await runCommand(deps, caller, { call: 'cancelInstance', body, clusterId }, async (command) => {
    const instance = getSubject(command, body.instanceId)
    if (instance.status === 'unpaid') return await cancelUnpaid(deps, command, instance)
    return await cancel(deps, command, instance)
  })
}

/** Cancels a running operation while what it makes still waits for resources. */
export async function cancelOperation(
  deps: ClusterDeps,
  caller: Caller,
  body: { operationId: string; requestId?: string | undefined },
): Promise<{ status: ClusterStatus }> {
  const clusterId = async (trx: Trx) => (await getOperation(trx, caller, body.operationId)).cluster_id
  return await runCommand(deps, caller, { call: 'operationCancel', body, clusterId }, async (command) => {
    const { trx, cluster, instances, master } = command
    const operation = await getOperation(trx, caller, body.operationId)
    const instance = instances.find(({ id }) => id === (instanceIdOf(operation) ?? master.id))
    const running = instance && operationOf(await listRunningOperations(trx, cluster.id), instance)
    if (!instance || running?.id !== operation.id) return refuse('operationEnded')
    if (!isCancellable(running, instance.status)) return refuse('tooLateToCancel', { status: instance.status })
    return await cancel(deps, command, instance)
  })
}

async function cancel(
  deps: ClusterDeps,
  command: ClusterCommand,
  instance: InstanceRow,
): Promise<{ status: ClusterStatus }> {
  refuseActionOn(deps, command, instance, { cluster: 'cancel', instance: 'cancelInstance' })
  await endPaid(deps, command, instance)
  const to = allowedMove(instance, 'cancel')
  await endRunning(command, instance, { key: 'canceled' })
  await moveInstance(deps, command, instance, { to, kind: 'cancel', desired: 'destroyed' })
  const facts = { before: { status: instance.status }, after: { status: to.status } }
  await auditSubject(command, instance, 'cancel', facts)
  await setDesired(command, instance === command.master ? 'destroyed' : undefined)
  return { status: to.status }
}

async function getOperation(db: Db, caller: Caller, operationId: string) {
  const operation = await operationsOn(db, ['cluster', 'instance'])
    .where('id', '=', operationId)
    .where((from) => openTo(caller, from.ref('operations.owner')))
    .executeTakeFirst()
  const clusterId = operation?.cluster_id
  return operation && clusterId ? { ...operation, cluster_id: clusterId } : refuse('notFound', { object: 'operation' })
}

async function findCluster(db: Db, caller: Caller, instanceId: string): Promise<string> {
  const row = await db
    .selectFrom('instances')
    .select('cluster_id')
    .where('id', '=', instanceId)
    .where((from) => openTo(caller, from.ref('instances.owner')))
    .executeTakeFirst()
  return row?.cluster_id ?? refuse('notFound', { object: 'instance' })
}
