import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { getPrices, type PriceTerms } from '../../catalog/index.ts'
import type { SubscriptionItemRow, SubscriptionRow } from '../records/documents/document-tables.ts'
import type { SubscriptionState } from '../records/documents/states.ts'
import { spanOf, type TimeSpan } from './read-time.ts'

export type NamedSubscription = SubscriptionRow & { cluster_name: string | null }
/** An item with what it was sold as, and the instance that it is for. */
export type SoldItem = SubscriptionItemRow & {
  terms: PriceTerms
  instance: { id: string; role: 'master' | 'worker'; ordinal: number } | null
}

/** The account's subscriptions, the newest first. */
export function subscriptionsOf(
  db: Db,
  userid: string,
  { status, ...span }: TimeSpan & { status?: SubscriptionState | undefined },
) {
  const { from, to } = spanOf(span)
  let query = db
    .selectFrom('subscriptions as subscription')
    .leftJoin('owned_clusters as cluster', 'cluster.id', 'subscription.cluster_id')
    .selectAll('subscription')
    .select('cluster.name as cluster_name')
    .where('subscription.userid', '=', userid)
    .orderBy('subscription.created_at', 'desc')
    .orderBy('subscription.id', 'desc')
  if (status !== undefined) query = query.where('subscription.state', '=', status)
  if (from !== undefined) query = query.where('subscription.created_at', '>=', from)
  if (to !== undefined) query = query.where('subscription.created_at', '<', to)
  return query
}

/** Refuses another's as one that there is none of. */
export async function getOwnSubscription(db: Db, userid: string, id: string): Promise<NamedSubscription> {
  const row = await subscriptionsOf(db, userid, {}).where('subscription.id', '=', id).executeTakeFirst()
  return row ?? refuse('notFound', { object: 'subscription' })
}

/** Items of subscriptions, by subscription, the first first. */
export async function listSoldItems(db: Db, subscriptionIds: readonly string[]): Promise<Map<string, SoldItem[]>> {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('subscription_items as item')
    .leftJoin('owned_instances as instance', 'instance.id', 'item.instance_id')
    .selectAll('item')
    .select(['instance.role', 'instance.ordinal'])
    .where('item.subscription_id', 'in', subscriptionIds)
    .orderBy('item.created_at')
    .orderBy('instance.ordinal')
    .orderBy('item.id')
    .execute()
  const prices = await getPrices(db, rows)
  const items = rows.flatMap(({ role, ordinal, ...row }): SoldItem[] => {
    const terms = prices.get(row.price_id)
    const instance =
      row.instance_id === null || role === null || ordinal === null ? null : { id: row.instance_id, role, ordinal }
    return terms ? [{ ...row, terms, instance }] : []
  })
  return Map.groupBy(items, ({ subscription_id }) => subscription_id)
}

/** The open invoice of each subscription that waits for one. */
export async function listOpenInvoices(
  db: Db,
  subscriptionIds: readonly string[],
): Promise<Map<string, { id: string; valid_until: Date | null }>> {
  if (subscriptionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('invoices as invoice')
    .innerJoin('invoice_items as line', 'line.invoice_id', 'invoice.id')
    .innerJoin('subscription_items as item', 'item.id', 'line.item_id')
    .select(['item.subscription_id', 'invoice.id', 'invoice.valid_until'])
    .distinct()
    .where('item.subscription_id', 'in', subscriptionIds)
    .where('invoice.state', 'in', ['open', 'uncollectible'])
    .orderBy('invoice.id')
    .execute()
  return new Map(rows.map(({ subscription_id, ...invoice }) => [subscription_id, invoice]))
}

/** The invoices with a line of the subscription, the newest first, each with what that part of it costs. */
export async function listInvoicesOf(db: Db, subscriptionId: string, most: number) {
  return await db
    .selectFrom('invoices as invoice')
    .innerJoin('invoice_items as line', 'line.invoice_id', 'invoice.id')
    .innerJoin('subscription_items as item', 'item.id', 'line.item_id')
    .selectAll('invoice')
    .select((from) => from.fn.sum<string>(from('line.amount_minor', '-', from.ref('line.discount_minor'))).as('part'))
    .where('item.subscription_id', '=', subscriptionId)
    .groupBy('invoice.id')
    .orderBy('invoice.issued_at', 'desc')
    .orderBy('invoice.number', 'desc')
    .limit(most)
    .execute()
}
