import type { Zone } from '@atoll/money'
import type { Trx } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { splitPayment } from '../../pricing/split-payment.ts'
import { isUsedWithCard } from '../../records/coupon-cards.ts'
import type { InvoiceRow } from '../../records/documents/document-tables.ts'
import { getDue } from '../../records/documents/invoice-due.ts'
import { endOf } from '../../records/documents/invoice-store.ts'
import { beginPayment, endPayment, type Method, readMeans } from '../begin-payment.ts'
import { isUnderWay } from '../cancel-open-payment.ts'
import { type Bill, loadBill } from './load-bill.ts'
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
  const { currency, zone } = await deps.accounts.lockLimits(trx, userid)
  const bill = await loadBill(trx, { userid, currency, at }, invoiceId)
  const { invoice, open } = bill
  if (open && isUnderWay(open)) return { invoiceId, paymentId: open.id, paid: false, isNew: false }
  if (!isPayable(invoice, at)) return undefined
  if (method && invoice.coupon !== null) {
    const used = { userid, code: invoice.coupon, cardId: method.id }
    if (await isUsedWithCard(trx, used)) refuse('couponCardUsed', { code: invoice.coupon })
  }
  return await payBill(deps, trx, bill, { at, zone, method })
}

/** The same of a bill that was loaded a moment ago, that can be paid, and of which no payment is under way. */
export async function payBill(
  deps: OrderDeps,
  trx: Trx,
  { invoice, due, open, payments, means: before }: Bill,
  { at, zone, method }: Pick<Attempt, 'at' | 'method'> & { zone: Zone },
): Promise<Attempted> {
  const { userid, currency } = invoice
  const mayRoll = mayRollOver(invoice, method)
  if (open) await endPayment(trx, open, { event: 'canceled', at })
  // The customer has again all that was set aside for it.
  const means = open ? await readMeans(trx, { userid, at, mayRoll }, currency) : { ...before, mayRoll }
  const late = await repriceLateOrder(trx, invoice, { now: at, zone, means })
  const payable = late ? await reissueOrder(deps, trx, invoice, late) : invoice
  const split = splitPayment(late ? await getDue(trx, payable) : due, means)
  const begin = { at, method, split, before: late ? 0 : payments }
  const { payment, paid } = await beginPayment(deps, trx, payable, begin)
  return { invoiceId: payable.id, paymentId: payment.id, paid, isNew: true }
}

export function isPayable(invoice: InvoiceRow, at: Date): boolean {
  const validUntil = endOf(invoice)
  return invoice.state === 'uncollectible' || (invoice.state === 'open' && (validUntil === null || at < validUntil))
}

/** Whether an amount too small for a card may move to the next bill: for an order, only with a card on file. */
export function mayRollOver(invoice: InvoiceRow, method: Method | null): boolean {
  return method !== null || endOf(invoice) === null
}
