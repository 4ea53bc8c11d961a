import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { DisputeState } from '../../payments/index.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import type { PaymentState } from '../records/documents/states.ts'
import { spanOf, type TimeSpan } from './read-time.ts'

/** A payment with the card that it is charged to, as it was when it began, and the newest dispute of it. */
export type CardPayment = PaymentRow & {
  brand: string | null
  last4: string | null
  dispute: { state: DisputeState; minor: number } | null
}

/** Left out: what waited for a card, and gave way to a try with one. */
function shown(db: Db, userid: string) {
  return db
    .selectFrom('payments as payment')
    .leftJoin('document_copies as copy', 'copy.document_id', 'payment.id')
    .selectAll('payment')
    .select([
      sql<string | null>`copy.content -> 'card' ->> 'brand'`.as('brand'),
      sql<string | null>`copy.content -> 'card' ->> 'last4'`.as('last4'),
      sql<CardPayment['dispute']>`(select json_build_object('state', disputes.state, 'minor', disputes.amount_minor)
        from disputes where payment_id = payment.id order by opened_at desc, disputes.id limit 1)`.as('dispute'),
    ])
    .where('payment.userid', '=', userid)
    .where((has) =>
      has.or([
        has('payment.state', '<>', 'canceled'),
        has('payment.method_id', 'is not', null),
        has('payment.card_minor', '=', 0),
      ]),
    )
}

export interface PaymentFilter extends TimeSpan {
  kind?: 'Balance' | 'card' | undefined
  status?: PaymentState | undefined
}

/** The account's payments, the newest first, each with the number of its try. */
export function paymentsOf(db: Db, userid: string, { kind, status, ...span }: PaymentFilter) {
  const { from, to } = spanOf(span)
  let query = shown(db, userid)
    .innerJoin('invoices as invoice', 'invoice.id', 'payment.invoice_id')
    .select(['invoice.number', 'invoice.kind as invoice_kind'])
    .orderBy('payment.created_at', 'desc')
    .orderBy('payment.id', 'desc')
  if (kind !== undefined) query = query.where('payment.card_minor', kind === 'card' ? '>' : '=', 0)
  if (status !== undefined) query = query.where('payment.state', '=', status)
  if (from !== undefined) query = query.where('payment.created_at', '>=', from)
  if (to !== undefined) query = query.where('payment.created_at', '<', to)
  return query
}

/** Every try to pay these invoices, by invoice, the first first. */
export async function listTries(
  db: Db,
  userid: string,
  invoiceIds: readonly string[],
): Promise<Map<string, CardPayment[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await shown(db, userid)
    .where('payment.invoice_id', 'in', [...new Set(invoiceIds)])
    .orderBy('payment.created_at')
    .orderBy('payment.id')
    .execute()
  return Map.groupBy(rows, ({ invoice_id }) => invoice_id)
}
