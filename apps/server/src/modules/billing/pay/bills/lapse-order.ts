import type { Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { getInvoice, listInvoiceItems } from '../../records/documents/invoice-store.ts'
import { listItems, moveItemsOn } from '../../records/documents/subscription-store.ts'
import { cancelOpenPayment } from '../cancel-open-payment.ts'
import { wakeClustersOf } from '../wake-clusters.ts'
import { voidInvoice } from './reissue-order.ts'

export interface LapsedOrder {
  userid: string
  invoiceId: string
  at: Date
  because?: 'lapse' | 'cancel'
}

/**
 * Takes back an order that nobody paid, whole: after 24 h, or canceled by its owner. False, and nothing done, where it
 * is not open. False as well while a card may be charged for it: the gateway is asked to end that payment, and the
 * order lapses with it, unless it was paid. `because`: `cancel` where its owner takes it
 * back, for the log. Under the account's lock.
 */
export async function lapseOrder(
  deps: OrderDeps,
  trx: Trx,
  { userid, invoiceId, at, because = 'lapse' }: LapsedOrder,
): Promise<boolean> {
  const invoice = await getInvoice(trx, userid, invoiceId)
  if (invoice.state !== 'open' || invoice.reopened > 0) return false
  if (!(await cancelOpenPayment(trx, { invoiceId, at, because }))) return false
  const lines = await listInvoiceItems(trx, invoiceId)
  await voidInvoice(trx, invoice, lines, at)
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
