import type { OverdueBill } from '@atoll/contract/clusters'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { dueMinor } from '../records/documents/invoice-due.ts'
import { dueKinds } from '../schedule/due-kinds.ts'

/** For a query over clusters: the bill that is past due longest of those they stand on; null where none is. */
export function overdueBillOf(clusterId: Expression<string>): RawBuilder<OverdueBill | null> {
  const iso = (time: string) => sql`to_char(${sql.ref(time)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql<OverdueBill | null>`(
    select json_build_object('invoiceId', invoice.id, 'amount', (
        select ${dueMinor} from invoices where invoices.id = invoice.id),
      'currency', invoice.currency, 'dueAt', ${iso('invoice.issued_at')},
      'stoppedAt', ${iso('dunning.past_due_at')}, 'destroyAt', ${iso('due.due_at')})
    from subscriptions as subscription
    join subscription_items as item on item.subscription_id = subscription.id and item.state = 'past_due'
    join invoice_items as line on line.item_id = item.id
    join invoices as invoice on invoice.id = line.invoice_id and invoice.state = 'open'
    join dunnings as dunning on dunning.invoice_id = invoice.id and dunning.past_due_at is not null
    join due_items as due on due.userid = invoice.userid and due.kind = ${dueKinds.graceOver} and due.object = invoice.id
    where subscription.cluster_id = ${clusterId} and subscription.state = 'past_due'
    order by dunning.past_due_at, invoice.number
    limit 1)`
}
