import type { Trx } from '../../../platform/db/index.ts'
import type { CancelReason, PaymentRow } from '../records/documents/document-tables.ts'
import { findOpenPayment, updatePayment } from '../records/documents/payment-store.ts'
import { enqueueAttempt } from '../schedule/attempt-queue.ts'
import { endPayment } from './begin-payment.ts'

/** Whether a card may be charged for it yet; one that waits for a card is not under way. */
export function isUnderWay({ state, method_id }: Pick<PaymentRow, 'state' | 'method_id'>): boolean {
  return state !== 'created' || method_id !== null
}

/**
 * A payment under way is waited for. One that waits for its customer has failed: the gateway is asked to end it, so
 * that what was set aside for it is the customer's again before the next try and before the verdict.
 */
export async function endAsked(trx: Trx, payment: PaymentRow, at: Date): Promise<void> {
  if (payment.state === 'needs_action') await cancelPayment(trx, payment, { at, because: 'another' })
}

/**
 * Ends an invoice's payment that is under way, under the account's lock. True if none is under way any more. False if
 * it was sent: the gateway is asked to cancel it, and its clusters are woken when it has ended, paid or not. Then its
 * order lapses automatically, unless it was canceled for another attempt.
 */
export async function cancelOpenPayment(
  trx: Trx,
  { invoiceId, at, because }: { invoiceId: string; at: Date; because: CancelReason },
): Promise<boolean> {
  const payment = await findOpenPayment(trx, invoiceId)
  return payment === undefined || (await cancelPayment(trx, payment, { at, because }))
}

/** The same of the payment, which is open. */
export async function cancelPayment(
  trx: Trx,
  payment: PaymentRow,
  { at, because }: { at: Date; because: CancelReason },
): Promise<boolean> {
  if (payment.state === 'created') {
    await endPayment(trx, payment, { event: 'canceled', at })
    return true
  }
  if (payment.canceling_for === null || payment.canceling_for === 'another') {
    await updatePayment(trx, payment.id, { canceling_for: because })
  }
  await enqueueAttempt(trx, payment.id)
  return false
}
