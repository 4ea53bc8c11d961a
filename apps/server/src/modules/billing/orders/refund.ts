import { allocate, type Currency, divideHalfEven, type Money, money, subtractMoney, sumMoney } from '@atoll/money'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { insertCreditNote } from '../documents/credit-note-store.ts'
import type { InvoiceItemRow, InvoiceRow, PaymentRow, SubscriptionItemRow } from '../documents/document-tables.ts'
import { getInvoice, listInvoiceItems } from '../documents/invoice-store.ts'
import { getPayment } from '../documents/payment-store.ts'
import { giveBackPromo } from '../documents/promo-store.ts'
import { listItems, moveItemsOn } from '../documents/subscription-store.ts'
import { type PricedRefund, priceRefund, type RefundedItem } from '../pricing/price-refund.ts'
import { earnedBy } from './earned-items.ts'

export interface RefundOrder {
  userid: string
  /** Machines that end; those that were never sold give nothing back. */
  instances: readonly { instanceId: string; hasRun: boolean }[]
  /** The instant until which they are charged. Time of the account. */
  at: Date
}

/** What ending the machines would give back: what `refund` at that instant posts. */
export async function estimateRefund(db: Db, order: RefundOrder, currency: Currency): Promise<PricedRefund> {
  const paid = await listPaid(db, order)
  return priceRefund(
    paid.flatMap(({ refundable }) => refundable),
    order.at,
    currency,
  )
}

/**
 * Ends the items of machines and gives back what is left of their time, to the balance, in the caller's transaction and
 * under the account's lock. Safe to repeat: an item ends once. An order that is not paid is left: see `lapseOrder`.
 */
export async function refund(deps: OrderDeps, trx: Trx, order: RefundOrder): Promise<PricedRefund> {
  const { userid, at } = order
  const { currency } = await deps.accounts.lockLimits(trx, userid)
  const paid = await listPaid(trx, order)
  const refunds = paid.map(({ refundable }) => priceRefund(refundable, at, currency))
  for (const [index, { invoice, payment, lines }] of paid.entries()) {
    const refunded = refunds[index]
    if (refunded) await credit(deps, trx, { invoice, payment, lines, refunded, at })
  }
  const items = await livingItems(trx, order)
  await moveItemsOn(trx, items, 'ended', at)
  if (items.length > 0) await publishChange(trx, { account: userid, topic: 'billing', id: userid })
  const sum = (part: 'toBalance' | 'lapsedPromo' | 'toPromo') =>
    sumMoney(
      refunds.map((one) => one[part]),
      currency,
    )
  return {
    items: refunds.flatMap((one) => one.items),
    toBalance: sum('toBalance'),
    lapsedPromo: sum('lapsedPromo'),
    toPromo: sum('toPromo'),
  }
}

interface PaidLines {
  invoice: InvoiceRow
  payment: PaymentRow
  lines: InvoiceItemRow[]
  refundable: Parameters<typeof priceRefund>[0]
}

async function livingItems(db: Db, { instances }: RefundOrder): Promise<SubscriptionItemRow[]> {
  const items = await listItems(db, { instanceIds: instances.map(({ instanceId }) => instanceId) })
  return items.filter(({ state }) => state === 'active' || state === 'past_due')
}

