import type { Currency } from '@atoll/money'
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

/** An order that waits to be paid, as JSON holds it. */
export interface UnpaidOrder {
  invoiceId: string
  subscriptionId: string
  instanceIds: string[]
  amount: number
  currency: Currency
  /** ISO time. */
  validUntil: string
}

/** For a query over clusters: their orders that wait to be paid, oldest first; null where none does. */
export function unpaidOrdersOf(clusterId: Expression<string>): RawBuilder<UnpaidOrder[] | null> {
  return sql<UnpaidOrder[] | null>`(
    select json_agg(waiting order by waiting.number) from (
      select invoice.number, invoice.id as "invoiceId", item.subscription_id as "subscriptionId",
        json_agg(item.instance_id order by line.line) as "instanceIds", invoice.total_minor as amount, invoice.currency,
        to_char(invoice.valid_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "validUntil"
      from subscriptions as subscription
      join subscription_items as item on item.subscription_id = subscription.id and item.state = 'unpaid'
      join invoice_items as line on line.item_id = item.id
      join invoices as invoice on invoice.id = line.invoice_id and invoice.state = 'open'
      where subscription.cluster_id = ${clusterId}
      group by invoice.id, item.subscription_id) as waiting)`
}

/** The open invoice by which an instance was ordered; undefined for one that waits for no payment. */
export async function findUnpaidInvoice(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscription_items')
    .innerJoin('invoice_items', 'invoice_items.item_id', 'subscription_items.id')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .select('invoices.id')
    .where('subscription_items.instance_id', '=', instanceId)
    .where('subscription_items.state', '=', 'unpaid')
    .where('invoices.state', '=', 'open')
    .executeTakeFirst()
  return row?.id
}

/** The newest invoice by which an instance was ordered; undefined for one that cost nothing. */
export async function findOrderInvoice(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('subscription_items')
    .innerJoin('invoice_items', 'invoice_items.item_id', 'subscription_items.id')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .select('invoices.id')
    .where('subscription_items.instance_id', '=', instanceId)
    .where('invoices.kind', '=', 'order')
    .orderBy('invoices.issued_at', 'desc')
    .orderBy('invoices.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Whether the owner took back the last order of an instance; false if it lapsed automatically. */
export async function wasCanceled(db: Db, instanceId: string): Promise<boolean> {
  const last = await db
    .selectFrom('subscription_items')
    .innerJoin('invoice_items', 'invoice_items.item_id', 'subscription_items.id')
    .innerJoin('payments', 'payments.invoice_id', 'invoice_items.invoice_id')
    .select('canceling_for')
    .where('subscription_items.instance_id', '=', instanceId)
    .orderBy('payments.created_at', 'desc')
    .orderBy('payments.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.canceling_for === 'cancel'
}

/** The cluster of an account's subscription, null for its plan; undefined for a subscription of another account. */
export async function findSubscribed(
  db: Db,
  userid: string,
  subscriptionId: string,
): Promise<{ clusterId: string | null } | undefined> {
  return await db
    .selectFrom('subscriptions')
    .select('cluster_id as clusterId')
    .where('id', '=', subscriptionId)
    .where('userid', '=', userid)
    .executeTakeFirst()
}
