/**
 * Job billing.cardRefund: asks the gateway for what was set aside to go back to a card, until it says how that ended.
 * It may run twice: our own id is the key, and from the second time on the gateway is asked what became of it first.
 */
import { backoffMs } from '@atoll/contract/wire'
import { money } from '@atoll/money'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { type Accounts, accountNow, lockOperated } from '../../accounts/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { PaymentGateway, RefundOutcome } from '../../payments/index.ts'
import { findAdoptedCapture } from '../records/capture-store.ts'
import { type CardRefundRow, countAttempt, endCardRefund, getCardRefund } from '../records/card-refund-store.ts'
import { getPayment } from '../records/documents/payment-store.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { cardRefundJob } from './order-card-refund.ts'

export interface CardRefundDeps {
  db: Db
  clock: Clock
  accounts: Pick<Accounts, 'getLimits'>
  gateway: Pick<PaymentGateway, 'name' | 'refund' | 'readRefund'>
}

/** How long a refund waits for a gateway that is not in use, and until that is looked at again, ms. */
const awayMs = 30 * 86_400_000
const lookAgainMs = 60 * 60_000

const backoff = { firstMs: 5000, longestMs: 60 * 60_000 }

export function cardRefund(deps: CardRefundDeps): Job {
  return defineJob({
    name: cardRefundJob,
    lane: 'gateway',
    accountOf: async ({ refundId }) => (await getCardRefund(deps.db, refundId)).userid,
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ refundId: z.string() }),
    run: ({ refundId }, { log }) => sendCardRefund(deps, refundId, log),
  })
}

/** One question to the gateway; asks for the next itself. */
export async function sendCardRefund(deps: CardRefundDeps, refundId: string, log: Log): Promise<void> {
  const refund = await getCardRefund(deps.db, refundId)
  if (refund.state !== 'pending') return
  const outcome = await ask(deps, refund)
  if (outcome.kind === 'done' || outcome.kind === 'declined') {
    await endRefund(deps, refund, outcome)
    return
  }
  const why = 'why' in outcome ? outcome.why : outcome.kind
  log.warn({ refund: refundId, attempt: refund.attempts + 1, why }, 'a refund to a card is not known to be done yet')
  const waitMs = outcome.kind === 'away' ? lookAgainMs : backoffMs(refund.attempts + 1, backoff)
  const runAt = new Date(deps.clock.now().getTime() + waitMs)
  await enqueueJob(deps.db, cardRefundJob, { refundId }, { key: `${cardRefundJob}:${refundId}`, runAt })
}

async function ask(
  { db, gateway, accounts, clock }: CardRefundDeps,
  refund: CardRefundRow,
): Promise<RefundOutcome | { kind: 'away'; why: string }> {
  const { id, gateway: at, gateway_ref: paymentRef } = await getCharged(db, refund)
  if (paymentRef === null || at !== gateway.name) {
    const now = accountNow(await accounts.getLimits(db, refund.userid), clock.now())
    // One that was never sent is the customer's again; an account that closes would stay open for it.
    if (refund.attempts === 0 && now.getTime() - refund.created_at.getTime() > awayMs)
      return { kind: 'declined', code: 'refundRefused' }
    return { kind: 'away', why: `${id} was charged at ${at}, which is not in use` }
  }
  const asked = { refundId: refund.id, paymentRef }
  await countAttempt(db, refund.id)
  const known = refund.attempts > 0 ? await gateway.readRefund(asked) : ({ kind: 'absent' } as const)
  if (known.kind !== 'absent') return known
  return await gateway.refund({ ...asked, amount: money(refund.amount_minor, refund.currency) })
}

/** The capture that it is a part of. */
async function getCharged(db: Db, { userid, payment_id, capture_id }: CardRefundRow) {
  if (payment_id !== null) return await getPayment(db, userid, payment_id)
  const adopted = capture_id === null ? undefined : await findAdoptedCapture(db, capture_id)
  if (!adopted) throw new Error(`The capture ${capture_id} is not here`)
  return adopted
}

export type EndRefundDeps = Pick<CardRefundDeps, 'db' | 'clock'>

/**
 * Ends a refund: the held amount has gone to the card or, if the refund was declined, is released. False when it had
 * ended before. `record` is in the same transaction, at a time of the account.
 */
export async function endRefund(
  { db, clock }: EndRefundDeps,
  refund: CardRefundRow,
  outcome: Extract<RefundOutcome, { kind: 'done' | 'declined' }>,
  record?: (trx: Trx, at: Date) => Promise<void>,
): Promise<boolean> {
  const { id, userid, currency, amount_minor } = refund
  return await db.transaction().execute(async (trx) => {
    const at = (await lockOperated(trx, userid)).now(clock)
    const isDone = outcome.kind === 'done'
    const known = isDone ? { gatewayRef: outcome.ref } : { declineCode: outcome.code }
    if (!(await endCardRefund(trx, id, { state: outcome.kind, at, ...known }))) return false
    const amount = money(amount_minor, currency)
    const about = { userid, at, document: id }
    if (isDone) {
      const { gateway: driver } = await getCharged(trx, refund)
      if (driver === null) throw new Error(`No gateway charged what ${id} gives back`)
      const facts = { driver, amount, isHeld: true }
      await postToLedger(trx, { ...about, kind: 'card_refund', facts, key: `${id} refunded` })
    } else {
      const facts = { cash: amount, promo: money(0, currency) }
      await postToLedger(trx, { ...about, kind: 'release', facts, key: `${id} release` })
      await retryOwed(trx, userid, at)
    }
    await record?.(trx, at)
    await publishChange(trx, { account: userid, topic: 'billing', id })
    return true
  })
}
