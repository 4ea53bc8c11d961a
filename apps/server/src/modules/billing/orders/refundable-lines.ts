import { allocate, money } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import type { InvoiceItemRow, InvoiceRow, PaymentRow, SubscriptionItemRow } from '../documents/document-tables.ts'
import { getInvoice, listInvoiceItems } from '../documents/invoice-store.ts'
import { findOpenPayment, getPayment } from '../documents/payment-store.ts'
import { listItems } from '../documents/subscription-store.ts'
import type { RefundableItem } from '../pricing/price-refund.ts'

/** Instances, or a plan, that end, and until when they are charged. */
export interface RefundOrder {
  userid: string
  /** Those that were never sold give nothing back. */
  instances: readonly { instanceId: string; hasRun: boolean }[]
  /** The subscription of a plan. */
  plan?: string
  /** Time of the account. */
  at: Date
}

/** The lines of one invoice on which the instances or the plan stand. */
export interface RefundableLines {
  invoice: InvoiceRow
  /** What paid it; null while it is owed. */
  payment: PaymentRow | null
  /** One a line, as in `refundable`. */
  lines: (InvoiceItemRow & { /** Empty for a plan. */ instanceId: string })[]
  refundable: RefundableItem[]
}

/** The items that were paid once and have not ended. */
export async function listLivingItems(db: Db, { instances, plan }: RefundOrder): Promise<SubscriptionItemRow[]> {
  const items = [
    ...(await listItems(db, { instanceIds: instances.map(({ instanceId }) => instanceId) })),
    ...(await listItems(db, { subscriptionIds: plan === undefined ? [] : [plan] })),
  ]
  return items.filter(({ state }) => state === 'active' || state === 'past_due')
}

/** Those whose lines are given back: of a plan the one before it too, above which a higher one is charged. */
async function listRefundedItems(db: Db, order: RefundOrder): Promise<SubscriptionItemRow[]> {
  const living = await listLivingItems(db, order)
  if (order.plan === undefined) return living
  const before = await listItems(db, { subscriptionIds: [order.plan] })
  return [...living, ...before.filter(({ state }) => state === 'ended')]
}

/**
 * The lines on which they stand, by invoice, that were not given back before: of paid invoices and of those
 * that are owed. One that a card may be charged for right now is left out, because what it pays cannot be changed.
 */
export async function listRefundable(db: Db, order: RefundOrder): Promise<RefundableLines[]> {
  const items = await listRefundedItems(db, order)
  const hasRun = new Map(order.instances.map((one) => [one.instanceId, one.hasRun]))
  const instanceOf = new Map(items.map((item) => [item.id, item.instance_id ?? '']))
  const found: RefundableLines[] = []
  for (const invoiceId of await listInvoices(db, [...instanceOf.keys()])) {
    const invoice = await getInvoice(db, order.userid, invoiceId)
    const underWay = invoice.state === 'open' ? await findOpenPayment(db, invoiceId) : undefined
    if (underWay && underWay.state !== 'created') continue
    const payment = invoice.payment_id === null ? null : await getPayment(db, order.userid, invoice.payment_id)
    const all = await listInvoiceItems(db, invoiceId)
    const credited = await listCredited(db, invoiceId)
    const nets = all.map((line) => money(line.amount_minor - line.discount_minor, invoice.currency))
    // What came off while it was owed was paid by nothing.
    const paid = nets.map((net, at) => money(net.minor - (credited.get(all[at]?.line ?? 0) ?? 0), invoice.currency))
    const promos = allocate(money(payment?.promo_minor ?? 0, invoice.currency), paid)
    const own = all.flatMap((line, at) => {
      const [net, promo, instanceId] = [nets[at], promos[at], instanceOf.get(line.item_id)]
      if (!net || !promo || instanceId === undefined || credited.has(line.line)) return []
      // Usage stands under its plan's item.
      if (line.revenue === 'usage') return []
      const period = { start: line.period_start, end: line.period_end }
      const facts = { key: `${invoiceId} ${line.line}`, period, net, promo, isPaid: payment !== null }
      return [{ line: { ...line, instanceId }, refundable: { ...facts, hasRun: hasRun.get(instanceId) ?? true } }]
    })
    if (own.length === 0) continue
    const [lines, refundable] = [own.map(({ line }) => line), own.map((one) => one.refundable)]
    found.push({ invoice, payment, lines, refundable })
  }
  return found
}

async function listInvoices(db: Db, itemIds: string[]): Promise<string[]> {
  if (itemIds.length === 0) return []
  const rows = await db
    .selectFrom('invoice_items')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .select('invoices.id')
    .distinct()
    .where('item_id', 'in', itemIds)
    .where('invoices.state', 'in', ['paid', 'open'])
    .orderBy('invoices.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The lines that were given back, and how much of each came off what was owed. */
async function listCredited(db: Db, invoiceId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('credit_note_items')
    .innerJoin('credit_notes', 'credit_notes.id', 'credit_note_id')
    .select(['line', 'amount_minor', 'discount_minor', 'receivable_minor'])
    .where('credit_note_items.invoice_id', '=', invoiceId)
    .execute()
  return new Map(rows.map((row) => [row.line, row.receivable_minor > 0 ? row.amount_minor - row.discount_minor : 0]))
}
