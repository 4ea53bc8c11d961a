import { sql } from 'kysely'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import { copyCreditNote } from './document-copies.ts'
import type { CreditNoteRow } from './document-tables.ts'

/** A line of an invoice, and how much of its amount and its discount is given back. */
export interface CreditedLine {
  line: number
  amount_minor: number
  discount_minor: number
}

type NewCreditNote = Omit<CreditNoteRow, 'reason'> & Partial<Pick<CreditNoteRow, 'reason'>>

/** With a copy of what it shows. Throws, by a trigger, where more is given back of a line than it cost. */
export async function insertCreditNote(trx: Trx, note: NewCreditNote, lines: readonly CreditedLine[]): Promise<void> {
  await trx.insertInto('credit_notes').values(note).execute()
  const { id: credit_note_id, invoice_id, userid } = note
  await trx
    .insertInto('credit_note_items')
    .values(lines.map((line) => ({ ...line, credit_note_id, invoice_id, userid })))
    .execute()
  await copyCreditNote(trx, note)
}

/** The sum of an invoice's credits off the amount owed; minor units. */
export async function sumOffOwed(db: Db, invoiceId: string): Promise<number> {
  const { sum } = await db
    .selectFrom('credit_notes')
    .select(sql<number>`coalesce(sum(receivable_minor), 0)::bigint`.as('sum'))
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return sum
}

/** The sum of an invoice's credits, including those off the amount owed; minor units. */
export async function sumCredited(db: Db, invoiceId: string): Promise<number> {
  const { sum } = await db
    .selectFrom('credit_notes')
    .select(sql<number>`coalesce(sum(cash_minor + promo_minor + receivable_minor), 0)::bigint`.as('sum'))
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return sum
}
