import type { Trx } from '../../../platform/db/index.ts'
import type { CreditNoteRow } from './document-tables.ts'

/** A line of an invoice, and how much of its amount and its discount is given back. */
export interface CreditedLine {
  line: number
  amount_minor: number
  discount_minor: number
}

/** Throws, by a constraint, for a line that was given back before. */
export async function insertCreditNote(trx: Trx, note: CreditNoteRow, lines: readonly CreditedLine[]): Promise<void> {
  await trx.insertInto('credit_notes').values(note).execute()
  const { id: credit_note_id, invoice_id, userid } = note
  await trx
    .insertInto('credit_note_items')
    .values(lines.map((line) => ({ ...line, credit_note_id, invoice_id, userid })))
    .execute()
}
