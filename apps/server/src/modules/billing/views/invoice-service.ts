import type { invoicesDetail, invoicesPage } from '@atoll/contract/billing'
import type { CallBody, CallData, Locale } from '@atoll/contract/wire'
import type { Db } from '../../../platform/db/index.ts'
import { readPage } from '../../../platform/paging/index.ts'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { creditJson } from './credit-json.ts'
import { invoiceActions, invoiceJson, itemJson, type ReadInvoice } from './invoice-json.ts'
import { listChargedLines } from './lines/charged-lines.ts'
import { readMonthsAhead } from './lines/months-ahead.ts'
import { attemptJson } from './payment-json.ts'
import type { ReadDeps } from './read-deps.ts'
import { getOwnInvoice, invoicesOf, listCredits, sumToPay } from './read-invoices.ts'
import { listTries } from './read-payments.ts'

/** Invoices of one account with all that is shown of them. */
export async function readInvoices(db: Db, userid: string, invoices: readonly InvoiceRow[]): Promise<ReadInvoice[]> {
  const ids = invoices.map(({ id }) => id)
  const [lines, tries] = await Promise.all([listChargedLines(db, userid, ids), listTries(db, userid, ids)])
  return invoices.map((invoice) => ({
    invoice,
    lines: lines.get(invoice.id) ?? [],
    tries: tries.get(invoice.id) ?? [],
  }))
}

export async function pageInvoices(
  { db, accounts }: ReadDeps,
  userid: string,
  { page, rowsPerPage, ...filter }: CallBody<typeof invoicesPage>,
  locale: Locale,
): Promise<CallData<typeof invoicesPage>> {
  const [{ rows, figures }, toPay, { currency }] = await Promise.all([
    readPage(invoicesOf(db, userid, filter), { page, rowsPerPage }),
    sumToPay(db, userid),
    accounts.getLimits(db, userid),
  ])
  const read = await readInvoices(db, userid, rows)
  return { invoices: read.map((one) => invoiceJson(one, locale)), toPay: { ...toPay, currency }, ...figures }
}

/** One invoice of the account; refuses any other as one that there is none of. */
export async function getReadInvoice(db: Db, userid: string, invoiceId: string): Promise<ReadInvoice> {
  const invoice = await getOwnInvoice(db, userid, invoiceId)
  const [read] = await readInvoices(db, userid, [invoice])
  return read ?? { invoice, lines: [], tries: [] }
}

export async function showInvoice(
  { db }: ReadDeps,
  userid: string,
  invoiceId: string,
  locale: Locale,
): Promise<CallData<typeof invoicesDetail>> {
  const read = await getReadInvoice(db, userid, invoiceId)
  const { invoice, lines, tries } = read
  const [credits, ahead] = await Promise.all([listCredits(db, invoice.id), readMonthsAhead(db, invoice, lines)])
  return {
    ...invoiceJson(read, locale),
    items: lines.map((line) => ({ line: line.line, ...itemJson(line, invoice.currency, locale) })),
    gross: invoice.gross_minor,
    discount: invoice.discount_minor,
    ...(invoice.coupon !== null && { coupon: invoice.coupon }),
    ...(invoice.closed_at && { closeAt: invoice.closed_at.toISOString() }),
    payments: tries.map((payment) => attemptJson(payment, locale)),
    creditNotes: credits.map((note) => creditJson(note, lines, locale)),
    ...(ahead.length > 0 && { ahead }),
    actions: invoiceActions(read),
  }
}
