/**
 * Applies what the reconciler decided to the rows: a status with its operation, an end, a drain that is over. Each in
 * one transaction under the cluster's row lock, fenced by the instance's revision: somebody who was faster is left
 * alone, and the reconciler reads again.
 */
import type { NewsKind } from '@atoll/contract/accounts'
import type { Reason } from '@atoll/contract/api'
import type { OperationKind } from '@atoll/contract/clusters'
import type { Trx } from '../../../platform/db/index.ts'
import { advanceOperation, endOperation, moveDeadline } from '../../../platform/operations/index.ts'
import { recordNews } from '../../news/index.ts'
import { type ClusterDeps, deadlineMs } from '../cluster-deps.ts'
import { stabilityWindowMs } from '../decide/facts.ts'
import { lockInstance, publishToOwner, saveMove } from '../instances/instance-store.ts'
import type { Snapshot } from '../instances/reconcile-store.ts'
import {
  type ClusterEvent,
  isEnded,
  isRefused,
  isRemoval,
  isTransitioning,
  type Position,
  transition,
} from '../lifecycle/cluster-state.ts'
import { readReason } from '../lifecycle/stored-reason.ts'
import { followStatus, insertOperation, instanceIdOf, operationOf, wordsOf } from '../operations/operation-store.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import { recordEvent } from './instance-audit.ts'

/** Events that the owner waits for or has to act on; what else comes is said where it is seen. */
const told: Partial<Record<ClusterEvent, NewsKind>> = {
  installed: 'clusterReady',
  restored: 'clusterReady',
  vanished: 'clusterLost',
  failed: 'clusterFailed',
}

interface TellableEvent {
  cluster: ClusterRow
  /** As it was before. */
  instance: InstanceRow
  event: ClusterEvent
  to: Position
  at: Date
}

export async function applyEvent(
  deps: ClusterDeps,
  snapshot: Snapshot,
  instance: InstanceRow,
  event: ClusterEvent,
  error: Reason | null,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    if (await lockInstance(trx, instance)) await writeEvent(deps, trx, { snapshot, instance, event, error })
  })
}

/** Writes what an event makes of an instance that was locked and is as it was read. */
export async function writeEvent(
  deps: ClusterDeps,
  trx: Trx,
  {
    snapshot,
    instance,
    event,
    error,
    isAsked = false,
  }: {
    snapshot: Snapshot
    instance: InstanceRow
    event: ClusterEvent
    error: Reason | null
    /** The owner requested an event that otherwise happens automatically. */
    isAsked?: boolean
  },
): Promise<void> {
  const { clock, agents } = deps
  const to = transition(instance, event)
  if (isRefused(to)) throw new Error(`The status ${to.status} does not accept ${to.refused}`)
  const operation = operationOf(snapshot.operations, instance)
  const at = clock.now()
  const ends = isEnded(to.status)
  // Agents are locked before the instance's row, as when a report is stored; the reverse order would deadlock.
  if (ends) await agents.forgetAgents(trx, [instance.id])
  await saveMove(trx, instance, {
    to,
    at,
    // Keeping an instance does not clear an earlier error.
    error: event === 'keep' ? readReason(instance.error) : error,
    missing: event === 'vanished' || (event === 'silenced' && snapshot.cluster.cluster_type === 'Cloud'),
  })
  // An unrequested retry of a removal fails again every few minutes, which is not recorded each time.
  const isRepeated = isRemoval(instance.status) && operation?.asked_by === null
  if (!isRepeated) {
    await recordEvent(trx, { cluster: snapshot.cluster, instance, event, to, reason: error, isAsked })
    await tellEvent(trx, { cluster: snapshot.cluster, instance, event, to, at })
  }
  if (operation && !isTransitioning(to.status) && to.status !== 'restore_error') {
    await endOperation(trx, operation, { state: error === null ? 'done' : 'failed', reason: error, at })
  } else if (isTransitioning(to.status)) {
    const kind = operationFor(event, instance)
    if (operation && !kind) {
      await followStatus(trx, operation, to.status, at)
      // Until now it waited for a person, or the step was short; the next step gets its own deadline.
      const isWaitOver = event === 'provisioned' && snapshot.cluster.cluster_type === 'SelfHost'
      if (isWaitOver || to.status === 'restoring') {
        const { kind: begun } = wordsOf(operation)
        await moveDeadline(trx, operation, new Date(at.getTime() + deadlineMs(deps, begun, to.status)))
      }
    } else {
      const begun = kind ?? 'recover'
      const by = byWhom(snapshot, event)
      await insertOperation(trx, instance, {
        kind: begun,
        status: to.status,
        at,
        deadlineMs: deadlineMs(deps, begun, to.status),
        by,
      })
    }
  }
  const wasStable = event === 'lost' && at.getTime() - instance.changed_at.getTime() > stabilityWindowMs
  const isDone = event === 'installed' || event === 'restored' || event === 'stopped' || event === 'restarted'
  if (wasStable || isDone) {
    await trx
      .updateTable('instances')
      .set({ recoveries: 0, restart_from: null })
      .where('id', '=', instance.id)
      .execute()
  }
  if (ends) await trx.updateTable('instances').set({ host: null, port: null }).where('id', '=', instance.id).execute()
}

