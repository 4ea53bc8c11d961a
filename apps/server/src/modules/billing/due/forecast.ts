import type { ForecastInvoice, forecast } from '@atoll/contract/billing'
import type { CallData, Locale } from '@atoll/contract/wire'
import type { Trx } from '../../../platform/db/index.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { type ChargedLine, listChargedLines } from '../views/lines/charged-lines.ts'
import { productName } from '../views/lines/line-names.ts'
import { seconds } from '../views/read-time.ts'
import type { Cards } from './assume-cards.ts'
import type { AssumedUsage } from './assume-usage.ts'
import { foreseeMails } from './foresee-mails.ts'
import { type Known, type RehearsalDeps, rehearse } from './rehearse.ts'

/** The bills of the months to come and their mails, as things are. */
export async function foresee(
  deps: RehearsalDeps,
  {
    userid,
    months,
    cards,
    usage = {},
    locale,
  }: { userid: string; months: number; cards: Cards; usage?: AssumedUsage; locale: Locale },
): Promise<CallData<typeof forecast>> {
  return await rehearse(deps, { userid, months, cards, usage, warns: true }, async (trx, before) => {
    const documents = (await readIssued(trx, userid, before, locale)).map(({ invoice, json }) => {
      return { ...json, state: invoice.state, closedAt: invoice.closed_at?.toISOString() ?? null }
    })
    return { documents, mails: await foreseeMails(deps, trx, { userid, months, before: before.mails }) }
  })
}

/** The bills that a rehearsal issued, as its caller is shown them. */
export async function readIssued(trx: Trx, userid: string, before: Known, locale: Locale) {
  const invoices = await listIssued(trx, userid, before)
  const ids = invoices.map(({ id }) => id)
  const lines = await listChargedLines(trx, userid, ids)
  const payments = Map.groupBy(await listPayments(trx, ids), ({ invoice_id }) => invoice_id)
  return invoices.map((invoice) => {
    const json = forecastInvoice(invoice, lines.get(invoice.id) ?? [], payments.get(invoice.id)?.[0], locale)
    return { invoice, json }
  })
}

/** Invoices that the rehearsal issued. */
export async function listIssued(trx: Trx, userid: string, before: Known): Promise<InvoiceRow[]> {
  const invoices = await trx
    .selectFrom('invoices')
    .selectAll()
    .where('userid', '=', userid)
    .orderBy('issued_at')
    .orderBy('number')
    .execute()
  return invoices.filter(({ id }) => !before.invoices.has(id))
}

/** The tries to pay invoices, the first first. */
export async function listPayments(trx: Trx, invoiceIds: readonly string[]): Promise<PaymentRow[]> {
  if (invoiceIds.length === 0) return []
  return await trx
    .selectFrom('payments')
    .selectAll()
    .where('invoice_id', 'in', invoiceIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

type ForeseenInvoice = Pick<InvoiceRow, 'issued_at' | 'kind' | 'currency' | 'total_minor' | 'discount_minor' | 'coupon'>
type ForeseenLine = Pick<
  ChargedLine,
  'product_type' | 'terms' | 'amount_minor' | 'period_start' | 'period_end' | 'proration'
>
type ForeseenPayment = Pick<PaymentRow, 'promo_minor' | 'balance_minor' | 'card_minor' | 'rolled_minor'>

/** `payment`: of the first try to pay it; undefined: none was made. */
export function forecastInvoice(
  { issued_at, kind, currency, total_minor: amount, discount_minor: discount, coupon }: ForeseenInvoice,
  lines: readonly ForeseenLine[],
  payment: ForeseenPayment | undefined,
  locale: Locale,
): ForecastInvoice {
  return {
    at: issued_at.toISOString(),
    kind,
    amount,
    currency,
    discount,
    coupon,
    items: lines.map((line) => ({
      productName: productName(line, locale),
      amount: line.amount_minor,
      quantity: 1,
      periodStart: seconds(line.period_start),
      periodEnd: seconds(line.period_end),
      proration: line.proration,
    })),
    fromPromo: payment?.promo_minor ?? 0,
    fromBalance: payment?.balance_minor ?? 0,
    toCard: payment?.card_minor ?? amount,
    rolledOver: payment?.rolled_minor ?? 0,
  }
}
