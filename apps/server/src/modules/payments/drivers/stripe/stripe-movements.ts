/** Captures, refunds and disputes from Stripe's lists. Its searches are not used: they lag behind. */
import { currencies, divideHalfEven, type Money, money } from '@atoll/money'
import type Stripe from 'stripe'
import type { z } from 'zod'
import type { Capture, CapturePage, DisputeAnswer, Unknown } from '../../gateway/gateway.ts'
import type {
  DisputeState,
  MovedDispute,
  MovedRefund,
  MovementsPage,
  ReadMovements,
} from '../../gateway/gateway-movements.ts'
import { Dispute, Intent, listOf, outcomeOfIntent, outcomeOfRefund, Refund } from './stripe-answers.ts'
import { askStripe, unknownOf } from './stripe-client.ts'

export async function listCaptures(
  stripe: Stripe,
  { after, customer }: { after: string | null; customer?: string },
): Promise<CapturePage | Unknown> {
  const answer = await askStripe(listOf(Intent), () =>
    stripe.paymentIntents.list({
      limit: 100,
      ...(customer !== undefined && { customer }),
      ...(after !== null && { starting_after: after }),
    }),
  )
  if (answer.kind !== 'answer') return unknownOf(answer)
  const { data, has_more: goesOn } = answer.value
  return { kind: 'page', captures: data.flatMap(captureOf), next: goesOn ? (data.at(-1)?.id ?? null) : null }
}

function captureOf(intent: Intent): Capture[] {
  const { payment_id: paymentId, document, number, period } = intent.metadata ?? {}
  const outcome = outcomeOfIntent(intent)
  if (!paymentId || outcome.kind !== 'done') return []
  const pays = document && number && period ? { document, number, period } : null
  const at = new Date(intent.created * 1000)
  return [{ paymentId, ref: intent.id, amount: outcome.captured, customer: intent.customer ?? null, pays, at }]
}

export async function readMovements(stripe: Stripe, paymentRef: string): Promise<ReadMovements> {
  const [refunds, disputes] = await Promise.all([
    askStripe(listOf(Refund), () => stripe.refunds.list({ payment_intent: paymentRef, limit: 100 })),
    askStripe(listOf(Dispute), () => stripe.disputes.list({ payment_intent: paymentRef, limit: 100 })),
  ])
  if (refunds.kind !== 'answer') return unknownOf(refunds)
  if (disputes.kind !== 'answer') return unknownOf(disputes)
  if (refunds.value.has_more || disputes.value.has_more) {
    return { kind: 'unknown', why: `${paymentRef} has more than 100 refunds or disputes` }
  }
  return {
    kind: 'movements',
    refunds: refunds.value.data.flatMap(refundOf),
    disputes: disputes.value.data.flatMap(disputeOf),
  }
}

/** All refunds, then all disputes: the cursor begins with which of both it is of. */
export async function listMovements(
  stripe: Stripe,
  { since, after }: { since: Date; after: string | null },
): Promise<MovementsPage> {
  const [list, last] = (after ?? 'refunds ').split(' ')
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const params = { limit: 100, created, ...(last && { starting_after: last }) }
  const nextOf = ({ data, has_more }: { data: { id: string }[]; has_more: boolean }) =>
    has_more ? data.at(-1)?.id : undefined
  if (list === 'refunds') {
    const answer = await askStripe(listOf(Refund), () => stripe.refunds.list(params))
    if (answer.kind !== 'answer') return unknownOf(answer)
    const next = nextOf(answer.value)
    const rows = answer.value.data.flatMap(refundOf)
    return { kind: 'page', refunds: rows, disputes: [], next: next === undefined ? 'disputes ' : `refunds ${next}` }
  }
  const answer = await askStripe(listOf(Dispute), () => stripe.disputes.list(params))
  if (answer.kind !== 'answer') return unknownOf(answer)
  const next = nextOf(answer.value)
  const rows = answer.value.data.flatMap(disputeOf)
  return { kind: 'page', refunds: [], disputes: rows, next: next === undefined ? null : `disputes ${next}` }
}

const refundStates = { done: 'done', pending: 'pending', declined: 'failed' } as const

function refundOf(refund: z.infer<typeof Refund>): MovedRefund[] {
  const outcome = outcomeOfRefund(refund)
  const amount = moneyOf(refund.amount, refund.currency)
  if (!refund.payment_intent || !amount || outcome.kind === 'unknown' || outcome.kind === 'absent') return []
  const refundId = refund.metadata?.['refund_id'] ?? null
  return [{ paymentRef: refund.payment_intent, ref: refund.id, refundId, amount, state: refundStates[outcome.kind] }]
}

/** Stripe's `status` of a dispute; any other, such as under_review, is one that goes on. */
const disputeStates: Readonly<Record<string, DisputeState>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'closed',
  prevented: 'closed',
  won: 'won',
  lost: 'lost',
}

function disputeOf(dispute: z.infer<typeof Dispute>): MovedDispute[] {
  const { id: ref, payment_intent: paymentRef, status, reason, currency, balance_transactions: moved } = dispute
  const amount = moneyOf(dispute.amount, currency)
  if (!paymentRef || !amount) return []
  const dueBy = dispute.evidence_details?.due_by
  const state = disputeStates[status] ?? 'open'
  return [
    {
      paymentRef,
      ref,
      amount,
      reason,
      withdrawn: withdrawnOf(amount, moved, state),
      state,
      dueBy: dueBy ? new Date(dueBy * 1000) : null,
    },
  ]
}

/**
 * A whole that comes back in another currency is another figure, by as much as rates move in the months of a dispute.
 */
const ratesMovePercent = 10

/**
 * The withdrawn part of a dispute, in its own currency. If the operator's balance is in another currency: the dispute's
 * amount, times the share of the debit from that balance that did not come back. A dispute that was won counts as zero,
 * unless the difference is more than exchange rates explain.
 */
function withdrawnOf(
  amount: Money,
  moved: readonly { amount: number; currency: string }[],
  state: DisputeState,
): Money {
  const sum = (sign: 1 | -1) =>
    moved.reduce((all, one) => (Math.sign(one.amount) === sign ? all + Math.abs(one.amount) : all), 0)
  const left = sum(-1)
  const stays = Math.max(left - sum(1), 0)
  if (left === 0) return money(0, amount.currency)
  if (moved.every(({ currency }) => currency === amount.currency)) return money(stays, amount.currency)
  const isWhole = state === 'won' && stays < left && stays * 100 <= left * ratesMovePercent
  if (isWhole) return money(0, amount.currency)
  return money(Number(divideHalfEven(BigInt(amount.minor) * BigInt(stays), BigInt(left))), amount.currency)
}

function moneyOf(minor: number, name: string): Money | undefined {
  const currency = currencies.find((one) => one === name)
  return currency && money(minor, currency)
}

/** Stripe takes at most so many characters of a text. */
const longestText = 20_000

export async function answerDispute(
  stripe: Stripe,
  { ref, evidence }: DisputeAnswer,
): Promise<{ kind: 'done' } | { kind: 'refused'; why: string } | Unknown> {
  const answer = await askStripe(Dispute, () =>
    evidence === null
      ? stripe.disputes.close(ref)
      : stripe.disputes.update(ref, {
          submit: true,
          evidence: {
            uncategorized_text: evidence.text.slice(0, longestText),
            access_activity_log: evidence.access.slice(0, longestText),
          },
        }),
  )
  if (answer.kind === 'answer') return { kind: 'done' }
  return answer.kind === 'refused' ? { kind: 'refused', why: answer.code ?? answer.param ?? 'refused' } : answer
}
