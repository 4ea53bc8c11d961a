import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { freeCoupon } from '../coupons/coupon-store.ts'
import { closeInvoice, getInvoice, listInvoiceItems } from '../documents/invoice-store.ts'
import { findOpenPayment } from '../documents/payment-store.ts'
import { listItems, moveItemsOn } from '../documents/subscription-store.ts'
import { endPayment } from './begin-payment.ts'
import { earnedBy } from './earned-items.ts'
import { wakeClustersOf } from './wake-clusters.ts'

/**
 * Takes back an order that nobody paid, whole: after 24 h, or canceled by its owner. False, and nothing done, where it is
 * not open, or a card may have been charged for it: whoever asks waits for that payment first. Under the account's lock.
 */
export async function lapseOrder(
  deps: OrderDeps,
  trx: Trx,
  { userid, invoiceId, at }: { userid: string; invoiceId: string; at: Date },
): Promise<boolean> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  const payment = await findOpenPayment(trx, invoiceId)
  if (invoice.state !== 'open' || (payment && payment.state !== 'created')) return false
  if (payment) await endPayment(trx, payment, { event: 'canceled', at })
  const lines = await listInvoiceItems(trx, invoiceId)
  const facts = { items: earnedBy(lines, invoice.currency) }
  await postToLedger(trx, { userid, at, kind: 'void', facts, document: invoiceId, key: `${invoiceId} void` })
  await closeInvoice(trx, invoice, 'voided', { at })
  await freeCoupon(trx, invoiceId)
  const items = await listItems(trx, { ids: lines.map((line) => line.item_id) })
  await moveItemsOn(
    trx,
    items.filter(({ state }) => state === 'unpaid'),
    'lapsed',
    at,
  )
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoiceId })
  return true
}
