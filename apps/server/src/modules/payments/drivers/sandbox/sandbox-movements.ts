/** Changes of the sandbox's captures that nobody here asked for: refunds that fail, and disputes. */
import { money } from '@atoll/money'
import type { Clock } from '../../../../platform/clock.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import type { DisputeAnswer, RefundOutcome } from '../../gateway/gateway.ts'
import type { DisputeState, Movements, MovementsPage } from '../../gateway/gateway-movements.ts'
import { enqueueEvent } from './sandbox-events.ts'
import {
  listDisputes,
  listMovedPayments,
  listRefunds,
  lockPaymentByRef,
  type SandboxDispute,
  type SandboxRefund,
} from './sandbox-store.ts'

const paymentsPerPage = 50

export function hasFailed({ fails_at }: SandboxRefund, clock: Clock): boolean {
  return fails_at !== null && fails_at <= clock.now()
}

export function outcomeOfRefund(refund: SandboxRefund, clock: Clock): RefundOutcome {
  return hasFailed(refund, clock) ? { kind: 'declined', code: 'refundRefused' } : { kind: 'done', ref: refund.ref }
}

interface MovementDeps {
  db: Db | Trx
  clock: Clock
}

export async function readMovements(
  { db, clock }: MovementDeps,
  paymentRef: string,
): Promise<{ kind: 'movements' } & Movements> {
  const payment = db.selectFrom('sandbox_payments').select('currency').where('ref', '=', paymentRef)
  const currency = (await payment.executeTakeFirst())?.currency ?? 'usd'
  const refunds = await listRefunds(db, paymentRef)
  const disputes = await listDisputes(db, paymentRef)
  return {
    kind: 'movements',
    refunds: refunds.map((one) => ({
      paymentRef,
      ref: one.ref,
      refundId: one.refund_id,
      amount: money(one.amount_minor, currency),
      state: hasFailed(one, clock) ? 'failed' : 'done',
    })),
    disputes: disputes.map((one) => {
      const state = stateOf(one, clock)
      const amount = money(one.amount_minor, currency)
      const withdrawn = state === 'won' ? money(0, currency) : amount
      const dueBy = state === 'open' ? one.due_by : null
      return { paymentRef, ref: one.ref, amount, withdrawn, state, reason: 'fraudulent', dueBy }
    }),
  }
}

export async function listMovements(
  deps: { db: Db; clock: Clock },
  { since, after }: { since: Date; after: string | null },
): Promise<MovementsPage> {
  const refs = await listMovedPayments(deps.db, { since, after: after ?? '', most: paymentsPerPage })
  const moved = await Promise.all(refs.map((ref) => readMovements(deps, ref)))
  return {
    kind: 'page',
    refunds: moved.flatMap((one) => one.refunds),
    disputes: moved.flatMap((one) => one.disputes),
    next: refs.length < paymentsPerPage ? null : (refs.at(-1) ?? null),
  }
}

/** Decides a dispute that is open, as a bank would. False: there is none, or it is decided. */
export async function decideSandboxDispute(
  { db, clock }: { db: Db; clock: Clock },
  ref: string,
  verdict: 'won' | 'lost',
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const found = await trx.selectFrom('sandbox_disputes').selectAll().where('ref', '=', ref).executeTakeFirst()
    if (!found) return false
    await lockPaymentByRef(trx, found.payment_ref)
    const dispute = (await listDisputes(trx, found.payment_ref)).find((one) => one.ref === ref)
    if (!dispute || stateOf(dispute, clock) !== 'open') return false
    await trx.updateTable('sandbox_disputes').set({ state: verdict }).where('ref', '=', ref).execute()
    await enqueueEvent(trx, { kind: 'movements', id: dispute.payment_ref })
    return true
  })
}

/** The bank decides by what the evidence says: `winning_evidence`, `losing_evidence`; else it goes on thinking. */
export async function answerDispute(
  deps: { db: Db; clock: Clock },
  { ref, evidence }: DisputeAnswer,
): Promise<{ kind: 'done' } | { kind: 'refused'; why: string }> {
  const known = deps.db.selectFrom('sandbox_disputes').select('ref').where('ref', '=', ref)
  if (!(await known.executeTakeFirst())) return { kind: 'refused', why: `there is no dispute ${ref}` }
  const says = (word: string) => evidence?.text.includes(word) ?? false
  if (evidence === null || says('losing_evidence')) await decideSandboxDispute(deps, ref, 'lost')
  else if (says('winning_evidence')) await decideSandboxDispute(deps, ref, 'won')
  return { kind: 'done' }
}

function stateOf({ state, due_by }: SandboxDispute, clock: Clock): DisputeState {
  return state === 'open' && due_by <= clock.now() ? 'lost' : state
}
