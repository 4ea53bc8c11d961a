import type { PaymentRow, paymentDetail, paymentPage } from '@atoll/contract/billing'
import type { CallBody, CallData, Locale } from '@atoll/contract/wire'
import { readPage } from '../../../platform/paging/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { InvoiceKind } from '../records/documents/document-tables.ts'
import { endOf } from '../records/documents/invoice-store.ts'
import { invoiceActions, type ReadInvoice } from './invoice-json.ts'
import { getReadInvoice } from './invoice-service.ts'
import { listChargedLines } from './lines/charged-lines.ts'
import { summaryOf } from './lines/line-names.ts'
import { attemptJson, splitJson } from './payment-json.ts'
import type { ReadDeps } from './read-deps.ts'
import { type CardPayment, listTries, paymentsOf } from './read-payments.ts'

type ListedPayment = CardPayment & { number: string; invoice_kind: InvoiceKind }

export async function pagePayments(
  { db }: ReadDeps,
  userid: string,
  { page, rowsPerPage, ...filter }: CallBody<typeof paymentPage>,
  locale: Locale,
): Promise<CallData<typeof paymentPage>> {
  const { rows, figures } = await readPage(paymentsOf(db, userid, filter), { page, rowsPerPage })
  const ids = rows.map(({ invoice_id }) => invoice_id)
  const [lines, tries] = await Promise.all([listChargedLines(db, userid, ids), listTries(db, userid, ids)])
  const paymentInfo = rows.map((row) =>
    paymentJson(row, { lines: lines.get(row.invoice_id) ?? [], tries: tries.get(row.invoice_id) ?? [] }, locale),
  )
  return { paymentInfo, ...figures }
}

/** One payment of the account; refuses any other as one that there is none of. */
export async function showPayment(
  { db }: ReadDeps,
  userid: string,
  paymentId: string,
  locale: Locale,
): Promise<CallData<typeof paymentDetail>> {
  const row = await paymentsOf(db, userid, {}).where('payment.id', '=', paymentId).executeTakeFirst()
  if (!row) return refuse('notFound', { object: 'payment' })
  const read = await getReadInvoice(db, userid, row.invoice_id)
  const { state } = read.invoice
  const validUntil = endOf(read.invoice)
  return {
    ...paymentJson(row, read, locale),
    split: splitJson(row),
    attempts: read.tries.map((payment) => attemptJson(payment, locale)),
    ...(row.state === 'needs_action' && row.action_url !== null && { actionUrl: row.action_url }),
    ...(validUntil && state === 'open' && { validUntil: validUntil.toISOString() }),
    actions: invoiceActions(read),
  }
}

function paymentJson(
  row: ListedPayment,
  { lines, tries }: Pick<ReadInvoice, 'lines' | 'tries'>,
  locale: Locale,
): PaymentRow {
  return {
    ...attemptJson(row, locale),
    currency: row.currency,
    invoiceId: row.invoice_id,
    invoiceNumber: row.number,
    summary: summaryOf(row.invoice_kind, lines, locale),
    attempt: tries.findIndex(({ id }) => id === row.id) + 1,
  }
}
