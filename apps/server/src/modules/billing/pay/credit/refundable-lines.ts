import { allocate, type Money, money, smallerMoney, subtractMoney } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { RefundableItem } from '../../pricing/price-refund.ts'
import type {
  InvoiceItemRow,
  InvoiceRow,
  PaymentRow,
  SubscriptionItemRow,
} from '../../records/documents/document-tables.ts'
import { getInvoice, listInvoiceItems } from '../../records/documents/invoice-store.ts'
import { findOpenPayment, listSucceeded } from '../../records/documents/payment-store.ts'
import { listTaken } from '../../records/documents/promo-store.ts'
import { listStops } from '../../records/documents/stopped-spans.ts'
import { listItems } from '../../records/documents/subscription-store.ts'

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
  /** The payment, even if a bank took it back since; null if the invoice was never paid. */
  payment: PaymentRow | null
  /** One a line, as in `refundable`. */
  lines: (InvoiceItemRow & { /** Empty for a plan. */ instanceId: string })[]
  refundable: RefundableItem[]
}

/** A line of an invoice, and who paid it. */
interface Share {
  line: InvoiceItemRow
  net: Money
  /** The part of what is left of it that promotional credit paid. */
  promo: Money
  /** The amount credited before. */
  credited: Money
}

/**
 * The payments of an invoice, and for the requested lines, the part that promotional credit paid and the part credited
 * before.
 */
export async function readShares(
  db: Db,
  { id, currency }: InvoiceRow,
  isAsked: (line: InvoiceItemRow, isCredited: boolean) => boolean,
): Promise<{ payments: PaymentRow[]; shares: Share[] }> {
  const payments = await listSucceeded(db, id)
  const fromPromo = payments.reduce((sum, one) => sum + one.promo_minor, 0)
  const all = await listInvoiceItems(db, id)
  const credited = await listCredited(db, id)
  const nets = all.map((line) => money(line.amount_minor - line.discount_minor, currency))
  // Amounts credited while the invoice was owed were never paid.
  const paid = nets.map((net, at) => money(net.minor - (credited.get(all[at]?.line ?? 0)?.offOwed ?? 0), currency))
  const promos = allocate(money(fromPromo, currency), paid)
  // Promotional credit that was returned for other lines is not returned again.
  let promoLeft = (await listTaken(db, id)).reduce((sum, { left }) => sum + left, 0)
  const shares = all.flatMap((line, at) => {
    const [net, share, before] = [nets[at], promos[at], credited.get(line.line)]
    if (!net || !share || !isAsked(line, before !== undefined)) return []
    const creditedBefore = money(before?.net ?? 0, currency)
    const left = subtractMoney(net, creditedBefore)
    const promo = smallerMoney(smallerMoney(share, left), money(promoLeft, currency))
    promoLeft -= promo.minor
    return [{ line, net, promo, credited: creditedBefore }]
  })
  return { payments, shares }
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
 * The lines on which they stand, by invoice, with what was given back of them before: of paid invoices and of those
 * that are owed. One that a card may be charged for right now is left out, because what it pays cannot be changed.
 */
export async function listRefundable(db: Db, order: RefundOrder): Promise<RefundableLines[]> {
  const items = await listRefundedItems(db, order)
  const hasRun = new Map(order.instances.map((one) => [one.instanceId, one.hasRun]))
  const itemOf = new Map(items.map((item) => [item.id, item]))
  const subscriptions = [...new Set(items.map((item) => item.subscription_id))]
  const stops = await listStops(db, subscriptions, order.at)
  const found: RefundableLines[] = []
  for (const invoiceId of await listInvoices(db, [...itemOf.keys()])) {
    const invoice = await getInvoice(db, order.userid, invoiceId)
    const underWay = invoice.state === 'open' ? await findOpenPayment(db, invoiceId) : undefined
    if (underWay && underWay.state !== 'created') continue
    const { payments, shares } = await readShares(db, invoice, (line, isCredited) => {
      const item = itemOf.get(line.item_id)
      // Of an item that has ended, what was given back was all that there was. Usage stands under its plan's item.
      return item !== undefined && !(isCredited && item.state === 'ended') && line.revenue !== 'usage'
    })
    const payment = payments[0] ?? null
    const own = shares.flatMap(({ line, net, promo, credited }) => {
      const item = itemOf.get(line.item_id)
      if (!item) return []
      const instanceId = item.instance_id ?? ''
      const period = { start: line.period_start, end: line.period_end }
      const stopped = stops.get(item.subscription_id) ?? []
      const facts = { key: `${invoiceId} ${line.line}`, period, net, promo, credited, stopped }
      const ran = { isPaid: payment !== null, hasRun: hasRun.get(instanceId) ?? true }
      return [{ line: { ...line, instanceId }, refundable: { ...facts, ...ran } }]
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

/** The lines of which something was given back: how much in all, and how much of it came off what was owed. */
async function listCredited(db: Db, invoiceId: string): Promise<Map<number, { net: number; offOwed: number }>> {
  const rows = await db
    .selectFrom('credit_note_items')
    .innerJoin('credit_notes', 'credit_notes.id', 'credit_note_id')
    .select(['line', 'amount_minor', 'discount_minor', 'receivable_minor'])
    .where('credit_note_items.invoice_id', '=', invoiceId)
    .execute()
  const credited = new Map<number, { net: number; offOwed: number }>()
  for (const { line, amount_minor, discount_minor, receivable_minor } of rows) {
    const { net, offOwed } = credited.get(line) ?? { net: 0, offOwed: 0 }
    const back = amount_minor - discount_minor
    credited.set(line, { net: net + back, offOwed: offOwed + (receivable_minor > 0 ? back : 0) })
  }
  return credited
}
