import { type Money, money } from '@atoll/money'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'
import { getBalance, postToLedger } from '../../ledger/index.ts'
import type { PaymentRow } from '../documents/document-tables.ts'
import { sumTakenFromCard } from '../documents/payment-store.ts'
import { insertCardRefund, sumCardRefunds } from './card-refund-store.ts'

export const cardRefundJob = 'billing.cardRefund'

/** Why a payment's card cannot be given so much back: what it took of the card, or what the balance holds, is less. */
export interface TooMuch {
  left: Money
  of: 'card' | 'balance'
}

/**
 * Sends a part of the balance back to the card that `payment` charged: set aside here, asked of the gateway by a job.
 * Gives the refund's id, or why it is too much. Under the account's lock; `at` is time of the account.
 */
export async function orderCardRefund(
  trx: Trx,
  payment: PaymentRow,
  { amount, at }: { amount: Money; at: Date },
): Promise<string | TooMuch> {
  const { id: payment_id, userid, currency } = payment
  const left = (await sumTakenFromCard(trx, payment)) - (await sumCardRefunds(trx, payment_id))
  if (amount.minor > left) return { left: money(left, currency), of: 'card' }
  const cash = await getBalance(trx, userid, 'cash', currency)
  if (amount.minor > -cash.minor) return { left: money(Math.max(-cash.minor, 0), currency), of: 'balance' }
  const id = newId('rf')
  await insertCardRefund(trx, { id, userid, payment_id, currency, amount_minor: amount.minor, created_at: at })
  const facts = { cash: amount, promo: money(0, currency) }
  await postToLedger(trx, { userid, at, kind: 'hold', facts, document: id, key: `${id} hold` })
  await enqueueJob(trx, cardRefundJob, { refundId: id }, { key: `${cardRefundJob}:${id}` })
  await publishChange(trx, { account: userid, topic: 'billing', id })
  return id
}
