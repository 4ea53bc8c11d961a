import type { Invoice, Payment } from './invoice/use-payment.ts'

/**
 * The next step: `pay`; `approve` at the bank; `wait` for the bank; none, as it is `paid` or `over` (void, or another
 * try of it).
 */
export type PaymentStage = 'pay' | 'approve' | 'wait' | 'paid' | 'over'

export function paymentStage(invoice: Invoice, payment: Payment | undefined): PaymentStage {
  if (payment?.status === 'needs_action' && payment.actionUrl !== undefined) return 'approve'
  if (payment && isAtBank(payment)) return 'wait'
  if (invoice.actions.includes('pay')) return 'pay'
  return invoice.status === 'paid' && (payment === undefined || payment.status === 'succeeded') ? 'paid' : 'over'
}

/** A card is being charged; one that was begun without a card waits for a person. */
function isAtBank({ status, cardLast4 }: Payment): boolean {
  return status === 'sending' || status === 'unknown' || (status === 'created' && cardLast4 !== undefined)
}
