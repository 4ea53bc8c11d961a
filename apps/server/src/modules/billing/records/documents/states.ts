/**
 * The states of billing's documents (design: billing, "Documents"). Pure; an absent cell is a refusal.
 *
 * Subscription, item   unpaid → active when its order is paid, canceled when that lapses · active ⇄ past_due while a
 *                      renewal is owed → ended: given up, or given up on. Writers: order, settle, dunning, refund.
 * Invoice              open → paid, void (order lapsed), uncollectible (given up on, may still be paid) · paid → open
 *                      for what a bank took back for good of what had paid it.
 * Payment              created → sending: whatever became of it is asked; what is found nowhere is made again, which
 *                      charges nothing. One that no card has a part in goes from created to succeeded. Ends: succeeded,
 *                      declined, canceled.
 * Repeats              who writes holds the account's lock and reads the state again under it; an event that came twice
 *                      is refused the second time.
 */
import type { InvoiceState, PaymentState, SubscriptionState } from '@atoll/contract/billing'

export { invoiceStates, paymentStates, subscriptionStates } from '@atoll/contract/billing'
export type { InvoiceState, PaymentState, SubscriptionState }
export type SubscriptionEvent = 'paid' | 'lapsed' | 'overdue' | 'settled' | 'ended'

export type InvoiceEvent = 'paid' | 'voided' | 'givenUp' | 'lost'

export type PaymentEvent = 'sent' | 'succeeded' | 'declined' | 'actionNeeded' | 'unanswered' | 'canceled'

type Table<State extends string, Event extends string> = { readonly [S in State]: { readonly [E in Event]?: State } }

export const subscriptionTransitions: Table<SubscriptionState, SubscriptionEvent> = {
  unpaid: { paid: 'active', lapsed: 'canceled' },
  active: { overdue: 'past_due', ended: 'ended' },
  past_due: { settled: 'active', ended: 'ended' },
  canceled: {},
  ended: {},
}

export const invoiceTransitions: Table<InvoiceState, InvoiceEvent> = {
  open: { paid: 'paid', voided: 'void', givenUp: 'uncollectible' },
  paid: { lost: 'open' },
  void: {},
  uncollectible: { paid: 'paid' },
}

/** The state that a gateway's answer gives to a payment that was sent. */
const answered = {
  succeeded: 'succeeded',
  declined: 'declined',
  actionNeeded: 'needs_action',
  unanswered: 'unknown',
  canceled: 'canceled',
} as const
export const paymentTransitions: Table<PaymentState, PaymentEvent> = {
  created: { sent: 'sending', succeeded: 'succeeded', canceled: 'canceled' },
  sending: answered,
  needs_action: answered,
  unknown: answered,
  succeeded: {},
  declined: {},
  canceled: {},
}

/** Whether nothing leads on from the state. */
export function isEnd<State extends string>(table: Table<State, string>, state: State): boolean {
  return Object.keys(table[state]).length === 0
}

/** The state after `event`; undefined when the state does not accept it. */
export function stateAfter<State extends string, Event extends string>(
  table: Table<State, Event>,
  state: State,
  event: Event,
): State | undefined {
  return table[state][event]
}

/** The state after an event that must be accepted; throws, so that its transaction leaves nothing. */
export function requireState<State extends string, Event extends string>(
  table: Table<State, Event>,
  state: State,
  event: Event,
): State {
  const next = stateAfter(table, state, event)
  if (next === undefined) throw new Error(`What is ${state} cannot be ${event}.`)
  return next
}
