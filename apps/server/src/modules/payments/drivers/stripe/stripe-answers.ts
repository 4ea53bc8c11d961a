/** The parts of Stripe's answers that are read, and what they mean; all other parts are ignored. */
import type { DeclineCode } from '@atoll/contract/payments'
import { currencies, money } from '@atoll/money'
import { z } from 'zod'
import type { PaymentOutcome, RefundOutcome, Unknown } from '../../gateway/gateway.ts'

const Id = z.string().min(1).max(255)
/** Hosted pages have long addresses. */
const Url = z.url({ protocol: /^https?$/ }).max(4000)
const Word = z.string().max(100)
const Metadata = z.record(Word, z.string().max(500)).nullish()
const Minor = z.int().nonnegative()
/** Since 1970. */
const Seconds = z.int().nonnegative()

const ErrorFacts = z.object({ code: Word.nullish(), decline_code: Word.nullish() })
type ErrorFacts = z.infer<typeof ErrorFacts>

export const Intent = z.object({
  id: Id,
  status: Word,
  amount: Minor,
  amount_received: Minor.nullish(),
  currency: Word,
  customer: Id.nullish(),
  created: Seconds,
  metadata: Metadata,
  cancellation_reason: Word.nullish(),
  last_payment_error: ErrorFacts.nullish(),
})
export type Intent = z.infer<typeof Intent>

export const Session = z.object({
  id: Id,
  status: Word.nullish(),
  url: Url.nullish(),
  client_reference_id: Id.nullish(),
  payment_status: Word,
  amount_total: Minor.nullish(),
  currency: Word.nullish(),
  payment_intent: Id.nullish(),
})
export type Session = z.infer<typeof Session>

const CardMethod = z.object({
  id: Id,
  card: z.object({
    brand: Word,
    last4: z.string().regex(/^\d{4}$/),
    exp_month: z.int().min(1).max(12),
    exp_year: z.int().min(2000).max(9999),
    fingerprint: z.string().min(1).max(255).nullish(),
  }),
})

export const SetupSession = z.object({
  id: Id,
  status: Word.nullish(),
  url: Url.nullish(),
  customer: Id.nullish(),
  /** An id where it was not asked for whole. */
  setup_intent: z.union([Id, z.object({ payment_method: CardMethod.nullish() })]).nullish(),
})

export const Refund = z.object({
  id: Id,
  status: Word.nullish(),
  metadata: Metadata,
  amount: Minor,
  currency: Word,
  payment_intent: Id.nullish(),
})
export const Dispute = z.object({
  id: Id,
  status: Word,
  amount: Minor,
  currency: Word,
  payment_intent: Id.nullish(),
  reason: Word,
  evidence_details: z.object({ due_by: Seconds.nullish() }).nullish(),
  /** Amounts withdrawn (below zero) and reinstated, in the currency of the operator's account at Stripe. */
  balance_transactions: z.array(z.object({ amount: z.int(), currency: Word })).max(100),
})
export const Method = z.object({ id: Id, customer: Id.nullish() })
/** A page of a list, the newest first. */
export const listOf = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row).max(100), has_more: z.boolean() })

export const Event = z.object({
  id: Id,
  type: Word.nullish(),
  data: z.object({
    object: z.object({ object: Word.nullish(), metadata: Metadata, payment_intent: z.unknown().optional() }),
  }),
})
export type Event = z.infer<typeof Event>

/** Put on an intent that a page takes the place of, so that it is distinguished from one that ended. */
export const replacedReason = 'abandoned'

/** `unconfirmed`: the bank wants the customer; `replaced`: canceled since, for a page that may not be open yet. */
export type Standing = PaymentOutcome | { kind: 'unconfirmed' } | { kind: 'replaced' }

export function outcomeOfIntent(intent: Intent): Standing {
  const { id: ref, status, last_payment_error: error } = intent
  switch (status) {
    case 'succeeded':
      return doneOf(ref, intent.amount_received ?? intent.amount, intent.currency)
    case 'requires_confirmation':
      return { kind: 'open', ref }
    case 'requires_action':
      return { kind: 'unconfirmed' }
    case 'requires_payment_method':
      if (!error) return { kind: 'open', ref }
      return wantsCustomer(error) ? { kind: 'unconfirmed' } : { kind: 'declined', ref, code: declineOf(error) }
    case 'canceled':
      return intent.cancellation_reason === replacedReason ? { kind: 'replaced' } : { kind: 'canceled', ref }
    default:
      return { kind: 'unknown', why: `the payment is ${status}` }
  }
}

export function outcomeOfSession(session: Session): PaymentOutcome {
  const { id: ref, status } = session
  if (status === 'open' && session.url) return { kind: 'action', ref, url: session.url }
  if (status === 'expired') return { kind: 'canceled', ref }
  if (status === 'complete' && session.payment_status === 'paid' && session.payment_intent)
    return doneOf(session.payment_intent, session.amount_total ?? -1, session.currency ?? '')
  return { kind: 'unknown', why: `the page is ${status}, ${session.payment_status}` }
}

export function outcomeOfRefund({ id: ref, status }: z.infer<typeof Refund>): RefundOutcome {
  if (status === 'succeeded') return { kind: 'done', ref }
  if (status === 'pending' || status === 'requires_action') return { kind: 'pending', ref }
  if (status === 'failed' || status === 'canceled') return { kind: 'declined', code: 'refundRefused' }
  return { kind: 'unknown', why: `the refund is ${status}` }
}

function doneOf(ref: string, minor: number, name: string): PaymentOutcome | Unknown {
  const currency = currencies.find((one) => one === name)
  if (!currency || minor < 0) return { kind: 'unknown', why: `it took ${minor} ${name}` }
  return { kind: 'done', ref, captured: money(minor, currency) }
}

export function wantsCustomer({ code, decline_code }: ErrorFacts): boolean {
  return code === 'authentication_required' || decline_code === 'authentication_required'
}

/** Stripe's `decline_code`s and `code`s that say more than that the bank declined. */
const declines: Readonly<Record<string, DeclineCode>> = {
  insufficient_funds: 'cardFundsLacking',
  expired_card: 'cardExpired',
  expired_payment_method: 'cardExpired',
  incorrect_number: 'cardNumberWrong',
  invalid_number: 'cardNumberWrong',
  incorrect_cvc: 'cardCodeWrong',
  invalid_cvc: 'cardCodeWrong',
  lost_card: 'cardBlocked',
  stolen_card: 'cardBlocked',
  pickup_card: 'cardBlocked',
  restricted_card: 'cardBlocked',
  card_velocity_exceeded: 'cardLimitReached',
  withdrawal_count_limit_exceeded: 'cardLimitReached',
  currency_not_supported: 'cardCurrencyRefused',
  payment_method_currency_mismatch: 'cardCurrencyRefused',
  authentication_required: 'cardUnconfirmed',
  payment_intent_authentication_failure: 'cardConfirmationFailed',
  processing_error: 'bankUnreachable',
  issuer_not_available: 'bankUnreachable',
  reenter_transaction: 'bankUnreachable',
  try_again_later: 'bankUnreachable',
}

export function declineOf({ code, decline_code }: ErrorFacts): DeclineCode {
  return declines[decline_code ?? ''] ?? declines[code ?? ''] ?? 'cardDeclined'
}
