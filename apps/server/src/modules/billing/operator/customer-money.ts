/** What an operator does with a customer's money from the console: the same postings as the commands make. */
import { formatMajorUnits, type Money, money } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { lockOperated } from '../../accounts/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { orderCardRefund } from '../pay/order-card-refund.ts'
import { findPayment } from '../records/documents/payment-store.ts'
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

/** Whose payment that is, and in what; refuses one that there is none of. */
export async function getPayment(
  trx: Trx,
  paymentId: string,
): Promise<{ userid: string; currency: Money['currency'] }> {
  const payment = (await findPayment(trx, paymentId)) ?? refuse('notFound', { object: 'payment' })
  return { userid: payment.userid, currency: payment.currency }
}

/** Sends `minor` back to the card of a payment: at most what that card paid, and what the balance holds. */
export async function refundCustomer(
  { clock, keepUsageCovered }: MoneyDeps,
  trx: Trx,
  { paymentId, minor }: { paymentId: string; minor: number },
): Promise<Money> {
  const payment = await getPayment(trx, paymentId)
  const { userid, now } = await lockOperated(trx, payment.userid)
  const amount = money(minor, payment.currency)
  await keepUsageCovered(trx, userid)
  const charged = { userid, paymentId, captureId: null }
  const ordered = await orderCardRefund(trx, charged, { amount, at: now(clock) })
  if (typeof ordered === 'string') return amount
  if (ordered.of === 'dispute') refuse('paymentDisputed')
  return refuse('amountTooLarge', { limit: `${formatMajorUnits(ordered.left)} ${payment.currency.toUpperCase()}` })
}
