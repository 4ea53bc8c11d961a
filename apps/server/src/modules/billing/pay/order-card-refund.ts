import { type Money, money } from '@atoll/money'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import { type Charged, insertCardRefund, sumCardRefunds } from '../records/card-refund-store.ts'
import { isDisputed, readSpendable, sumWithdrawn } from '../records/dispute-store.ts'
import { sumTakenFromCard } from '../records/documents/payment-store.ts'

export const cardRefundJob = 'billing.cardRefund'

/**
 * Why a card cannot be given so much back: what was taken of it and not taken back by its bank, or what the balance
 * holds, is less; or its bank disputes the charge.
 */
export type TooMuch = { left: Money; of: 'card' | 'balance' } | { of: 'dispute' }

/**
 * Sends a part of the balance back to the card that was charged: set aside here, asked of the gateway by a job. Gives
 * the refund's id, or why it cannot be. Under the account's lock; `at` is time of the account.
 */
export async function orderCardRefund(
  trx: Trx,
  charged: Charged,
  { amount, at }: { amount: Money; at: Date },
): Promise<string | TooMuch> {
  const { userid, paymentId, captureId } = charged
  const { currency } = amount
  if (await isDisputed(trx, charged)) return { of: 'dispute' }
  const taken = await sumTakenFromCard(trx, { userid, id: paymentId ?? captureId ?? '' })
  const left = taken - (await sumCardRefunds(trx, charged)) - (await sumWithdrawn(trx, charged))
  if (amount.minor > left) return { left: money(Math.max(left, 0), currency), of: 'card' }
  const cash = await readSpendable(trx, userid, currency)
  if (amount.minor > -cash.minor) return { left: money(Math.max(-cash.minor, 0), currency), of: 'balance' }
  const id = newId('rf')
  const of = { payment_id: paymentId, capture_id: captureId }
  await insertCardRefund(trx, { id, userid, ...of, currency, amount_minor: amount.minor, created_at: at })
  const facts = { cash: amount, promo: money(0, currency) }
  await postToLedger(trx, { userid, at, kind: 'hold', facts, document: id, key: `${id} hold` })
  await enqueueJob(trx, cardRefundJob, { refundId: id }, { key: `${cardRefundJob}:${id}` })
  await publishChange(trx, { account: userid, topic: 'billing', id })
  return id
}
