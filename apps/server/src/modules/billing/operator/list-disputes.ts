import type { Db } from '../../../platform/db/index.ts'
import { nameOf } from '../../accounts/index.ts'
import type { DisputeRow } from '../records/dispute-store.ts'

/** A dispute as the operator sees it. */
export type ListedDispute = DisputeRow & { name: string | null; number: string | null }

/** Disputes: undecided ones first, by their deadline, then the most recently ended; 500 at most. */
export async function listDisputes(db: Db): Promise<ListedDispute[]> {
  return await db
    .selectFrom('disputes')
    .leftJoin('payments', 'payments.id', 'disputes.payment_id')
    .leftJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .leftJoin('adopted_captures', 'adopted_captures.id', 'disputes.capture_id')
    .selectAll('disputes')
    .select((from) => [
      nameOf(from.ref('disputes.userid')).as('name'),
      from.fn.coalesce('invoices.number', 'adopted_captures.number').as('number'),
    ])
    .orderBy('disputes.ended_at', (order) => order.desc().nullsFirst())
    .orderBy('disputes.due_by', (order) => order.asc().nullsLast())
    .orderBy('disputes.id')
    .limit(500)
    .execute()
}

/** For the metric: how many are not decided, what is withdrawn for them, and when the first deadline is. */
export async function countDisputes(db: Db): Promise<{ open: number; inquiries: number; firstDueBy: Date | null }> {
  const rows = await db
    .selectFrom('disputes')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('due_by').as('dueBy')])
    .where('state', 'in', ['open', 'inquiry'])
    .groupBy('state')
    .execute()
  const of = (state: string) => rows.find((row) => row.state === state)
  const times = rows.flatMap(({ dueBy }) => (dueBy ? [dueBy.getTime()] : []))
  return {
    open: of('open')?.count ?? 0,
    inquiries: of('inquiry')?.count ?? 0,
    firstDueBy: times.length === 0 ? null : new Date(Math.min(...times)),
  }
}

/** Those of one account, the newest first. */
export async function listOwnDisputes(db: Db, userid: string): Promise<DisputeRow[]> {
  const own = db.selectFrom('disputes').selectAll().where('userid', '=', userid)
  return await own.orderBy('opened_at', 'desc').limit(20).execute()
}
