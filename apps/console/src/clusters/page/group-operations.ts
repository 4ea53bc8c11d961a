import type { Operation } from '@atoll/contract/clusters'

/**
 * Operations as they are shown, a card each: the same done to several workers stands together, where the first stands.
 */
export function groupOperations(operations: readonly Operation[], masterId: string | null): Operation[][] {
  const groups: Operation[][] = []
  for (const operation of operations) {
    const isWorkers = operation.instanceId !== null && operation.instanceId !== masterId
    const group = groups.find(
      ([first]) => isWorkers && first?.kind === operation.kind && first.instanceId && first.instanceId !== masterId,
    )
    if (group) group.push(operation)
    else groups.push([operation])
  }
  return groups
}
