import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { getPrices, type PriceTerms } from '../../catalog/index.ts'
import type { InvoiceItemRow } from '../documents/document-tables.ts'
import type { SubscriptionState } from '../documents/states.ts'

/** A line of an invoice with what it was charged for, by the names that its cluster and instance have now. */
export type ChargedLine = InvoiceItemRow & {
  subscription_id: string
  cluster_id: string | null
  cluster_name: string | null
  item_state: SubscriptionState
  instance: { id: string; role: 'master' | 'worker'; ordinal: number } | null
  terms: PriceTerms
}

/** The lines of an account's invoices, by invoice and in their order. */
export async function listChargedLines(
  db: Db,
  userid: string,
  invoiceIds: readonly string[],
): Promise<Map<string, ChargedLine[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('invoice_items as line')
    .innerJoin('subscription_items as item', 'item.id', 'line.item_id')
    .innerJoin('subscriptions as subscription', 'subscription.id', 'item.subscription_id')
    .leftJoin('clusters as cluster', 'cluster.id', 'subscription.cluster_id')
    .leftJoin('instances as instance', 'instance.id', 'item.instance_id')
    .selectAll('line')
    .select(['subscription.id as subscription_id', 'item.state as item_state'])
    .select(['subscription.cluster_id', 'cluster.name as cluster_name'])
    .select(['instance.id as instance_id', 'instance.role', 'instance.ordinal'])
    .where('line.userid', '=', userid)
    .where('line.invoice_id', 'in', invoiceIds)
    .orderBy('line.invoice_id')
    .orderBy(sql.ref('line.line'))
    .execute()
  const prices = await getPrices(db, rows)
  const lines = rows.flatMap(({ instance_id: id, role, ordinal, ...row }): ChargedLine[] => {
    const terms = prices.get(row.price_id)
    const instance = id === null || role === null || ordinal === null ? null : { id, role, ordinal }
    return terms ? [{ ...row, terms, instance }] : []
  })
  return Map.groupBy(lines, ({ invoice_id }) => invoice_id)
}
