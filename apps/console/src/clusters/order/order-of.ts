import type { OverdueBill, Resource, UnpaidOrder } from '@atoll/contract/clusters'

/** The unpaid order of the cluster itself; undefined without one, or if it is somebody else's. */
export function orderOf(cluster: Resource): UnpaidOrder | undefined {
  return orderOfInstance(cluster, cluster.instanceId)
}

/** The unpaid order of one instance of it. */
export function orderOfInstance({ orders }: Resource, instanceId: string): UnpaidOrder | undefined {
  return orders?.find(({ instanceIds }) => instanceIds.includes(instanceId))
}

/**
 * The bill that a stopped cluster has to be paid by to start again; undefined for any other, and for somebody else's.
 */
export function overdueOf({ status, overdue }: Resource): OverdueBill | undefined {
  return status === 'waiting_destroy' ? overdue : undefined
}
