import type { Trx } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { splitPayment } from '../../pricing/split-payment.ts'
import { isUsedWithCard } from '../../records/coupon-cards.ts'
import type { InvoiceRow } from '../../records/documents/document-tables.ts'
import { getDue } from '../../records/documents/invoice-due.ts'
import { endOf, getInvoice } from '../../records/documents/invoice-store.ts'
import { findOpenPayment } from '../../records/documents/payment-store.ts'
import { beginPayment, endPayment, type Method, readMeans } from '../begin-payment.ts'
import { isUnderWay } from '../cancel-open-payment.ts'
import { reissueOrder } from './reissue-order.ts'
import { repriceLateOrder } from './reprice-order.ts'

export interface Attempt {
  userid: string
  invoiceId: string
  /** Time of the account. */
  at: Date
  method: Method | null
}

export interface Attempted {
  /** Another one for an order that is paid late. */
  invoiceId: string
  paymentId: string
  paid: boolean
  /** Whether this call began the payment; else it was under way. */
  isNew: boolean
}

/**
 * Tries to pay an open invoice, with what the account has now and with `method`; under the account's lock. A payment
 * that only waited for a card gives way; one that is being charged is answered as it is: it may have been.
 * Undefined for an invoice that is closed, or whose time to be paid is over.
 */
export async function payInvoice(deps: OrderDeps, trx: Trx, attempt: Attempt): Promise<Attempted | undefined> {
  const { userid, invoiceId, at, method } = attempt
  const invoice = await getInvoice(trx, userid, invoiceId)
  const open = await findOpenPayment(trx, invoiceId)
  if (open && isUnderWay(open)) return { invoiceId, paymentId: open.id, paid: false, isNew: false }
  if (!isPayable(invoice, at)) return undefined
  if (method && invoice.coupon !== null) {
    const used = { userid, code: invoice.coupon, cardId: method.id }
    if (await isUsedWithCard(trx, used)) refuse('couponCardUsed', { code: invoice.coupon })
  }
  if (open) await endPayment(trx, open, { event: 'canceled', at })
  const { currency, zone } = await deps.accounts.lockLimits(trx, userid)
  const mayRoll = mayRollOver(invoice, method)
  const means = await readMeans(trx, { userid, at, mayRoll }, currency)
  const late = await repriceLateOrder(trx, invoice, { now: at, zone, means })
  const due = late ? await reissueOrder(deps, trx, invoice, late) : invoice
  const split = splitPayment(await getDue(trx, due), means)
  const { payment, paid } = await beginPayment(deps, trx, due, { at, method, split })
  return { invoiceId: due.id, paymentId: payment.id, paid, isNew: true }
}

export function isPayable(invoice: InvoiceRow, at: Date): boolean {
  const validUntil = endOf(invoice)
  return invoice.state === 'uncollectible' || (invoice.state === 'open' && (validUntil === null || at < validUntil))
}

/** Whether an amount too small for a card may move to the next bill: for an order, only with a card on file. */
export function mayRollOver(invoice: InvoiceRow, method: Method | null): boolean {
  return method !== null || endOf(invoice) === null
}
