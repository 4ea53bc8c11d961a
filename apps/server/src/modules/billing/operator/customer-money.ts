/** An operator's acts on a customer's money from the console: the same postings as the commands make. */
import { allocate, formatMajorUnits, type Money, money, subtractMoney, sumMoney } from '@atoll/money'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockOperated } from '../../accounts/index.ts'
import { postings, postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { giveCredit } from '../pay/bills/give-credit.ts'
import { creditOf } from '../pay/credit/credit-of.ts'
import { readShares } from '../pay/credit/refundable-lines.ts'
import { orderCardRefund } from '../pay/order-card-refund.ts'
import { sumRefunds } from '../pricing/price-refund.ts'
import { isDisputed } from '../records/dispute-store.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { findPayment, getPayment as getDocument } from '../records/documents/payment-store.ts'
import { insertGrant } from '../records/documents/promo-store.ts'
import { retryOwed } from '../records/retry-owed.ts'

type MoneyDeps = { clock: Clock } & Pick<OrderDeps, 'keepUsageCovered'>

/** Credits `minor` to the balance, or as promotional credit without an end; what is owed is tried with it. */
export async function creditCustomer(
  { clock }: Pick<MoneyDeps, 'clock'>,
  trx: Trx,
  { userid, minor, kind }: { userid: string; minor: number; kind: 'cash' | 'promo' },
): Promise<Money> {
  const { currency, now } = await lockOperated(trx, userid)
  const at = now(clock)
  const amount = money(minor, currency)
  const id = newId('gr')
  if (kind === 'promo') await insertGrant(trx, { id, userid, amount, expiresAt: null, at })
  const about = { userid, at, facts: { amount }, document: id, key: `${id} granted` }
  await postToLedger(trx, { ...about, kind: kind === 'promo' ? 'grant' : 'adjust' })
  await retryOwed(trx, userid, at)
  await publishChange(trx, { account: userid, topic: 'billing', id })
  return amount
}

/** Whose payment that is, in what, and of which invoice; refuses one that there is none of. */
export async function getPayment(
  trx: Trx,
  paymentId: string,
): Promise<{ userid: string; currency: Money['currency']; number: string }> {
  const { userid, currency, invoice_id } =
    (await findPayment(trx, paymentId)) ?? refuse('notFound', { object: 'payment' })
  return { userid, currency, number: (await getInvoice(trx, userid, invoice_id)).number }
}

export interface Refund {
  paymentId: string
  /** Minor units. */
  minor: number
  /** Of what it paid, to its card or the balance; or `payout`: what the balance holds, to its card. */
  way: 'card' | 'balance' | 'payout'
  /** Printed on the credit note. */
  reason: string
}

/**
 * Gives money of a payment back: a credit note of its invoice, to the balance, and from there to the card at most what
 * that card paid. The invoice stays as it is, and nothing is stopped.
 */
export async function refundCustomer(
  { clock, keepUsageCovered }: MoneyDeps,
  trx: Trx,
  { paymentId, minor, way, reason }: Refund,
): Promise<Money> {
  const { userid, currency } = await getPayment(trx, paymentId)
  const at = (await lockOperated(trx, userid)).now(clock)
  const payment = await getDocument(trx, userid, paymentId)
  const amount = money(minor, currency)
  const charged = { userid, paymentId, captureId: null }
  if (await isDisputed(trx, charged)) refuse('refundDisputed')
  await keepUsageCovered(trx, userid)
  if (way !== 'payout') await creditPaid({ clock }, trx, payment, { amount, reason, at })
  if (way === 'balance') {
    await retryOwed(trx, userid, at)
    await publishChange(trx, { account: userid, topic: 'billing', id: paymentId })
    return amount
  }
  const ordered = await orderCardRefund(trx, charged, { amount, at })
  if (typeof ordered === 'string') return amount
  if (ordered.of === 'dispute') refuse('refundDisputed')
  return refuseAbove(ordered.left)
}

/** The credit note of what a payment paid, over the lines of its invoice as they paid in. */
async function creditPaid(
  deps: Pick<MoneyDeps, 'clock'>,
  trx: Trx,
  { userid, invoice_id, state, currency }: PaymentRow,
  { amount, reason, at }: { amount: Money; reason: string; at: Date },
): Promise<void> {
  const invoice = await getInvoice(trx, userid, invoice_id)
  // Usage is priced again when readings come late, against what was billed of it less what was given back.
  const { shares } = await readShares(trx, invoice, ({ revenue }) => revenue !== 'usage')
  // The part that promotional credit paid never becomes cash.
  const rooms = shares.map(({ net, promo, credited }) => money(net.minor - credited.minor - promo.minor, currency))
  const room = state === 'succeeded' && invoice.state === 'paid' ? sumMoney(rooms, currency) : money(0, currency)
  if (amount.minor > room.minor) refuseAbove(room)
  const back = allocate(amount, rooms)
  const none = money(0, currency)
  const items = shares.map(({ net, promo }, index) => {
    const toBalance = back[index] ?? none
    const key = `${invoice.id} ${shares[index]?.line.line}`
    return {
      key,
      hasRun: true,
      kept: subtractMoney(subtractMoney(net, promo), toBalance),
      toBalance,
      offOwed: none,
      toPromo: none,
    }
  })
  const lines = shares.map(({ line }) => ({ ...line, instanceId: '' }))
  const credit = creditOf({ invoice, lines, refundable: shares }, sumRefunds(items, currency), null)
  if (!credit) refuseAbove(none)
  await giveCredit(deps, trx, { ...credit, cause: 'refunded', reason, at })
}

function refuseAbove(most: Money): never {
  return refuse('amountTooLarge', { limit: `${formatMajorUnits(most)} ${most.currency.toUpperCase()}` })
}

/** Whether anything was ever booked, billed or ordered in the currency of an account, or a spend cap is set in it. */
export async function hasBooked(db: Db, userid: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select exists (select from ${postings} posting where book = ${userid})
    or exists (select from invoices where userid = ${userid})
    or exists (select from subscriptions where userid = ${userid})
    or (select amount_minor from spend_caps where userid = ${userid} order by set_at desc limit 1) is not null
    as is`.execute(db)
  return rows[0]?.is ?? false
}
