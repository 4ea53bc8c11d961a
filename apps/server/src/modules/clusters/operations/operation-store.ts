/**
 * Operations: one runs per cluster as a whole (its master carries it, `instance_id` is null) and one per worker. Written
 * only in the transaction that changes the machine's status, under the cluster's row lock.
 */
import type { ClusterStatus, OperationKind, Reason } from '@atoll/contract'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { isRefused, transition } from '../lifecycle/cluster-state.ts'
import { storeReason } from '../reconcile/stored-reason.ts'
import type { InstanceRow, OperationRow, StoredStep } from '../tables.ts'
import { beginSteps, endSteps, enterStep, followStatus } from './operation-steps.ts'

/** As an operation names it: null for the master. */
function subjectOf({ role, id }: Pick<InstanceRow, 'role' | 'id'>): string | null {
  return role === 'master' ? null : id
}

/** The running operation of `machine` among those of its cluster. */
export function operationOf(
  operations: readonly OperationRow[],
  machine: Pick<InstanceRow, 'role' | 'id'>,
): OperationRow | undefined {
  return operations.find((operation) => operation.instance_id === subjectOf(machine))
}

/** What makes something can be canceled while that still waits for resources. Not a repair: it would end the cluster. */
export function isCancellable({ kind, state }: Pick<OperationRow, 'kind' | 'state'>, status: ClusterStatus): boolean {
  const makes = kind === 'create' || kind === 'addWorker' || kind === 'retry'
  return state === 'running' && makes && !isRefused(transition({ status, trail: [] }, 'cancel'))
}

export async function listRunningOperations(db: Db, clusterId: string): Promise<OperationRow[]> {
  return await db
    .selectFrom('operations')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('state', '=', 'running')
    .execute()
}

async function findRunning(trx: Trx, machine: InstanceRow): Promise<OperationRow | undefined> {
  return operationOf(await listRunningOperations(trx, machine.cluster_id), machine)
}

export interface NewOperation {
  kind: OperationKind
  /** The status it begins with. */
  status: ClusterStatus
  at: Date
  deadlineMs: number
  /** Userid; null: the system by itself. */
  by: string | null
  drains?: boolean
}

/** Opens an operation on `machine`; one that still runs there is ended as superseded first. */
export async function insertOperation(trx: Trx, machine: InstanceRow, operation: NewOperation): Promise<void> {
  const { kind, status, at, deadlineMs, by, drains = false } = operation
  const running = await findRunning(trx, machine)
  if (running)
    await endOperation(trx, running, { state: 'canceled', reason: { key: 'superseded', params: { kind } }, at })
  await trx
    .insertInto('operations')
    .values({
      id: newId('op'),
      cluster_id: machine.cluster_id,
      owner: machine.owner,
      instance_id: subjectOf(machine),
      kind,
      state: 'running',
      steps: JSON.stringify(beginSteps(status, at, { drains })),
      asked_by: by,
      started_at: at,
      deadline_at: new Date(at.getTime() + deadlineMs),
    })
    .execute()
}

/** Ends `operation`; what it says when it did not reach its goal is the reason. */
export async function endOperation(
  trx: Trx,
  operation: OperationRow,
  { state, reason, at }: { state: 'done' | 'failed' | 'canceled'; reason: Reason | null; at: Date },
): Promise<void> {
  await trx
    .updateTable('operations')
    .set({
      state,
      ended_at: at,
      error: storeReason(reason),
      steps: JSON.stringify(endSteps(operation.steps, state, at, reason)),
    })
    .where('id', '=', operation.id)
    .where('state', '=', 'running')
    .execute()
}

/** Moves the steps on to the status that was entered. */
export async function advanceOperation(
  trx: Trx,
  operation: OperationRow,
  status: ClusterStatus,
  at: Date,
): Promise<void> {
  await saveSteps(trx, operation, followStatus(operation.steps, status, at))
}

export async function moveDeadline(trx: Trx, operation: OperationRow, deadline: Date): Promise<void> {
  await trx.updateTable('operations').set({ deadline_at: deadline }).where('id', '=', operation.id).execute()
}

/** The drain is over, `reason` when it was not answered; the removal begins. */
export async function endDrain(trx: Trx, operation: OperationRow, at: Date, reason: Reason | null): Promise<void> {
  await saveSteps(trx, operation, enterStep(operation.steps, 'destroying', at, reason))
}

async function saveSteps(trx: Trx, operation: OperationRow, steps: StoredStep[]): Promise<void> {
  await trx
    .updateTable('operations')
    .set({ steps: JSON.stringify(steps) })
    .where('id', '=', operation.id)
    .execute()
}
