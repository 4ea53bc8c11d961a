import { type Money, money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import type { InvoiceRow, PaymentRow } from '../documents/document-tables.ts'
import { closeInvoice, getInvoice, listInvoiceItems } from '../documents/invoice-store.ts'
import { getPayment, movePaymentOn } from '../documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../documents/states.ts'
import { listItems, moveItemsOn } from '../documents/subscription-store.ts'
import { cardPartsOf, heldBy } from './payment-parts.ts'
import { wakeClustersOf } from './wake-clusters.ts'

export interface Settlement {
  userid: string
  paymentId: string
  at: Date
  /** What the card was charged; null for a payment without one. */
  captured: Money | null
}

/**
 * A payment succeeded: ledger, payment, invoice, items, and the clusters that wait for it, in the caller's transaction
 * and under the account's lock. Safe to repeat. A card that paid for what was canceled meanwhile becomes credit.
 */
export async function settlePayment(deps: OrderDeps, trx: Trx, settlement: Settlement): Promise<void> {
  const { userid, paymentId, at, captured } = settlement
  const payment = await getPayment(trx, userid, paymentId)
  if (payment.state === 'succeeded') return
  if (captured && captured.minor !== payment.card_minor) {
    throw new Error(`The card paid ${captured.minor} for ${paymentId}, which asked for ${payment.card_minor}.`)
  }
  if (isEnd(paymentTransitions, payment.state)) {
    if (captured) await creditLateCapture(trx, payment, captured, at)
    return
  }
  const invoice = await getInvoice(trx, userid, payment.invoice_id)
  await postPaid(trx, payment, invoice, at)
  await movePaymentOn(trx, payment, 'succeeded', { at, action_url: null })
  await closeInvoice(trx, invoice, 'paid', { at, by: paymentId })

  const ids = (await listInvoiceItems(trx, invoice.id)).map((item) => item.item_id)
  const items = await listItems(trx, { ids })
  const inState = (state: string) => items.filter((item) => item.state === state)
  await moveItemsOn(trx, inState('unpaid'), 'paid', at)
  await moveItemsOn(trx, inState('past_due'), 'settled', at)
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoice.id })
}

async function postPaid(trx: Trx, payment: PaymentRow, invoice: InvoiceRow, at: Date): Promise<void> {
  const { id, userid, currency, rolled_minor: rolled } = payment
  const { due, collected } = cardPartsOf(payment)
  const about = { userid, at, document: invoice.id }
  if (invoice.total_minor > rolled) {
    const card = due.minor > 0 ? { driver: gatewayOf(payment), amount: due } : null
    await postToLedger(trx, { ...about, kind: 'pay', facts: { held: heldBy(payment), card }, key: `${id} paid` })
  }
  if (rolled > 0) {
    const facts = { amount: money(rolled, currency) }
    await postToLedger(trx, { ...about, kind: 'roll', facts, key: `${id} rolled` })
  }
  if (collected.minor > 0) {
    const facts = { driver: gatewayOf(payment), amount: collected }
    await postToLedger(trx, { ...about, kind: 'collect', facts, key: `${id} collected` })
  }
}

async function creditLateCapture(trx: Trx, payment: PaymentRow, captured: Money, at: Date): Promise<void> {
  const { id, userid } = payment
  const facts = { driver: gatewayOf(payment), amount: captured }
  await postToLedger(trx, { userid, at, kind: 'late_capture', facts, document: id, key: `${id} late` })
  await publishChange(trx, { account: userid, topic: 'billing', id })
}

function gatewayOf({ id, gateway }: PaymentRow): string {
  if (gateway === null) throw new Error(`The payment ${id} has no card, and a card paid for it.`)
  return gateway
}