/** Under which name an event that nobody asked for as such begins an operation; undefined: it goes on with one. */
function operationFor(event: ClusterEvent, { role, resume_stack }: InstanceRow): OperationKind | undefined {
  switch (event) {
    case 'start':
    case 'stop':
      return event
    case 'lost':
      return 'recover'
    case 'paid':
      return role === 'master' ? 'create' : 'addWorker'
    case 'overdueSettled':
      return 'start'
    case 'graceEnded':
    case 'destroy':
      return role === 'master' ? 'destroy' : 'destroyWorker'
    case 'retry':
      return resume_stack.at(-1) === 'canceling' ? 'cancel' : role === 'master' ? 'destroy' : 'destroyWorker'
    default:
      return undefined
  }
}

/** A worker follows its cluster on behalf of the user who requested the cluster's operation. */
function byWhom({ cluster, operations }: Snapshot, event: ClusterEvent): string | null {
  if (event === 'paid') return cluster.owner
  if (event !== 'start' && event !== 'stop' && event !== 'destroy') return null
  return operations.find((operation) => instanceIdOf(operation) === null)?.asked_by ?? null
}

/** A move is over: what comes now is the boot, if it is to run. */
export async function applyPlaced({ db }: ClusterDeps, instance: InstanceRow, isMoved: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await lockInstance(trx, instance))) return
    await trx
      .updateTable('instances')
      .set({
        move_to: null,
        failed_calls: 0,
        last_failure: null,
        revision: instance.revision + 1,
        ...(isMoved && { member: instance.move_to }),
      })
      .where('id', '=', instance.id)
      .execute()
  })
}

/** The drain is over: what comes now is the removal. */
export async function applyDrained(
  { db, clock }: ClusterDeps,
  snapshot: Snapshot,
  instance: InstanceRow,
  inTime: boolean,
): Promise<void> {
  const operation = operationOf(snapshot.operations, instance)
  await db.transaction().execute(async (trx) => {
    if (!(await lockInstance(trx, instance))) return
    if (operation)
      await advanceOperation(trx, operation, 'destroying', clock.now(), inTime ? null : { key: 'drainLate' })
    await saveMove(trx, instance, { to: instance, at: instance.changed_at, error: null })
    await trx
      .updateTable('instances')
      .set({ drain_task: null, drain_until: null })
      .where('id', '=', instance.id)
      .execute()
  })
}

/**
 * An operation of an instance at rest, left open by a crash between two versions of this code, would never end: it
 * ends here.
 */
export async function endLeftOpen(
  { db, clock }: ClusterDeps,
  snapshot: Snapshot,
  instance: InstanceRow,
): Promise<void> {
  const operation = operationOf(snapshot.operations, instance)
  // One that waits for another password goes on when it has come.
  if (!operation || isTransitioning(instance.status) || instance.status === 'restore_error') return
  await db.transaction().execute(async (trx) => {
    if (!(await lockInstance(trx, instance))) return
    await endOperation(trx, operation, { state: 'done', reason: null, at: clock.now() })
    await publishToOwner(trx, instance)
  })
}

/** Adds the event to its owner's news, in the transaction that applies it; of a worker nothing. */
async function tellEvent(trx: Trx, { cluster, instance, event, to, at }: TellableEvent): Promise<void> {
  const kind = told[event]
  if (!kind || instance.role !== 'master' || cluster.purpose === 'drill') return
  // One that is in use already waits for nobody.
  if (kind === 'clusterReady' && (instance.os_active || to.status !== 'running')) return
  await recordNews(trx, { userid: cluster.owner, at, kind, object: { id: cluster.id, name: cluster.name } })
}
