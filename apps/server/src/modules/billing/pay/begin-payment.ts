import type { DeclineCode } from '@atoll/contract/payments'
import { addMoney, type Currency, type Money, money, sumMoney } from '@atoll/money'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type AnyPosting, balanceOf, postAllToLedger, postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { mailDeclined } from '../mails/mail-hooks.ts'
import type { Means, PaymentSplit } from '../pricing/basket.ts'
import { spendable } from '../records/dispute-store.ts'
import type { InvoiceRow, PaymentRow } from '../records/documents/document-tables.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import {
  collectingSum,
  countPayments,
  insertPayment,
  movePaymentOn,
  nextPaymentId,
} from '../records/documents/payment-store.ts'
import { giveBackPromo, promoSum, takePromo } from '../records/documents/promo-store.ts'
import type { SoldItem } from '../records/documents/subscription-store.ts'
import { enqueueAttempt } from '../schedule/attempt-queue.ts'
import { heldBy } from './payment-parts.ts'
import { recordCard } from './record-card.ts'
import { settle } from './settle.ts'

/** The card that pays what is left; none: the payment waits for one. */
export interface Method {
  id: string
  gateway: string
}

interface Begin {
  at: Date
  method: Method | null
  split: PaymentSplit
  postings?: readonly AnyPosting[]
  /** The invoice's items, if the caller has just written them. */
  items?: readonly SoldItem[]
  /** How many payments of the invoice there are, if the caller knows. */
  before?: number
}

/**
 * The account's credit, less the disputed amount, or its debt that no card payment under way collects; read under the
 * account's lock.
 */
export async function readMeans(
  db: Db,
  { userid, at, mayRoll }: { userid: string; at: Date; mayRoll: boolean },
  currency: Money['currency'],
): Promise<Means> {
  const read = await db.selectNoFrom(meansOf(db, { userid, currency, at })).executeTakeFirstOrThrow()
  return { ...toMeans(read, currency), mayRoll }
}

/** The columns of a query from which `toMeans` has what an account can pay with at `at`. */
export function meansOf(db: Db, { userid, currency, at }: { userid: string; currency: Currency; at: Date }) {
  return [
    balanceOf(db, userid, 'cash').as('balance'),
    balanceOf(db, userid, 'disputed').as('disputed'),
    promoSum(db, userid, currency, at).as('promo'),
    collectingSum(db, userid).as('collecting'),
  ] as const
}

export function toMeans(
  read: Readonly<Record<'balance' | 'disputed' | 'promo' | 'collecting', number | null>>,
  currency: Currency,
): Pick<Means, 'promo' | 'cash'> {
  const cash = spendable(read.balance ?? 0, read.disputed ?? 0)
  const owed = cash > 0 ? Math.max(cash - (read.collecting ?? 0), 0) : cash
  return { promo: money(read.promo ?? 0, currency), cash: money(owed, currency) }
}

/**
 * Begins to pay an open invoice, whole, as `split` of what the account has now says: what the customer has is set
 * aside, the rest is for the card, which a job charges once `trx` commits. Where nothing is left for it, the invoice is
 * paid here. The caller holds the account's lock, and no other payment of it is open. `postings` are posted first.
 */
export async function beginPayment(
  deps: OrderDeps,
  trx: Trx,
  invoice: InvoiceRow,
  { at, method, split, postings: first = [], items, before }: Begin,
): Promise<{ payment: PaymentRow; paid: boolean }> {
  const { userid, currency, id: invoice_id, kind } = invoice
  const { promo, balance, card, collected, rolled } = split
  const hasCard = card.minor > 0 && method !== null
  // A bill of usage has kept that itself.
  if (kind !== 'usage' && sumMoney([promo, balance, rolled], currency).minor > 0)
    await deps.keepUsageCovered(trx, userid)
  const paid = card.minor === 0
  const amounts = {
    promo_minor: promo.minor,
    balance_minor: balance.minor,
    rolled_minor: rolled.minor,
    card_minor: card.minor,
    collected_minor: collected.minor,
  }
  const by = { method_id: hasCard ? method.id : null, gateway: hasCard ? method.gateway : null }
  const round = invoice.reopened
  const id = nextPaymentId(invoice_id, before ?? (await countPayments(trx, invoice_id)))
  const about = { id, userid, invoice_id, currency, round, created_at: at }
  const payment = await insertPayment(trx, { ...about, ...amounts, ...by }, paid ? at : null)
  const postings = [...first]
  if (addMoney(promo, balance).minor > 0) {
    const hold = { userid, at, document: payment.id, key: `${payment.id} hold` }
    postings.push({ ...hold, kind: 'hold', facts: { cash: balance, promo } })
  }
  if (promo.minor > 0) await takePromo(trx, { userid, paymentId: payment.id, at }, promo)
  if (hasCard) await enqueueAttempt(trx, payment.id)
  if (paid) await settle(deps, trx, { payment, invoice, at, postings, items })
  else await postAllToLedger(trx, postings)
  return { payment, paid }
}

/** The card was declined: usage that it covered until now stays owed, and its customer is told. */
export async function declinePayment(
  deps: OrderDeps,
  trx: Trx,
  payment: PaymentRow,
  { at, code }: { at: Date; code: DeclineCode },
): Promise<void> {
  await deps.keepUsageCovered(trx, payment.userid)
  await endPayment(trx, payment, { event: 'declined', at, code })
  const invoice = await getInvoice(trx, payment.userid, payment.invoice_id)
  await recordCard(trx, 'payment.decline', payment, invoice)
  await mailDeclined(deps, trx, payment, { code, at })
}

/** A payment that took nothing: what was set aside for it is the customer's again. */
export async function endPayment(
  trx: Trx,
  payment: PaymentRow,
  { event, at, code = null }: { event: 'declined' | 'canceled'; at: Date; code?: string | null },
): Promise<void> {
  await movePaymentOn(trx, payment, event, { at, decline_code: code })
  const { promo, cash } = heldBy(payment)
  if (addMoney(promo, cash).minor === 0) return
  const about = { userid: payment.userid, at, document: payment.id, key: `${payment.id} release` }
  await postToLedger(trx, { ...about, kind: 'release', facts: { cash, promo } })
  await giveBackPromo(trx, payment.id, promo)
}
