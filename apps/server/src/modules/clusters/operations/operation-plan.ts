/** Which steps an operation on an instance is planned with. Pure. Most steps are statuses that the instance passes. */
import type { ClusterStatus, OperationStepKey } from '@atoll/contract/clusters'
import { operationSteps } from '@atoll/contract/clusters'

const making: readonly OperationStepKey[] = ['fetching', 'queuing', 'pending', 'installing']

/** The step that entering `status` begins; undefined where nothing is left to happen. */
export function stepOf(status: ClusterStatus): OperationStepKey | undefined {
  return operationSteps.find((step) => step === status)
}

/** The steps from `status` on; `drains`: its agent is asked to finish first. */
export function planFrom(status: ClusterStatus, { drains = false } = {}): readonly OperationStepKey[] {
  if (status === 'paid') return making
  const key = stepOf(status)
  if (!key) return drains ? ['draining'] : []
  const at = making.indexOf(key)
  const steps = at < 0 ? [key] : making.slice(at)
  return drains ? ['draining', ...steps] : steps
}
