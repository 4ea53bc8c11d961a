import type { PaymentAnswer } from '@atoll/contract/billing'
import { DeclineCode } from '@atoll/contract/payments'
import type { Locale } from '@atoll/contract/wire'
import { reasonText } from '@atoll/texts/reasons'
import { awaitChange } from '../../../platform/events/index.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { getPayment } from '../records/documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../records/documents/states.ts'

/** The payment once it has ended or its customer is asked; as it is then, when that takes longer than calls wait. */
export async function awaitOutcome(
  { db, feed, outcomeMs = 10_000 }: Pick<AttemptDeps, 'db' | 'feed' | 'outcomeMs'>,
  { userid, paymentId }: { userid: string; paymentId: string },
): Promise<PaymentRow> {
  const read = () => getPayment(db, userid, paymentId)
  const known = await awaitChange(feed, userid, outcomeMs, async () => {
    const payment = await read()
    return isKnown(payment) ? payment : undefined
  })
  return known ?? (await read())
}

/**
 * The state no longer changes without an act of the customer: the payment ended, or waits for the customer or a card.
 */
function isKnown({ state, method_id, canceling_for }: PaymentRow): boolean {
  if (state === 'created') return method_id === null
  return isEnd(paymentTransitions, state) || (state === 'needs_action' && canceling_for === null)
}

/** How far paying has come, for answers of calls that order and pay. */
export function outcomeOf(payment: PaymentRow): Pick<PaymentAnswer, 'paid' | 'pending' | 'actionUrl'> {
  const { state, action_url: actionUrl } = payment
  if (!isKnown(payment)) return { paid: false, pending: true }
  return { paid: state === 'succeeded', ...(state === 'needs_action' && actionUrl !== null && { actionUrl }) }
}

export function paymentAnswer(payment: PaymentRow, locale: Locale): PaymentAnswer {
  const { id: paymentId, invoice_id: invoiceId, state: status, decline_code: code } = payment
  const reason = code === null ? {} : { reason: reasonText({ key: DeclineCode.parse(code) }, locale) }
  return { ...outcomeOf(payment), status, paymentId, invoiceId, ...reason }
}
