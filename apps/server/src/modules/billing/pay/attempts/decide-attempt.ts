/**
 * The next step of a payment with a card, from its row and the gateway's answer. Pure.
 *
 *   created ─send─▶ sending ─the gateway's answer─▶ succeeded | declined | canceled
 *                      │ ▲                └───────▶ needs_action | unknown ─asked again─▶ …
 *                      └─┘ found nowhere: made again, under the next key
 *
 * Writers: only the reconciler (payment-reconcile.ts) moves a payment that was sent; `cancelOpenPayment` only asks it
 * to.
 *
 * Repeats: a payment that was sent is looked up, by ref or by our own id. If it is not found, it is created again,
 * which charges nothing: a payment that appears late is never confirmed, because the first ref that is stored stays.
 * `open` has charged nothing yet, and confirming it twice charges once. A capture of a payment that had ended becomes
 * credit, or is refunded.
 */
import type { DeclineCode } from '@atoll/contract/payments'
import type { Money } from '@atoll/money'
import type { PaymentOutcome } from '../../../payments/index.ts'
import type { PaymentRow } from '../../records/documents/document-tables.ts'
import { isEnd, paymentTransitions } from '../../records/documents/states.ts'

export interface AttemptFacts {
  payment: Pick<
    PaymentRow,
    'state' | 'card_minor' | 'currency' | 'method_id' | 'gateway' | 'gateway_ref' | 'canceling_for'
  >
  /** Whether the account still has the card, and does not dispute what it paid. */
  hasCard: boolean | 'disputed'
  /** Of the driver that is configured. */
  gatewayName: string
  /** How it stands there; null for one that was not sent. */
  outcome: PaymentOutcome | null
}

export type AttemptStep =
  | { do: 'rest' }
  | { do: 'send' }
  | { do: 'confirm'; ref: string }
  | { do: 'cancel'; ref: string }
  | { do: 'settle'; ref: string; captured: Money }
  | { do: 'awaitCustomer'; ref: string; url: string }
  | { do: 'end'; event: 'declined'; ref: string | null; code: DeclineCode }
  | { do: 'end'; event: 'canceled'; ref: string | null }
  /** A capture of a payment that had ended without one. */
  | { do: 'creditLate'; ref: string; captured: Money }
  /** No clear answer; `isWrong`: the gateway took what it was not asked for, which a person has to check. */
  | { do: 'askAgain'; why: string; isWrong: boolean }

export function decideAttempt({ payment, hasCard, gatewayName, outcome }: AttemptFacts): AttemptStep {
  if (payment.method_id === null) return { do: 'rest' }
  if (isEnd(paymentTransitions, payment.state)) return decideEnded(payment, outcome)
  if (payment.gateway !== gatewayName) return decideElsewhere(payment)
  if (payment.state === 'created') return sendWith(hasCard)
  const isWanted = payment.canceling_for === null
  switch (outcome?.kind) {
    case undefined:
      return { do: 'askAgain', why: 'it was not asked for', isWrong: false }
    case 'open':
      return { do: isWanted ? 'confirm' : 'cancel', ref: outcome.ref }
    case 'action':
      if (!isWanted) return { do: 'cancel', ref: outcome.ref }
      return { do: 'awaitCustomer', ref: outcome.ref, url: outcome.url }
    case 'done':
      return decideCaptured(payment, outcome)
    case 'declined':
      return { do: 'end', event: 'declined', ref: outcome.ref, code: outcome.code }
    case 'canceled':
      return { do: 'end', event: 'canceled', ref: outcome.ref }
    case 'absent':
      // It never arrived: nothing was charged, and nothing will be before it is made again.
      if (!isWanted) return { do: 'end', event: 'canceled', ref: null }
      if (payment.gateway_ref === null) return sendWith(hasCard)
      return { do: 'end', event: 'declined', ref: null, code: 'bankUnreachable' }
    case 'unknown':
      return { do: 'askAgain', why: outcome.why, isWrong: false }
  }
}

function sendWith(hasCard: AttemptFacts['hasCard']): AttemptStep {
  if (hasCard === true) return { do: 'send' }
  return { do: 'end', event: 'declined', ref: null, code: hasCard === 'disputed' ? 'cardDisputed' : 'cardGone' }
}

/** Nothing more is expected of it; should the gateway have charged it nevertheless, that is the customer's. */
function decideEnded(payment: AttemptFacts['payment'], outcome: PaymentOutcome | null): AttemptStep {
  if (payment.state === 'succeeded' || outcome === null) return { do: 'rest' }
  if (outcome.kind === 'unknown') return { do: 'askAgain', why: outcome.why, isWrong: false }
  if (outcome.kind === 'done') {
    const step = decideCaptured(payment, outcome)
    return step.do === 'settle' ? { ...step, do: 'creditLate' } : step
  }
  return outcome.kind === 'open' || outcome.kind === 'action' ? { do: 'cancel', ref: outcome.ref } : { do: 'rest' }
}

/** The operator changed gateways: what was not sent cannot be, and what was is not known here. */
function decideElsewhere({ state, gateway }: AttemptFacts['payment']): AttemptStep {
  if (state === 'created') return { do: 'end', event: 'declined', ref: null, code: 'cardGone' }
  return { do: 'askAgain', why: `the gateway ${gateway} is not in use`, isWrong: false }
}

function decideCaptured(
  { card_minor: asked, currency }: AttemptFacts['payment'],
  { ref, captured }: Extract<PaymentOutcome, { kind: 'done' }>,
): AttemptStep {
  if (captured.minor === asked && captured.currency === currency) return { do: 'settle', ref, captured }
  const took = `${captured.minor} ${captured.currency}`
  return { do: 'askAgain', why: `it took ${took} and was asked for ${asked} ${currency}`, isWrong: true }
}