/** The lines of paid invoices on which the machines stand, by invoice, that were not given back before. */
async function listPaid(db: Db, order: RefundOrder): Promise<PaidLines[]> {
  const items = await livingItems(db, order)
  const hasRun = new Map(order.instances.map((one) => [one.instanceId, one.hasRun]))
  const ran = new Map(items.map((item) => [item.id, hasRun.get(item.instance_id ?? '') ?? true]))
  const invoiceIds = await listPaidInvoices(db, [...ran.keys()])
  const found: PaidLines[] = []
  for (const invoiceId of invoiceIds) {
    const invoice = await getInvoice(db, order.userid, invoiceId)
    if (invoice.payment_id === null) throw new Error(`The invoice ${invoiceId} is paid by nothing`)
    const payment = await getPayment(db, order.userid, invoice.payment_id)
    const all = await listInvoiceItems(db, invoiceId)
    const credited = await listCredited(db, invoiceId)
    const nets = all.map((line) => money(line.amount_minor - line.discount_minor, invoice.currency))
    const promos = allocate(money(payment.promo_minor, invoice.currency), nets)
    const own = all.flatMap((line, index) => {
      const [net, promo] = [nets[index], promos[index]]
      if (!net || !promo || !ran.has(line.item_id) || credited.has(line.line)) return []
      // What has been used up whole gives nothing back, unless its machine never ran.
      const period = { start: line.period_start, end: line.period_end }
      return [
        {
          line,
          refundable: { key: `${invoiceId} ${line.line}`, period, net, promo, hasRun: ran.get(line.item_id) ?? true },
        },
      ]
    })
    if (own.length === 0) continue
    const lines = own.map(({ line }) => line)
    found.push({ invoice, payment, lines, refundable: own.map(({ refundable }) => refundable) })
  }
  return found
}

async function listPaidInvoices(db: Db, itemIds: string[]): Promise<string[]> {
  if (itemIds.length === 0) return []
  const rows = await db
    .selectFrom('invoice_items')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .select('invoices.id')
    .distinct()
    .where('item_id', 'in', itemIds)
    .where('invoices.state', '=', 'paid')
    .orderBy('invoices.id')
    .execute()
  return rows.map(({ id }) => id)
}

async function listCredited(db: Db, invoiceId: string): Promise<Set<number>> {
  const rows = await db.selectFrom('credit_note_items').select('line').where('invoice_id', '=', invoiceId).execute()
  return new Set(rows.map(({ line }) => line))
}

/** The credit note of one invoice; none where nothing goes back. */
async function credit(
  { clock }: OrderDeps,
  trx: Trx,
  { invoice, payment, lines, refunded, at }: Omit<PaidLines, 'refundable'> & { refunded: PricedRefund; at: Date },
): Promise<void> {
  const { userid, currency, id: invoiceId } = invoice
  const credited = lines.flatMap((line, index) => {
    const item = refunded.items[index]
    const part = item && creditedPart(line, item)
    return part && part.amount_minor > 0 ? [{ ...line, ...part }] : []
  })
  if (credited.length === 0) return
  const { toBalance, toPromo, lapsedPromo } = refunded
  const id = newId('cn')
  await insertCreditNote(
    trx,
    {
      ...{ id, userid, invoice_id: invoiceId, currency, issued_at: at, recorded_at: clock.now() },
      ...{ cash_minor: toBalance.minor, promo_minor: toPromo.minor, receivable_minor: 0 },
      lapsed_promo_minor: lapsedPromo.minor,
    },
    credited.map(({ line, amount_minor, discount_minor }) => ({ line, amount_minor, discount_minor })),
  )
  const to = { cash: toBalance, receivable: money(0, currency), promo: toPromo }
  const facts = { items: earnedBy(credited, currency), to }
  if (toBalance.minor + toPromo.minor > 0) {
    await postToLedger(trx, { userid, at, kind: 'credit_note', facts, document: id, key: `${id} issued` })
  }
  if (toPromo.minor > 0) await giveBackPromo(trx, payment.id, toPromo)
}

/** How much of a line's amount and discount is taken back, so that their difference is what goes back of its net. */
function creditedPart(
  { amount_minor: amount, discount_minor: discount }: InvoiceItemRow,
  { toBalance, toPromo, kept }: RefundedItem,
): { amount_minor: number; discount_minor: number } {
  const back: Money = money(toBalance.minor + toPromo.minor, toBalance.currency)
  const net = amount - discount
  if (kept.minor === 0 && back.minor === net) return { amount_minor: amount, discount_minor: discount }
  const part = net === 0 ? 0 : Number(divideHalfEven(BigInt(amount) * BigInt(back.minor), BigInt(net)))
  return { amount_minor: part, discount_minor: subtractMoney(money(part, back.currency), back).minor }
}
