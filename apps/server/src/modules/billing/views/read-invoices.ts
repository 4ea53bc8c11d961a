import type { InvoiceFilter } from '@atoll/contract/billing'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { CreditNoteRow, InvoiceItemRow, InvoiceKind, InvoiceRow } from '../records/documents/document-tables.ts'
import { dueMinor } from '../records/documents/invoice-due.ts'
import { spanOf } from './read-time.ts'

const kindsOf = {
  order: ['order'],
  plan: ['plan'],
  renewal: ['renewal'],
  usage: ['usage'],
  prepayment: ['order', 'plan', 'renewal'],
  postpayment: ['usage'],
} as const satisfies Record<NonNullable<InvoiceFilter['kind']>, readonly InvoiceKind[]>

function matching(db: Db, userid: string, { kind, status, ...span }: InvoiceFilter) {
  const { from, to } = spanOf(span)
  let query = db.selectFrom('invoices').where('userid', '=', userid)
  if (kind !== undefined) query = query.where('kind', 'in', kindsOf[kind])
  if (status !== undefined) query = query.where('state', '=', status)
  if (from !== undefined) query = query.where('issued_at', '>=', from)
  if (to !== undefined) query = query.where('issued_at', '<', to)
  return query
}

/** The account's invoices that `filter` matches, the newest first. */
export function invoicesOf(db: Db, userid: string, filter: InvoiceFilter) {
  return matching(db, userid, filter).selectAll().orderBy('issued_at', 'desc').orderBy('number', 'desc')
}

/** Those of them that come after `last` in that order. */
export function olderThan(
  query: ReturnType<typeof invoicesOf>,
  { createAt, number }: { createAt: string; number: string },
): ReturnType<typeof invoicesOf> {
  return query.where((row) => row(row.refTuple('issued_at', 'number'), '<', row.tuple(new Date(createAt), number)))
}

export async function countInvoices(db: Db, userid: string, filter: InvoiceFilter): Promise<number> {
  const { count } = await matching(db, userid, filter)
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Refuses another's as one that there is none of. */
export async function getOwnInvoice(db: Db, userid: string, id: string): Promise<InvoiceRow> {
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .where('userid', '=', userid)
    .executeTakeFirst()
  return row ?? refuse('notFound', { object: 'invoice' })
}

/** The number of the account's unpaid invoices and their amount due, less credits. */
export async function sumToPay(db: Db, userid: string): Promise<{ count: number; amount: number }> {
  const { count, amount } = await db
    .selectFrom('invoices')
    .select((from) => [from.fn.countAll<number>().as('count'), from.fn.sum<string | null>(dueMinor).as('amount')])
    .where('userid', '=', userid)
    .where('state', 'in', ['open', 'uncollectible'])
    .executeTakeFirstOrThrow()
  return { count, amount: Number(amount ?? 0) }
}

export interface ReadCredit extends CreditNoteRow {
  lines: Pick<InvoiceItemRow, 'line' | 'amount_minor' | 'discount_minor'>[]
}

/** The credit notes of an invoice, oldest first. */
export async function listCredits(db: Db, invoiceId: string): Promise<ReadCredit[]> {
  const [notes, items] = await Promise.all([
    db
      .selectFrom('credit_notes')
      .selectAll()
      .where('invoice_id', '=', invoiceId)
      .orderBy('issued_at')
      .orderBy('id')
      .execute(),
    db.selectFrom('credit_note_items').selectAll().where('invoice_id', '=', invoiceId).orderBy('line').execute(),
  ])
  return notes.map((note) => ({ ...note, lines: items.filter((item) => item.credit_note_id === note.id) }))
}
