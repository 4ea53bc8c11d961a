/** Which steps an operation on an instance is planned with. Pure. Most steps are statuses that the instance passes. */
import type { ClusterStatus, OperationStepKey } from '@atoll/contract/clusters'
import { operationSteps } from '@atoll/contract/clusters'

const making: readonly OperationStepKey[] = ['fetching', 'queuing', 'pending', 'installing']

const restoring: readonly OperationStepKey[] = ['fetching', 'queuing', 'pending', 'restoring']

/** The step that entering `status` begins; undefined where nothing is left to happen. */
export function stepOf(status: ClusterStatus): OperationStepKey | undefined {
  return operationSteps.find((step) => step === status)
}

/** The steps from `status` on; `drains`: its agent is asked to finish first; `restores`: it is made for a backup. */
export function planFrom(
  status: ClusterStatus,
  { drains = false, restores = false } = {},
): readonly OperationStepKey[] {
  const all = restores ? restoring : making
  if (status === 'paid') return all
  const key = stepOf(status)
  if (!key) return drains ? ['draining'] : []
  const at = all.indexOf(key)
  const steps = at < 0 ? [key] : all.slice(at)
  return drains ? ['draining', ...steps] : steps
}
