import { sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db } from '../../../platform/db/index.ts'
import '../records/documents/document-tables.ts'

/** The bank's word where the newest card payment for a cluster was declined and its bill is open. */
export async function findDecline(db: Db, clusterId: string): Promise<string | null> {
  const { rows } = await sql<{ state: string; decline_code: string | null }>`
    select payments.state, payments.decline_code from payments join invoices on invoices.id = payments.invoice_id
    where invoices.state = 'open' and payments.method_id is not null and invoices.id in (
      select line.invoice_id from subscriptions
        join subscription_items item on item.subscription_id = subscriptions.id
        join invoice_items line on line.item_id = item.id
        where subscriptions.cluster_id = ${clusterId})
    order by payments.created_at desc limit 1`.execute(db)
  return rows[0]?.state === 'declined' ? rows[0].decline_code : null
}

const dayMs = 24 * 60 * 60_000
/** More than so many, and more than this share of all, of a day. */
const mostFailed = 5
const largestShare = 0.2

/** Card payments of a day that failed, where that is more than usual; what they were declined for most often. */
export async function findFailedPayments(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<{ ended: number; failed: number; since: Date | null; said: string | null }>`
    select count(*)::int as ended, count(*) filter (where state = 'declined')::int as failed,
      min(ended_at) filter (where state = 'declined') as since,
      mode() within group (order by decline_code) filter (where state = 'declined') as said
    from payments
    where method_id is not null and state in ('succeeded', 'declined')
      and ended_at > ${new Date(now.getTime() - dayMs)}`.execute(db)
  const { ended = 0, failed = 0, since = null, said = null } = rows[0] ?? {}
  if (since === null || failed <= mostFailed || failed <= ended * largestShare) return []
  return [{ severity: 'warning', since, facts: { count: failed, ended, said: said ?? '–' } }]
}
