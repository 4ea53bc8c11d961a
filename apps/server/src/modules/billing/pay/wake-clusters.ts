import type { Trx } from '../../../platform/db/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import type { SoldItem } from '../records/documents/subscription-store.ts'

/** Enqueues a reconcile of every cluster of these items. */
export async function wakeClustersOf(
  deps: OrderDeps,
  trx: Trx,
  items: readonly Pick<SoldItem, 'cluster_id'>[],
): Promise<void> {
  const clusters = new Set(items.flatMap(({ cluster_id }) => cluster_id ?? []))
  for (const clusterId of clusters) await deps.wakeCluster(trx, clusterId)
}
