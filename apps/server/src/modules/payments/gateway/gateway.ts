/**
 * The interface that billing uses to charge cards. A payment is first created unconfirmed, which charges nothing, and
 * then confirmed; so a payment whose answer was lost can be looked up. One that is not found is created again under the
 * next key, because creating it charges nothing; a confirmation is never repeated under another key.
 *
 *   absent ─create─▶ open ─confirm─▶ done | declined
 *                      │       └───▶ action (the customer confirms on a page) ─▶ done | declined | canceled
 *                      └─cancel─▶ canceled
 *
 * Our own ids are the idempotency keys: a repeated call with the same ids changes nothing and returns the current
 * state. A call that fails or gets no clear answer returns `unknown` and never throws; `read`, or `find` if the ref was
 * lost, gives the outcome later. Every answer is parsed, of bounded size, and waited for a bounded time. Outcomes are
 * written by billing for payments, by this module for cards. Both drivers pass `testing/gateway-conformance.ts`.
 */

import type { DeclineCode } from '@atoll/contract/payments'
import type { Locale } from '@atoll/contract/wire'
import type { Currency, Money } from '@atoll/money'
import type { MovementsPage, ReadMovements } from './gateway-movements.ts'
import type { Unknown } from './unknown-answer.ts'

export type { Unknown } from './unknown-answer.ts'

export const gatewayNames = ['sandbox', 'stripe'] as const
export type GatewayName = (typeof gatewayNames)[number]

export interface PaymentGateway {
  readonly name: GatewayName
  /** Opens the hosted page on which a card is entered; charges nothing. */
  openSetup(setup: SetupOrder): Promise<OpenedPage | Unknown>
  readSetup(setup: { setupId: string; ref: string }): Promise<SetupOutcome>
  /** Makes the payment, unconfirmed: `open`. */
  create(order: PaymentOrder): Promise<PaymentOutcome>
  /** Charges an `open` payment without the customer; `action` when their bank wants them to confirm it. */
  confirm(order: PaymentOrder & { ref: string }): Promise<PaymentOutcome>
  read(payment: PaymentRef): Promise<PaymentOutcome>
  /** The payment by our own id, where the gateway's ref was lost; `absent` when there is none. */
  find(payment: Pick<PaymentOrder, 'paymentId' | 'card'>): Promise<PaymentOutcome>
  /** Ends what is `open` or waits for an action: `canceled`, or how it ended before that. */
  cancel(payment: PaymentRef): Promise<PaymentOutcome>
  /** Returns a part of a payment that is done. All refunds together are never more than what it took. */
  refund(refund: RefundOrder): Promise<RefundOutcome>
  /** `absent` when the gateway never received it. */
  readRefund(refund: Pick<RefundOrder, 'refundId' | 'paymentRef'>): Promise<RefundOutcome>
  /**
   * Captures of payments that carry one of our ids, 100 at most, those after `after`, of one customer or of all. Other
   * uses of the gateway's account are left out.
   */
  listCaptures(page: { after: string | null; customer?: string }): Promise<CapturePage | Unknown>
  /** Refunds and disputes of one payment, by the ref under which it was captured. */
  readMovements(paymentRef: string): Promise<ReadMovements>
  /** Refunds and disputes of all payments that began at `since` or later, page after page. */
  listMovements(page: { since: Date; after: string | null }): Promise<MovementsPage>
  /** Repeated, it changes nothing: a bank takes one answer. `refused`: it takes none any more. */
  answerDispute(answer: DisputeAnswer): Promise<{ kind: 'done' } | { kind: 'refused'; why: string } | Unknown>
  /** Forgets a card; it cannot be charged again. One that is gone already is success. */
  detach(card: CardRef): Promise<{ kind: 'done' } | Unknown>
  /** The subject of an event; undefined if the gateway did not sign it, or signed it too long ago. Makes no request. */
  verifyWebhook(webhook: Webhook): GatewayEvent | undefined
}

