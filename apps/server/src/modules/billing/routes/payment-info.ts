import type { currentPaymentInfo } from '@atoll/contract/billing'
import type { CallData, Locale } from '@atoll/contract/wire'
import { type Money, money } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { accountNow } from '../../accounts/index.ts'
import { readMeans } from '../pay/begin-payment.ts'
import { isPayable, mayRollOver } from '../pay/bills/pay-invoice.ts'
import { type RepricedOrder, repriceLateOrder } from '../pay/bills/reprice-order.ts'
import { isUnderWay } from '../pay/cancel-open-payment.ts'
import type { Means, PaymentSplit } from '../pricing/basket.ts'
import { splitPayment } from '../pricing/split-payment.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { endOf, findPayableInvoice, listInvoiceItems } from '../records/documents/invoice-store.ts'
import { findOpenPayment, getPayment } from '../records/documents/payment-store.ts'
import { getSubscription, listItems } from '../records/documents/subscription-store.ts'
import { getMethod } from '../sell/own-method.ts'
import { listChargedLines } from '../views/lines/charged-lines.ts'
import { explainOf } from '../views/lines/formula-of.ts'
import { lineFormula } from '../views/lines/line-formula.ts'
import { priceInfoOf } from '../views/lines/line-names.ts'
import { splitJson } from '../views/payment-json.ts'

type Info = CallData<typeof currentPaymentInfo>

/**
 * The cost of paying an invoice now: the same figures that `payment/pay` charges, including the new ones of an order
 * that is paid late. If it was paid or is being paid, the figures of that payment.
 */
export async function showPaymentInfo(
  deps: AttemptDeps,
  userid: string,
  invoiceId: string,
  locale: Locale,
): Promise<Info> {
  const { db, accounts, clock } = deps
  const invoice = await findPayableInvoice(db, userid, invoiceId)
  if (!invoice) return refuse('notFound', { object: 'invoice' })
  const limits = await accounts.getLimits(db, userid)
  const at = accountNow(limits, clock.now())
  const made = await findMadePayment(db, invoice)
  if (!made && !isPayable(invoice, at)) return refuse('invoiceClosed', { number: invoice.number })
  const method = await getMethod(deps, db, userid, undefined)
  const means = await meansNow(db, invoice, { at, mayRoll: mayRollOver(invoice, method) })
  const late = made ? undefined : await repriceLateOrder(db, invoice, { now: at, zone: limits.zone, means })
  const due = late ? late.basket.total : await getDue(db, invoice)
  return {
    currency: invoice.currency,
    amount: due.minor,
    invoiceItemsInfo: await listLines(db, invoice, late, locale),
    subscriptionUpdateInfo: await findUpdate(db, invoice, late),
    split: made ? splitJson(made) : newSplitJson(splitPayment(due, means)),
    validUntil: endOf(invoice)?.toISOString() ?? null,
  }
}

/** The payment that paid it, or that is on its way. */
async function findMadePayment(db: Db, { userid, id, payment_id }: InvoiceRow): Promise<PaymentRow | undefined> {
  if (payment_id !== null) return await getPayment(db, userid, payment_id)
  const open = await findOpenPayment(db, id)
  return open && isUnderWay(open) ? open : undefined
}

/** With what is set aside for a payment that waits for a card: paying begins by giving that back. */
async function meansNow(
  db: Db,
  { userid, id, currency }: InvoiceRow,
  { at, mayRoll }: { at: Date; mayRoll: boolean },
): Promise<Means> {
  const { promo, cash } = await readMeans(db, { userid, at, mayRoll }, currency)
  const waiting = await findOpenPayment(db, id)
  const held = { promo: waiting?.promo_minor ?? 0, balance: waiting?.balance_minor ?? 0 }
  const plus = ({ minor }: Money, more: number) => money(minor + more, currency)
  return { promo: plus(promo, held.promo), cash: plus(cash, -held.balance), mayRoll }
}

async function listLines(
  db: Db,
  { userid, id, currency }: InvoiceRow,
  late: RepricedOrder | undefined,
  locale: Locale,
): Promise<Info['invoiceItemsInfo']> {
  const lines = (await listChargedLines(db, userid, [id])).get(id) ?? []
  const repriced = new Map(late?.basket.items.map((item) => [item.key, item]))
  return lines.map((line) => {
    const now = repriced.get(line.item_id)
    const period = now?.period ?? { start: line.period_start, end: line.period_end }
    const priceInfo = priceInfoOf(line, locale)
    const [amount, discount] = [now?.amount.minor ?? line.amount_minor, now?.discount.minor ?? line.discount_minor]
    const explained = {
      explain: now?.explain ?? explainOf(line),
      shares: line.shares,
      amount_minor: amount,
      discount_minor: discount,
    }
    return {
      productType: line.product_type,
      productName: priceInfo.productName,
      priceInfo,
      amount,
      discount,
      quantity: 1,
      ...secondsOf(period),
      proration: now?.proration ?? line.proration,
      formula: lineFormula(explained, { currency, zone: line.zone, locale }),
    }
  })
}

async function findUpdate(
  db: Db,
  { id, kind }: InvoiceRow,
  late: RepricedOrder | undefined,
): Promise<Info['subscriptionUpdateInfo']> {
  if (kind === 'usage') return null
  const [line] = await listInvoiceItems(db, id)
  const [item] = await listItems(db, { ids: line ? [line.item_id] : [] })
  if (!line || !item) throw new Error(`The invoice ${id} is for nothing`)
  const subscription = await getSubscription(db, item.subscription_id)
  const period = late?.period ?? { start: line.period_start, end: line.period_end }
  const { id: subscriptionId, kind: of, cluster_id: clusterId } = subscription
  return { subscriptionId, kind: of, clusterId, ...secondsOf(period) }
}

function secondsOf({ start, end }: { start: Date; end: Date }): { periodStart: number; periodEnd: number } {
  return { periodStart: Math.floor(start.getTime() / 1000), periodEnd: Math.floor(end.getTime() / 1000) }
}

function newSplitJson({ promo, balance, card, rolled, collected }: PaymentSplit): Info['split'] {
  return {
    fromPromo: promo.minor,
    fromBalance: balance.minor,
    toCard: card.minor,
    rolledOver: rolled.minor,
    collected: collected.minor,
  }
}
