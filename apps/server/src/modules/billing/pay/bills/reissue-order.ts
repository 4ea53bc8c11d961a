import type { Trx } from '../../../../platform/db/index.ts'
import { publishChange } from '../../../../platform/events/index.ts'
import { postToLedger } from '../../../ledger/index.ts'
import type { OrderDeps } from '../../billing-deps.ts'
import { freeCouponCards } from '../../records/coupon-cards.ts'
import type { InvoiceItemRow, InvoiceRow } from '../../records/documents/document-tables.ts'
import { closeInvoice } from '../../records/documents/invoice-store.ts'
import { moveSubscriptionTo } from '../../records/documents/subscription-store.ts'
import { dueKinds } from '../../schedule/due-kinds.ts'
import { dropDue } from '../../schedule/due-store.ts'
import { earnedBy } from '../credit/earned-items.ts'
import { issueInvoice, scheduleLapse } from './issue-invoice.ts'
import type { RepricedOrder } from './reprice-order.ts'

/** Voids an invoice: what it earned is taken back, and its coupon is free. Its items stay as they are. */
export async function voidInvoice(
  trx: Trx,
  invoice: InvoiceRow,
  lines: readonly InvoiceItemRow[],
  at: Date,
): Promise<void> {
  const { id, userid, currency } = invoice
  const facts = { items: earnedBy(lines, currency) }
  await postToLedger(trx, { userid, at, kind: 'void', facts, document: id, key: `${id} void` })
  await closeInvoice(trx, invoice, 'voided', { at })
  await freeCouponCards(trx, invoice)
}

/**
 * Puts another invoice in the place of an order's that is paid late: its period begins now. Under the account's lock,
 * with no payment of it open. The order's time to be paid stays what it was.
 */
export async function reissueOrder(
  deps: OrderDeps,
  trx: Trx,
  invoice: InvoiceRow,
  { at, subscription, period, basket, lines }: RepricedOrder,
): Promise<InvoiceRow> {
  const { userid, valid_until: validUntil } = invoice
  if (!validUntil) throw new Error(`The order ${invoice.id} has no end`)
  await voidInvoice(trx, invoice, lines, at)
  if (subscription.state === 'unpaid') await moveSubscriptionTo(trx, subscription.id, { anchor: at, ...period })
  const sold = new Map(lines.map((line) => [line.item_id, line]))
  const issued = await issueInvoice(deps, trx, {
    userid,
    kind: invoice.kind,
    at,
    validUntil,
    basket,
    soldAs: ({ key: item_id }) => {
      const { product_type, revenue, price_id, reason } = sold.get(item_id) ?? unknownItem(item_id)
      return { item_id, product_type, revenue, price_id, reason }
    },
  })
  await dropDue(trx, { userid, kind: dueKinds.orderLapse, object: invoice.id })
  await scheduleLapse(trx, issued, validUntil)
  await publishChange(trx, { account: userid, topic: 'billing', id: issued.id })
  return issued
}

function unknownItem(id: string): never {
  throw new Error(`The item ${id} is not on the invoice it was priced for`)
}