/** A card as the gateway knows it; both are its own ids. */
export interface CardRef {
  customer: string
  card: string
}

/** All that is known here of a card. */
export interface CardFacts {
  /** `visa`, `mastercard` … */
  brand: string
  last4: string
  expMonth: number
  expYear: number
  /** The same for the same card number, on any account; null if the gateway does not tell. */
  fingerprint: string | null
}

export interface SetupOrder {
  setupId: string
  /** How often it was asked for, from 1: each has a key of its own, as a payment's. */
  sending: number
  userid: string
  /** The gateway's id of somebody who has had a card before. */
  customer: string | undefined
  currency: Currency
  locale: Locale
  /** A page of our own console, whole. */
  returnUrl: string
}

export interface PaymentOrder {
  /** `pay_…`; the idempotency key. */
  paymentId: string
  /** How often it has been made, from 1: what was found nowhere is made again under a key of its own. */
  sending: number
  card: CardRef
  amount: Money
  /** The document that it pays, stored with the capture, so that it can be identified if our own rows are lost. */
  pays: PaidDocument
  /** Text for the customer on the gateway's page, such as an invoice's number. */
  description: string
  /** For the page on which the customer confirms. */
  locale: Locale
  returnUrl: string
}

/** The document that a payment pays. */
export interface PaidDocument {
  /** Id of the invoice. */
  document: string
  /** Its number, such as ATL-7K3QD-0010. */
  number: string
  /** First and last instant, ISO 8601, joined by a slash. */
  period: string
}

/** `ref` is the newest that an outcome gave. */
export interface PaymentRef {
  paymentId: string
  ref: string
  card: CardRef
}

export interface RefundOrder {
  refundId: string
  paymentRef: string
  amount: Money
}

export interface OpenedPage {
  kind: 'action'
  ref: string
  url: string
}

export type SetupOutcome =
  | { kind: 'done'; card: CardRef; facts: CardFacts }
  | { kind: 'open' }
  | { kind: 'canceled' }
  | Unknown

/** `ref` is to be kept in place of the one before: after an action it may be another. */
export type PaymentOutcome =
  | { kind: 'open'; ref: string }
  | { kind: 'done'; ref: string; captured: Money }
  | { kind: 'declined'; ref: string; code: DeclineCode }
  | { kind: 'action'; ref: string; url: string }
  | { kind: 'canceled'; ref: string }
  /** The request itself was refused, or the payment is not known: nothing was and nothing will be charged. */
  | { kind: 'declined'; ref: null; code: DeclineCode }
  | { kind: 'absent' }
  | Unknown

export type RefundOutcome =
  | { kind: 'done'; ref: string }
  /** On its way; asked again. */
  | { kind: 'pending'; ref: string }
  | { kind: 'declined'; code: DeclineCode }
  | { kind: 'absent' }
  | Unknown

/** An answer to a bank about a dispute, by the gateway's id of that; `evidence` null: it is accepted. */
export interface DisputeAnswer {
  ref: string
  /** In the operator's words, and from where the customer had signed in. */
  evidence: { text: string; access: string } | null
}

/** Money that was taken. */
export interface Capture {
  paymentId: string
  ref: string
  amount: Money
  /** The gateway's id of who paid; null where it does not tell. */
  customer: string | null
  /** Null for one from before documents were named. */
  pays: PaidDocument | null
  at: Date
}

export interface CapturePage {
  kind: 'page'
  captures: Capture[]
  /** Where the next page begins; null: there is none. */
  next: string | null
}

export interface Webhook {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** As it came: what is signed are its bytes. */
  body: Buffer
  now: Date
}

export interface GatewayEvent {
  /** The gateway's; the same when it is sent again. */
  id: string
  /**
   * The object that may have changed: a payment or a page, by our own id; `movements` of a payment, by the gateway's
   * ref. Null if it is not ours.
   */
  about: { kind: 'payment' | 'setup' | 'movements'; id: string } | null
}
