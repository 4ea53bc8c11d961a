import type { InvoiceRow } from '@atoll/contract/billing'
import { type Currency, formatMajorUnits, money } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { CsvColumns } from '../../../platform/paging/index.ts'
import { invoiceJson, type ReadInvoice } from '../views/invoice-json.ts'
import { readInvoices } from '../views/invoice-service.ts'
import { formulaOf } from '../views/lines/formula-of.ts'
import { lineTitle } from '../views/lines/line-names.ts'
import '../records/card-refund-store.ts'

/** An invoice as a row of the export: what the page shows, what makes and reduces its amount, and what came back. */
export interface ExportedInvoice extends InvoiceRow {
  gross: number
  discount: number
  coupon: string | null
  /** Sum of its credit notes: to the balance, as promotional credit or off the amount owed. */
  credited: number
  /** Sum of refunds to its cards. */
  refunded: number
  formula: string
}

/** Amounts are major units with two decimals, times UTC. */
export const invoiceColumns: CsvColumns<ExportedInvoice> = {
  number: (row) => row.number,
  issued: (row) => row.createAt,
  kind: (row) => row.kind,
  for: (row) => row.summary,
  'period start': (row) => isoOf(row.periodStart),
  'period end': (row) => isoOf(row.periodEnd),
  status: (row) => row.status,
  amount: (row) => major(row.amount, row.currency),
  currency: (row) => row.currency.toUpperCase(),
  'paid by': (row) => row.paidBy.join(', '),
  card: (row) => (row.payment?.cardLast4 === undefined ? null : `${row.payment.cardBrand} ${row.payment.cardLast4}`),
  id: (row) => row.invoiceId,
  'before discount': (row) => major(row.gross, row.currency),
  discount: (row) => major(row.discount, row.currency),
  coupon: (row) => row.coupon,
  credited: (row) => major(row.credited, row.currency),
  'refunded to card': (row) => major(row.refunded, row.currency),
  formula: (row) => row.formula,
}

/** The rows of these invoices. A spreadsheet is read by programs too: its words are English, as the audit log's. */
export async function readExported(
  db: Db,
  userid: string,
  invoices: readonly ReadInvoice['invoice'][],
): Promise<ExportedInvoice[]> {
  const [read, back] = await Promise.all([readInvoices(db, userid, invoices), listGivenBack(db, userid, invoices)])
  return read.map((one) => {
    const { invoice, lines } = one
    const formula = lines.map(
      (line) => `${lineTitle(line, 'en-US')}: ${formulaOf(line, invoice.currency, 'en-US').join('; ')}`,
    )
    return {
      ...invoiceJson(one, 'en-US'),
      gross: invoice.gross_minor,
      discount: invoice.discount_minor,
      coupon: invoice.coupon,
      credited: 0,
      refunded: 0,
      ...back.get(invoice.id),
      // A spreadsheet breaks no line: it gets the unit without its joiner.
      formula: formula.join(' | ').replaceAll('\u2060', ''),
    }
  })
}

async function listGivenBack(
  db: Db,
  userid: string,
  invoices: readonly { id: string }[],
): Promise<Map<string, { credited: number; refunded: number }>> {
  if (invoices.length === 0) return new Map()
  const ids = invoices.map(({ id }) => id)
  const credits = db
    .selectFrom('credit_notes')
    .select(['invoice_id', sql<number>`cash_minor + promo_minor + receivable_minor`.as('credited')])
    .select(sql<number>`0::bigint`.as('refunded'))
    .where('userid', '=', userid)
    .where('invoice_id', 'in', ids)
  const refunds = db
    .selectFrom('card_refunds')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['invoice_id', sql<number>`0::bigint`.as('credited'), 'card_refunds.amount_minor as refunded'])
    .where('payments.userid', '=', userid)
    .where('invoice_id', 'in', ids)
    .where('card_refunds.state', '=', 'done')
  const rows = await credits.unionAll(refunds).execute()
  const sumOf = (own: typeof rows, key: 'credited' | 'refunded') => own.reduce((sum, row) => sum + row[key], 0)
  return new Map(
    [...Map.groupBy(rows, ({ invoice_id }) => invoice_id)].map(([id, own]) => [
      id,
      { credited: sumOf(own, 'credited'), refunded: sumOf(own, 'refunded') },
    ]),
  )
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function major(minor: number, currency: Currency): string {
  return formatMajorUnits(money(minor, currency))
}
