/**
 * Support helps a cluster that is stuck: its step is tried again now, or its operation is given up. Operators stop,
 * restart, repair or destroy one.
 */
import type { StaffCommand } from '@atoll/contract/staff'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { findJob } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findHeldScope, getDid } from '../../accounts/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { writeEvent } from '../events/instance-events.ts'
import { enqueueReconcile, findSnapshot, reconcileJob } from '../instances/reconcile-store.ts'
import { clusterFactsOf } from '../lifecycle/action-facts.ts'
import { clusterRefusal, refuseIf } from '../lifecycle/action-refusals.ts'
import { isRefused, isTransitioning, transition } from '../lifecycle/cluster-state.ts'
import { readReason, storeReason } from '../lifecycle/stored-reason.ts'
import { operationOf, wordsOf } from '../operations/operation-store.ts'
import { requestAction } from './cluster-actions.ts'
import { runCommand, setDesired } from './cluster-command.ts'
import { repairInstance } from './instance-repair.ts'

/** An act of staff on a cluster, on behalf of its `owner`. */
interface StaffAct {
  clusterId: string
  owner: string
}

const systemFor = async (db: Db, owner: string) =>
  ({ userid: owner, did: await getDid(db, owner), sessionId: '', role: 'User', ip: '', isSystem: true }) as const

/** Runs the step of an operation again now, or retries what failed; refused while a worker is at it. */
export async function retryAsStaff(
  deps: ClusterDeps,
  { clusterId, owner }: StaffAct,
  /** In the transaction that has it tried. */
  record: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { db } = deps
  const { holder } = await findJob(db, `${reconcileJob}:${clusterId}`)
  if (holder) refuse('operationHeld', { process: holder.process })
  await db.transaction().execute(async (trx) => {
    await record(trx)
    await enqueueReconcile(trx, clusterId)
  })
  for (const instanceId of await listErrored(db, clusterId)) {
    const body = { clusterId, ...(instanceId !== null && { instanceId }) }
    await requestAction(deps, await systemFor(db, owner), { call: 'system.retry', action: 'retry', body })
  }
}

/** Instances that failed; null: the cluster as a whole, whose master did. */
async function listErrored(db: Db, clusterId: string): Promise<(string | null)[]> {
  const snapshot = await findSnapshot(db, clusterId)
  const errored = snapshot?.instances.filter(({ status }) => status === 'errored') ?? []
  return errored.map(({ role, id }) => (role === 'master' ? null : id))
}

/** Ends running operations as failed, and marks those that had failed before: neither is stuck any longer. */
export async function giveUpAsStaff(
  deps: ClusterDeps,
  { clusterId, owner, text, requestId }: StaffAct & { text: string; requestId?: string | undefined },
  /** In the same transaction; `lostSince`: since when its owner could not use it, where that was the cluster. */
  record: (trx: Trx, given: { name: string; lostSince: Date | undefined }) => Promise<void>,
): Promise<void> {
  const request = { call: 'system.giveUp', body: { clusterId, text, requestId }, clusterId }
  await runCommand(deps, await systemFor(deps.db, owner), request, async (command) => {
    const { trx, cluster, master } = command
    const snapshot = await findSnapshot(trx, clusterId)
    const error = { key: 'staffGaveUp', params: { said: text } } as const
    const isOpen = (one: typeof master) =>
      (one.status === 'errored' && readReason(one.error)?.key !== error.key) ||
      (isTransitioning(one.status) && !isRefused(transition(one, 'failed')))
    const open = snapshot?.instances.filter(isOpen) ?? []
    if (!snapshot || open.length === 0) return refuse('nothingStuck')
    const operation = operationOf(snapshot.operations, master)
    const takesAway = !operation || !['stop', 'destroy', 'cancel'].includes(wordsOf(operation).kind)
    const lostSince =
      takesAway && open.some(({ id }) => id === master.id) ? (operation?.started_at ?? master.changed_at) : undefined
    for (const instance of open) {
      if (instance.status !== 'errored') await writeEvent(deps, trx, { snapshot, instance, event: 'failed', error })
      else
        await trx
          .updateTable('instances')
          .set({ error: storeReason(error), revision: instance.revision + 1 })
          .where('id', '=', instance.id)
          .execute()
    }
    await setDesired(command)
    await record(trx, { name: cluster.name, lostSince })
    return {}
  })
}

const actionOf = { stop: 'stop', restart: 'restart', repair: 'repair', destroy: 'destroyMaster' } as const

/** Refuses a command that the cluster does not let be given now. */
export async function checkForStaff(
  deps: ClusterDeps,
  trx: Trx,
  { clusterId, owner, command }: StaffAct & { command: StaffCommand },
): Promise<{ name: string }> {
  const snapshot = await findSnapshot(trx, clusterId)
  const master = snapshot?.instances.find(({ role }) => role === 'master')
  if (!snapshot || !master) return refuse('notFound', { object: 'cluster' })
  const cluster = { ...snapshot.cluster, held: await findHeldScope(trx, owner, clusterId) }
  const facts = clusterFactsOf(deps, cluster, await systemFor(trx, owner), snapshot.instances)
  refuseIf(clusterRefusal(master, facts, actionOf[command]))
  return { name: cluster.name }
}

/** Gives it, on behalf of the owner; repeated with the same key, once. */
export async function commandAsStaff(
  deps: ClusterDeps,
  { owner, command, ...body }: StaffAct & { command: StaffCommand; requestId: string },
): Promise<void> {
  const system = await systemFor(deps.db, owner)
  if (command === 'repair') await repairInstance(deps, system, body)
  else await requestAction(deps, system, { call: `staff.${command}`, action: actionOf[command], body })
}
