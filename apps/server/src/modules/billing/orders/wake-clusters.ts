import type { Trx } from '../../../platform/db/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import type { SubscriptionItemRow } from '../documents/document-tables.ts'

/** Has every cluster of these items looked at again. */
export async function wakeClustersOf(
  deps: OrderDeps,
  trx: Trx,
  items: readonly Pick<SubscriptionItemRow, 'subscription_id'>[],
): Promise<void> {
  const ids = [...new Set(items.map((item) => item.subscription_id))]
  if (ids.length === 0) return
  const subscriptions = await trx.selectFrom('subscriptions').select('cluster_id').where('id', 'in', ids).execute()
  for (const { cluster_id } of subscriptions) if (cluster_id !== null) await deps.wakeCluster(trx, cluster_id)
}
