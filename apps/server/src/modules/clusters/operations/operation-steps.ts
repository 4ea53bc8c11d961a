/**
 * The steps of an operation as they are kept with it: planned when it begins, moved on with every change of status. Pure.
 * A step that was not planned is added where it happens, so that the list is always what really took place.
 */
import type { ClusterStatus, OperationStepKey, Reason } from '@atoll/contract'
import { operationSteps } from '@atoll/contract'
import type { StoredStep } from '../tables.ts'

const making: readonly OperationStepKey[] = ['fetching', 'queuing', 'pending', 'installing']

/** The steps from `status` on; empty where nothing is left to happen. */
function planFrom(status: ClusterStatus): readonly OperationStepKey[] {
  const key = operationSteps.find((step) => step === status)
  if (!key) return []
  const at = making.indexOf(key)
  return at < 0 ? [key] : making.slice(at)
}

/** The steps of an operation that begins `at` by entering `status`; `drains`: its agent is asked to finish first. */
export function beginSteps(status: ClusterStatus, at: Date, { drains = false } = {}): StoredStep[] {
  const keys = drains ? (['draining', ...planFrom(status)] as const) : planFrom(status)
  const planned = keys.map(
    (step): StoredStep => ({ step, state: 'pending', startedAt: null, endedAt: null, detail: null }),
  )
  const [first] = keys
  return first ? enterStep(planned, first, at) : planned
}

/** `step` begins `at`, and what ran until then is done. Repeating it changes nothing. */
export function enterStep(
  steps: readonly StoredStep[],
  step: OperationStepKey,
  at: Date,
  detail: Reason | null = null,
): StoredStep[] {
  if (steps.some((entry) => entry.step === step && entry.state === 'running')) return [...steps]
  const time = at.toISOString()
  const closed = steps.map(
    (entry): StoredStep => (entry.state === 'running' ? { ...entry, state: 'done', endedAt: time, detail } : entry),
  )
  const begun: StoredStep = { step, state: 'running', startedAt: time, endedAt: null, detail: null }
  const planned = closed.findIndex((entry) => entry.step === step && entry.state === 'pending')
  return planned < 0 ? [...closed, begun] : closed.with(planned, begun)
}

/** `status` was entered: the next step, if it is one. */
export function followStatus(steps: readonly StoredStep[], status: ClusterStatus, at: Date): StoredStep[] {
  const key = operationSteps.find((step) => step === status)
  return key ? enterStep(steps, key, at) : [...steps]
}

/** The operation ends `at`: what ran ends like it, and what was still to come is left out. */
export function endSteps(
  steps: readonly StoredStep[],
  state: 'done' | 'failed' | 'canceled',
  at: Date,
  detail: Reason | null,
): StoredStep[] {
  return steps
    .filter((entry) => entry.state !== 'pending')
    .map((entry) => (entry.state === 'running' ? { ...entry, state, endedAt: at.toISOString(), detail } : entry))
}
