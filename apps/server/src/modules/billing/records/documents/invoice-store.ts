import { sql } from 'kysely'
import { derivedId } from '../../../../platform/crypto.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { copyInvoice } from './document-copies.ts'
import type { InvoiceItemRow, InvoiceRow } from './document-tables.ts'
import { takeInvoiceNumber } from './invoice-number.ts'
import { type InvoiceEvent, invoiceTransitions, requireState } from './states.ts'

export type NewInvoice = Omit<InvoiceRow, 'number' | 'state' | 'payment_id' | 'closed_at' | 'lost_minor' | 'reopened'>
export type NewInvoiceItem = Omit<InvoiceItemRow, 'invoice_id' | 'line' | 'userid' | 'part'> & { part?: number }

/**
 * Issues an invoice with its items and a copy of what it shows, `open` and numbered. The caller holds the account's
 * lock.
 */
export async function insertInvoice(
  trx: Trx,
  invoice: NewInvoice,
  items: readonly NewInvoiceItem[],
): Promise<InvoiceRow> {
  const number = await takeInvoiceNumber(trx, invoice.userid)
  const { id: invoice_id, userid } = invoice
  const lines = items.map((item, index) => ({ ...item, invoice_id, userid, line: index + 1 }))
  const issued = await trx
    .with('lines', (cte) => cte.insertInto('invoice_items').values(lines))
    .insertInto('invoices')
    .values({ ...invoice, number, state: 'open', payment_id: null, closed_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  await copyInvoice(trx, issued)
  return issued
}

/**
 * The id of a bill for due items: derived from the items, and its number among their bills. So if a copy of this
 * database writes the same bill again, it has the same id, and is not charged twice.
 */
export async function nextInvoiceId(trx: Trx, ...due: readonly string[]): Promise<string> {
  for (let number = 1; ; number += 1) {
    const id = derivedId('inv', ...due, String(number))
    if (!(await trx.selectFrom('invoices').select('id').where('id', '=', id).executeTakeFirst())) return id
  }
}

/** An account's invoice, as it is under the account's lock. */
export async function getInvoice(db: Db, userid: string, id: string): Promise<InvoiceRow> {
  return await db
    .selectFrom('invoices')
    .selectAll()
    .where('id', '=', id)
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow()
}

/**
 * An account's invoice as it can be paid: of an order that was paid late, the one that took the place of `id`.
 * Undefined for nobody's and another's.
 */
export async function findPayableInvoice(db: Db, userid: string, id: string): Promise<InvoiceRow | undefined> {
  const own = db.selectFrom('invoices').selectAll().where('userid', '=', userid)
  const invoice = await own.where('id', '=', id).executeTakeFirst()
  if (invoice?.state !== 'void') return invoice
  const items = db.selectFrom('invoice_items').select('item_id').where('invoice_id', '=', id)
  const later = db.selectFrom('invoice_items').select('invoice_id').where('item_id', 'in', items)
  const successor = await own
    .where('kind', '=', invoice.kind)
    .where('id', 'in', later)
    .where('issued_at', '>', invoice.issued_at)
    .where('state', '<>', 'void')
    .orderBy('issued_at')
    .limit(1)
    .executeTakeFirst()
  return successor ?? invoice
}

/** Whether no bill of the account is open, and no payment under way. */
export async function owesNothing(db: Db, userid: string): Promise<boolean> {
  const open = db.selectFrom('invoices').select('id').where('userid', '=', userid).where('state', '=', 'open')
  const underWay = db.selectFrom('payments').select('id').where('userid', '=', userid).where('ended_at', 'is', null)
  return (await open.unionAll(underWay).limit(1).executeTakeFirst()) === undefined
}

/** Until when an order can be paid; null for what has no end, and for one that a dispute opened again. */
export function endOf({ valid_until, reopened }: Pick<InvoiceRow, 'valid_until' | 'reopened'>): Date | null {
  return reopened > 0 ? null : valid_until
}

export async function listInvoiceItems(db: Db, invoiceId: string): Promise<InvoiceItemRow[]> {
  return await db.selectFrom('invoice_items').selectAll().where('invoice_id', '=', invoiceId).orderBy('line').execute()
}

/** A bank took `lost` back for good of what had paid it, minor units, or put it back where that is less than zero. */
export async function addLost(trx: Trx, { id, state }: Pick<InvoiceRow, 'id' | 'state'>, lost: number): Promise<void> {
  const opens = lost > 0 && state === 'paid'
  const opened = { state: requireState(invoiceTransitions, 'paid', 'lost'), payment_id: null, closed_at: null }
  await trx
    .updateTable('invoices')
    .set({ lost_minor: sql<number>`lost_minor + ${lost}` })
    .$if(opens, (update) => update.set({ ...opened, reopened: sql<number>`reopened + 1` }))
    .where('id', '=', id)
    .execute()
}

/** Closes an invoice; `by` is the payment that paid it. Throws where its state does not accept the event. */
export async function closeInvoice(
  trx: Trx,
  { id, state }: Pick<InvoiceRow, 'id' | 'state'>,
  event: InvoiceEvent,
  { at, by = null }: { at: Date; by?: string | null },
): Promise<void> {
  const next = requireState(invoiceTransitions, state, event)
  await trx.updateTable('invoices').set({ state: next, payment_id: by, closed_at: at }).where('id', '=', id).execute()
}
