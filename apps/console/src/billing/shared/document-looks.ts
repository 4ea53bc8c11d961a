/** How the states of invoices, payments and subscriptions look, and what they are called. */
import type { InvoiceState, PaymentState, SubscriptionState } from '@atoll/contract/billing'
import type { BadgeColour, BadgeShape } from '@atoll/contract/clusters'
import { lookUp } from '@atoll/contract/wire'
import type { TextKey } from '../../locales/text.ts'

export interface DocumentLook {
  label: TextKey
  colour: BadgeColour
  shape: BadgeShape
  /** It waits for the reader. */
  tint?: 'amber' | 'coral'
}

/**
 * How a state looks; one that is not known yet is grey, with its word (a key that no language has is shown as it is).
 */
export function lookOf<State extends string>(looks: Readonly<Record<State, DocumentLook>>, state: State): DocumentLook {
  return lookUp(looks, state, { label: state as string as TextKey, colour: 'grey', shape: 'hollow' })
}

export const invoiceLooks: Record<InvoiceState, DocumentLook> = {
  open: { label: 'money.invoiceOpen', colour: 'amber', shape: 'hollow', tint: 'amber' },
  paid: { label: 'money.invoicePaid', colour: 'green', shape: 'disc' },
  void: { label: 'money.invoiceVoid', colour: 'grey', shape: 'hollow' },
  uncollectible: { label: 'money.invoiceUncollectible', colour: 'coral', shape: 'disc', tint: 'coral' },
}

const paymentLooks: Record<PaymentState, DocumentLook> = {
  created: { label: 'money.paymentCreated', colour: 'amber', shape: 'ring' },
  sending: { label: 'money.paymentSending', colour: 'amber', shape: 'ring' },
  succeeded: { label: 'money.paymentSucceeded', colour: 'green', shape: 'disc' },
  declined: { label: 'money.paymentDeclined', colour: 'coral', shape: 'disc', tint: 'coral' },
  needs_action: { label: 'money.paymentNeedsAction', colour: 'amber', shape: 'hollow', tint: 'amber' },
  unknown: { label: 'money.paymentUnknown', colour: 'amber', shape: 'ring' },
  canceled: { label: 'money.paymentCanceled', colour: 'grey', shape: 'square' },
}
/** Begun without a card: it waits until one pays. */
const waiting: DocumentLook = { label: 'money.paymentWaiting', colour: 'amber', shape: 'hollow', tint: 'amber' }

export function paymentLook({ status, cardLast4 }: { status: PaymentState; cardLast4?: string | undefined }) {
  return status === 'created' && cardLast4 === undefined ? waiting : lookOf(paymentLooks, status)
}

export const subscriptionLooks: Record<SubscriptionState, DocumentLook> = {
  unpaid: { label: 'money.subscriptionUnpaid', colour: 'coral', shape: 'disc', tint: 'coral' },
  active: { label: 'money.subscriptionActive', colour: 'green', shape: 'disc' },
  past_due: { label: 'money.subscriptionPastDue', colour: 'coral', shape: 'disc', tint: 'coral' },
  canceled: { label: 'money.subscriptionCanceled', colour: 'grey', shape: 'square' },
  ended: { label: 'money.subscriptionEnded', colour: 'grey', shape: 'square' },
}
