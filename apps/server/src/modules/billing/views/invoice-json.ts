import type { InvoiceItem, InvoiceRow as InvoiceRowJson, PaymentKind } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import type { Currency } from '@atoll/money'
import type { InvoiceRow } from '../records/documents/document-tables.ts'
import { endOf } from '../records/documents/invoice-store.ts'
import { isEnd, paymentTransitions } from '../records/documents/states.ts'
import type { ChargedLine } from './lines/charged-lines.ts'
import { explainOf, formulaOf } from './lines/formula-of.ts'
import { sumOfUsage } from './lines/line-formula.ts'
import { instanceName, priceInfoOf, summaryOf } from './lines/line-names.ts'
import { cardJson, splitJson } from './payment-json.ts'
import type { CardPayment } from './read-payments.ts'
import { seconds } from './read-time.ts'

/** An invoice with its lines and the tries to pay it, the first first. */
export interface ReadInvoice {
  invoice: InvoiceRow
  lines: readonly ChargedLine[]
  tries: readonly CardPayment[]
}

export function invoiceJson({ invoice, lines, tries }: ReadInvoice, locale: Locale): InvoiceRowJson {
  const newest = tries.find(({ id }) => id === invoice.payment_id) ?? tries.at(-1)
  const validUntil = endOf(invoice)
  const times = (of: 'period_start' | 'period_end') => lines.map((line) => seconds(line[of]))
  return {
    invoiceId: invoice.id,
    number: invoice.number,
    createAt: invoice.issued_at.toISOString(),
    kind: invoice.kind,
    summary: summaryOf(invoice.kind, lines, locale),
    status: invoice.state,
    amount: invoice.total_minor,
    currency: invoice.currency,
    periodStart: Math.min(...times('period_start')),
    periodEnd: Math.max(...times('period_end')),
    ...(validUntil && { validUntil: validUntil.toISOString() }),
    paidBy: invoice.state === 'paid' && newest ? paidBy(newest) : [],
    ...(newest && {
      payment: { paymentId: newest.id, status: newest.state, ...splitJson(newest), ...cardJson(newest) },
    }),
  }
}

function paidBy({ promo_minor, balance_minor, card_minor }: CardPayment): PaymentKind[] {
  return [
    ...(promo_minor + balance_minor > 0 ? ['Balance' as const] : []),
    ...(card_minor > 0 ? ['card' as const] : []),
  ]
}

export function itemJson(line: ChargedLine, currency: Currency, locale: Locale): InvoiceItem {
  const of = instanceName(line, locale)
  const explain = explainOf(line)
  const sum = sumOfUsage(explain, { currency, zone: line.zone, locale })
  return {
    productType: line.product_type,
    amount: line.amount_minor,
    discount: line.discount_minor,
    quantity: 1,
    priceInfo: priceInfoOf(line, locale),
    ...(of !== undefined && { of }),
    ...(line.instance && { instanceId: line.instance.id }),
    subscriptionId: line.subscription_id,
    periodStart: seconds(line.period_start),
    periodEnd: seconds(line.period_end),
    proration: line.proration,
    explain,
    formula: formulaOf(line, currency, locale),
    ...(sum && { sum: { ...sum, ...(line.terms.kind === 'plan' && { plan: line.terms.title[locale] }) } }),
  }
}

/**
 * The possible acts on an invoice: `pay` while it is unpaid, and `cancel` for the order of a new cluster or of workers
 * while no card is being charged. A payment that the bank asks its customer to approve is canceled there first.
 */
export function invoiceActions({ invoice, lines, tries }: ReadInvoice): ('pay' | 'cancel')[] {
  if (invoice.state !== 'open' && invoice.state !== 'uncollectible') return []
  const isNew = lines.every(({ item_state: state }) => state === 'unpaid')
  const isCharged = tries.some(({ state, canceling_for }) =>
    state === 'needs_action' ? canceling_for !== null : state !== 'created' && !isEnd(paymentTransitions, state),
  )
  return invoice.state === 'open' && invoice.kind === 'order' && isNew && !isCharged ? ['pay', 'cancel'] : ['pay']
}
