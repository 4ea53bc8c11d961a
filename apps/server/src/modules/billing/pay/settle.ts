import { type Money, money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { type AnyPosting, postAllToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { mailPaid } from '../mails/mail-hooks.ts'
import { estimateInstant } from '../pricing/estimate-token.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { closeInvoice, endOf, getInvoice } from '../records/documents/invoice-store.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../records/documents/states.ts'
import { listItems, moveItemsOn, type SoldItem } from '../records/documents/subscription-store.ts'
import { listOverdueItems } from '../records/dunning-store.ts'
import { checkUsageSoon } from '../schedule/check-usage-soon.ts'
import { enqueueAccount } from '../schedule/due-jobs.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { beginPlans } from './begin-plans.ts'
import { creditStopped } from './credit/credit-stopped.ts'
import { takeLateCapture } from './late-capture.ts'
import { cardPaidBy, cardPartsOf, heldBy } from './payment-parts.ts'
import { recordCard } from './record-card.ts'
import { wakeClustersOf } from './wake-clusters.ts'

export interface Settlement {
  userid: string
  paymentId: string
  at: Date
  /** The amount charged to the card; null for a payment without a card. */
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
  const charged = captured?.minor ?? 0
  if (charged !== payment.card_minor) {
    throw new Error(`The card paid ${charged} for ${paymentId}, which asked for ${payment.card_minor}.`)
  }
  if (isEnd(paymentTransitions, payment.state)) {
    if (captured) await takeLateCapture(trx, payment, captured, at)
    return
  }
  const invoice = await getInvoice(trx, userid, payment.invoice_id)
  await settle(deps, trx, { payment, invoice, at })
  const end = endOf(invoice)
  if (invoice.kind === 'order' && end && at >= end) await renewLeftOut(trx, invoice, at)
}

interface Settled {
  payment: PaymentRow
  invoice: InvoiceRow
  at: Date
  /** Postings made before it, in the same round trip. */
  postings?: readonly AnyPosting[]
  /** The invoice's items, if the caller has just written them. */
  items?: readonly SoldItem[] | undefined
}

/**
 * As `settlePayment`, of a payment and its invoice as they are under the lock: one under way, or one that was written
 * as succeeded a moment ago because no card pays.
 */
export async function settle(
  deps: OrderDeps,
  trx: Trx,
  { payment, invoice, at, postings = [], items: written }: Settled,
): Promise<void> {
  const { userid } = invoice
  const recovered = invoice.state === 'uncollectible' ? await recover(trx, invoice, at) : []
  await postAllToLedger(trx, [...postings, ...recovered, ...postingsOf(payment, invoice, at)])
  if (payment.state !== 'succeeded') await movePaymentOn(trx, payment, 'succeeded', { at, action_url: null })
  await closeInvoice(trx, invoice, 'paid', { at, by: payment.id })

  const items = written ?? (await listItems(trx, { invoiceId: invoice.id }))
  const inState = (state: string) => items.filter((item) => item.state === state)
  // A plan's item stands on its renewal and on what was used: it is settled when neither is owed.
  const pastDue = inState('past_due')
  const overdue = await listOverdueItems(
    trx,
    pastDue.map(({ id }) => id),
  )
  const settled = pastDue.filter(({ id }) => !overdue.has(id))
  await recordCard(trx, 'payment.charge', payment, invoice)
  await mailPaid(deps, trx, { payment, invoice, at, isRestored: settled.length > 0 })
  await moveItemsOn(trx, inState('unpaid'), 'paid', at)
  await beginPlans(deps, trx, userid, inState('unpaid'), at)
  await moveItemsOn(trx, settled, 'settled', at)
  if (pastDue.length > 0 || invoice.kind === 'renewal') {
    await creditStopped(deps, trx, { userid, subscriptions: items.map((item) => item.subscription_id), at })
  }
  if (invoice.kind === 'usage') await checkUsageSoon(trx, userid)
  await wakeClustersOf(deps, trx, items)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoice.id })
}

/** An invoice that was written off is owed again, to be paid now. */
async function recover(trx: Trx, invoice: InvoiceRow, at: Date): Promise<AnyPosting[]> {
  const { id, userid, currency } = invoice
  const { minor } = await getDue(trx, invoice)
  if (minor === 0) return []
  const round = invoice.reopened === 0 ? '' : ` ${invoice.reopened}`
  const about = { userid, at, document: id, key: `${id} recovered${round}` }
  return [{ ...about, kind: 'write_off', facts: { amount: money(-minor, currency) } }]
}

function postingsOf(payment: PaymentRow, invoice: InvoiceRow, at: Date): AnyPosting[] {
  const { id, userid, currency, rolled_minor: rolled } = payment
  const { due, collected } = cardPartsOf(payment)
  const about = { userid, at, document: invoice.id }
  const held = heldBy(payment)
  const postings: AnyPosting[] = []
  if (held.cash.minor + held.promo.minor + due.minor > 0) {
    const card = due.minor > 0 ? { driver: cardPaidBy(payment), amount: due } : null
    postings.push({ ...about, kind: 'pay', facts: { held, card }, key: `${id} paid` })
  }
  if (rolled > 0) {
    const facts = { amount: money(rolled, currency) }
    postings.push({ ...about, kind: 'roll', facts, key: `${id} rolled` })
  }
  if (collected.minor > 0) {
    const facts = { driver: cardPaidBy(payment), amount: collected }
    postings.push({ ...about, kind: 'collect', facts, key: `${id} collected` })
  }
  return postings
}

/**
 * A card is found at `at`, time of the account, to have paid an order of instances whose time is over. Where their
 * cluster was renewed meanwhile, which left them out, they are renewed for what is left of its period from then on.
 */
async function renewLeftOut(trx: Trx, { id, userid }: InvoiceRow, at: Date): Promise<void> {
  const renewed = await trx
    .selectFrom('invoice_items')
    .innerJoin('subscription_items', 'subscription_items.id', 'invoice_items.item_id')
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_items.subscription_id')
    .select(['subscriptions.id', 'subscriptions.period_start'])
    .distinct()
    .where('invoice_id', '=', id)
    .whereRef('subscriptions.period_start', '>=', 'invoice_items.period_end')
    .execute()
  const from = estimateInstant(at)
  for (const { id: object, period_start: start } of renewed) {
    await scheduleDue(trx, { userid, kind: dueKinds.renewal, object, dueAt: start > from ? start : from })
  }
  if (renewed.length > 0) await enqueueAccount(trx, userid)
}
