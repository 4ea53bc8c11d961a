/**
 * Operations of clusters: one runs per cluster as a whole, carried by its master, and one per worker. Written only in
 * the transaction that changes the instance's status, under the cluster's row lock.
 */
import type { Reason } from '@atoll/contract/api'
import { type ClusterStatus, type OperationKind, type OperationStepKey, operationSteps } from '@atoll/contract/clusters'
import type { Trx } from '../../../platform/db/index.ts'
import type { OperationRow, StoredStep, Subject } from '../../../platform/operations/index.ts'
import * as operations from '../../../platform/operations/index.ts'
import { isRefused, transition } from '../lifecycle/cluster-state.ts'
import type { InstanceRow } from '../tables.ts'

/** The steps that an operation on an instance is planned with: most are statuses that the instance passes. */
const making: readonly OperationStepKey[] = ['fetching', 'queuing', 'pending', 'installing']
const restoring: readonly OperationStepKey[] = ['fetching', 'queuing', 'pending', 'restoring']

type OperationSubject = Pick<InstanceRow, 'role' | 'id' | 'cluster_id'>

function subjectOf({ role, id, cluster_id }: OperationSubject): Subject {
  return role === 'master' ? { kind: 'cluster', id: cluster_id } : { kind: 'instance', id }
}

/** The running operation that `instance` carries, among those of its cluster. */
export function operationOf(running: readonly OperationRow[], instance: OperationSubject): OperationRow | undefined {
  return operations.operationOn(running, subjectOf(instance))
}

/** The one instance that an operation is about; null: the cluster as a whole. */
export function instanceIdOf({ subject_kind, subject_id }: Pick<OperationRow, 'subject_kind' | 'subject_id'>) {
  return subject_kind === 'instance' ? subject_id : null
}

/** An operation in the words of this module. */
export function wordsOf({ kind, steps }: Pick<OperationRow, 'kind' | 'steps'>) {
  // `insertOperation` below writes the kinds and steps of clusters and instances, and nobody else does.
  return {
    kind: kind as OperationKind,
    steps: steps as (Omit<StoredStep, 'step' | 'detail'> & { step: OperationStepKey; detail: Reason | null })[],
  }
}

/**
 * An operation that creates something can be canceled while it waits for resources. A repair cannot: canceling it would
 * end the cluster.
 */
export function isCancellable({ kind, state }: Pick<OperationRow, 'kind' | 'state'>, status: ClusterStatus): boolean {
  const makes = kind === 'create' || kind === 'addWorker' || kind === 'retry'
  return state === 'running' && makes && !isRefused(transition({ status, resume_stack: [] }, 'cancel'))
}

export interface InstanceOperation {
  kind: OperationKind
  /** The status it begins with. */
  status: ClusterStatus
  at: Date
  deadlineMs: number
  /** Userid; null: the system, unasked. */
  by: string | null
  drains?: boolean
}

/** Opens an operation that `instance` carries; one that still runs there is ended as superseded first. */
export async function insertOperation(
  trx: Trx,
  instance: InstanceRow,
  { kind, status, at, deadlineMs, by, drains = false }: InstanceOperation,
): Promise<void> {
  await operations.insertOperation(trx, {
    subject: subjectOf(instance),
    owner: instance.owner,
    clusterId: instance.cluster_id,
    kind,
    steps: planFrom(status, { drains, restores: instance.restore_id !== null }),
    at,
    deadlineMs,
    by,
    superseded: { key: 'superseded', params: { kind } },
  })
}

/** Moves the steps on to the status that was entered. */
export async function followStatus(trx: Trx, operation: OperationRow, status: ClusterStatus, at: Date): Promise<void> {
  const step = stepOf(status)
  if (step) await operations.advanceOperation(trx, operation, step, at)
}

/** The step that entering `status` begins; undefined where nothing is left to happen. */
function stepOf(status: ClusterStatus): OperationStepKey | undefined {
  return operationSteps.find((step) => step === status)
}

/** The steps from `status` on; `drains`: its agent is asked to finish first; `restores`: it is made for a backup. */
function planFrom(status: ClusterStatus, { drains = false, restores = false } = {}): readonly OperationStepKey[] {
  const all = restores ? restoring : making
  if (status === 'paid') return all
  const key = stepOf(status)
  if (!key) return drains ? ['draining'] : []
  const at = all.indexOf(key)
  const steps = at < 0 ? [key] : all.slice(at)
  return drains ? ['draining', ...steps] : steps
}
