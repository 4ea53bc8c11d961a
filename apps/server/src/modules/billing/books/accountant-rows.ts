/** Rows for an accountant: invoices, credit notes and payments of all accounts in a span, oldest first. */
import type { Currency } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import '../records/documents/document-tables.ts'

export interface Span {
  currency: Currency
  from: Date
  to: Date
}

export function invoicesIn(db: Db, { currency, from, to }: Span) {
  return db
    .selectFrom('invoices')
    .select(['id', 'userid', 'number', 'kind', 'state', 'currency', 'issued_at', 'gross_minor', 'discount_minor'])
    .select(['total_minor', 'closed_at'])
    .where('currency', '=', currency)
    .where('issued_at', '>=', from)
    .where('issued_at', '<', to)
    .orderBy('issued_at')
    .orderBy('id')
}

export function creditNotesIn(db: Db, { currency, from, to }: Span) {
  return db
    .selectFrom('credit_notes')
    .innerJoin('invoices', 'invoices.id', 'credit_notes.invoice_id')
    .select(['credit_notes.id', 'credit_notes.userid', 'invoices.number', 'credit_notes.currency'])
    .select(['credit_notes.issued_at', 'cash_minor', 'promo_minor', 'receivable_minor', 'cause', 'reason'])
    .where('credit_notes.currency', '=', currency)
    .where('credit_notes.issued_at', '>=', from)
    .where('credit_notes.issued_at', '<', to)
    .orderBy('credit_notes.issued_at')
    .orderBy('credit_notes.id')
}

export function paymentsIn(db: Db, { currency, from, to }: Span) {
  return db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .select(['payments.id', 'payments.userid', 'invoices.number', 'payments.state', 'payments.currency'])
    .select(['payments.created_at', 'payments.ended_at', 'promo_minor', 'balance_minor', 'rolled_minor', 'card_minor'])
    .select(['payments.gateway', 'payments.gateway_ref', 'payments.decline_code'])
    .where('payments.currency', '=', currency)
    .where('payments.created_at', '>=', from)
    .where('payments.created_at', '<', to)
    .orderBy('payments.created_at')
    .orderBy('payments.id')
}
