/**
 * Jobs billing.movements, which reads the gateway's refunds and disputes of a payment, and billing.movements.list,
 * which finds daily those whose webhook was missed. Both may run twice, and in any order.
 */
import { z } from 'zod'
import type { Db } from '../../../../platform/db/index.ts'
import { defineJob, enqueueJob, type Job } from '../../../../platform/jobs/index.ts'
import type { Log } from '../../../../platform/log.ts'
import { createReconcileLocks } from '../../../../platform/reconcile/index.ts'
import { accountNow } from '../../../accounts/index.ts'
import type { Movements, PaymentGateway } from '../../../payments/index.ts'
import type { AttemptDeps } from '../../records/attempt-deps.ts'
import { findAdoptedCapture } from '../../records/capture-store.ts'
import { findCardRefund } from '../../records/card-refund-store.ts'
import { findDispute } from '../../records/dispute-store.ts'
import { findPaymentByRef, sumTakenFromCard } from '../../records/documents/payment-store.ts'
import { enqueueMovements, movementsJob } from '../../records/movements-queue.ts'
import { enqueueAttempt } from '../../schedule/attempt-queue.ts'
import { type Disputed, takeDispute } from './take-dispute.ts'
import { takeRefund } from './take-refund.ts'

const dayMs = 24 * 60 * 60_000
/** A dispute may be opened 120 days after a payment, and take as long again; a refund fails within weeks. */
const listedMs = 400 * dayMs
/** ms, until an invoice is looked at again that is being paid. */
const againMs = 60_000
/** ms, until a payment is asked about again that another run asks about. */
const busyMs = 5000
/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const lockClass = 7009

const movementsListJob = 'billing.movements.list'

/**
 * One run a payment at a time, in all processes: an answer that came before another's must not be written after it.
 */
export function movements(deps: AttemptDeps): Job {
  const { db, clock } = deps
  const tryRun = createReconcileLocks(db, lockClass)
  return defineJob({
    name: movementsJob,
    lane: 'gateway',
    accountOf: async ({ paymentRef }) => (await findCharged(db, deps.gateway.name, paymentRef))?.userid,
    waits: 'careful',
    source: 'gateway',
    payload: z.object({ paymentRef: z.string().max(255) }),
    async run({ paymentRef }, { log }) {
      const ran = await tryRun(paymentRef, () => takeMovements(deps, paymentRef, log))
      if (!ran) await enqueueMovements(db, paymentRef, new Date(clock.now().getTime() + busyMs))
    },
  })
}

/** Asks about one payment. Throws where the gateway, or the payment, is not known to be settled: the queue retries. */
export async function takeMovements(deps: AttemptDeps, paymentRef: string, log: Log): Promise<void> {
  const { db, clock, accounts, gateway } = deps
  const charged = await findCharged(db, gateway.name, paymentRef)
  if (!charged) {
    // As after a restore: `ledger:verify --gateway` names it, and adopting it asks again.
    return log.warn({ ref: paymentRef }, 'a gateway moved money of a payment that is not here')
  }
  const { userid, payment } = charged
  if (payment && (await sumTakenFromCard(db, payment)) === 0) {
    await enqueueAttempt(db, payment.id)
    throw new Error(`${payment.id} is not settled yet`)
  }
  const moved = await gateway.readMovements(paymentRef)
  if (moved.kind === 'unknown') throw new Error(`the gateway does not say what it moved of ${paymentRef}: ${moved.why}`)
  const isWhole = await db.transaction().execute(async (trx) => {
    const at = accountNow(await accounts.lockLimits(trx, userid), clock.now())
    // Money that the bank or the operator takes back covers no usage any more.
    if (moved.refunds.length + moved.disputes.length > 0) await deps.keepUsageCovered(trx, userid)
    let all = true
    for (const refund of moved.refunds) await takeRefund(deps, trx, charged, refund, { at, log })
    for (const dispute of moved.disputes) all = (await takeDispute(deps, trx, charged, dispute, at)) && all
    return all
  })
  if (!isWhole) await enqueueMovements(db, paymentRef, new Date(clock.now().getTime() + againMs))
}

/** The payment, or adopted capture, that was charged under that ref. */
async function findCharged(db: Db, gateway: string, ref: string): Promise<Disputed | undefined> {
  const payment = await findPaymentByRef(db, gateway, ref)
  if (payment) return { userid: payment.userid, paymentId: payment.id, captureId: null, gateway, payment }
  const capture = await findAdoptedCapture(db, ref)
  if (capture?.gateway !== gateway) return undefined
  return { userid: capture.userid, paymentId: null, captureId: capture.id, gateway, payment: undefined }
}

export function movementsList({ db, clock, gateway }: Pick<AttemptDeps, 'db' | 'clock' | 'gateway'>): Job {
  return defineJob({
    name: movementsListJob,
    lane: 'gateway',
    accountOf: () => null,
    waits: 'careful',
    source: 'gateway',
    cron: '23 4 * * *',
    maxAttempts: 1,
    // Cron adds fields of its own.
    payload: z.looseObject({ after: z.string().max(255).nullable().default(null) }),
    async run(payload, { log, signal }) {
      const since = new Date(clock.now().getTime() - listedMs)
      for (let after = payload.after, goesOn = true; goesOn; ) {
        // A long list is read by several runs.
        if (signal.aborted) return await enqueueJob(db, movementsListJob, { after }, { maxAttempts: 1 })
        const page: Awaited<ReturnType<PaymentGateway['listMovements']>> = await gateway.listMovements({ since, after })
        if (page.kind === 'unknown') return log.warn({ why: page.why }, 'the gateway does not list what it moved')
        for (const ref of await listNews(db, gateway.name, page)) await enqueueMovements(db, ref)
        after = page.next
        goesOn = after !== null
      }
    },
  })
}

/** Refs of the payments of which something is otherwise here than the gateway lists it. */
export async function listNews(db: Db, gateway: string, { refunds, disputes }: Movements): Promise<Set<string>> {
  const news = new Set<string>()
  for (const { refundId, ref, state, paymentRef } of refunds) {
    const here = await findCardRefund(db, { id: refundId, ref })
    if (here ? (here.state === 'done') !== (state === 'done') : state === 'done') news.add(paymentRef)
  }
  for (const { ref, state, withdrawn, paymentRef } of disputes) {
    const here = await findDispute(db, gateway, ref)
    if (here?.state !== state || here.withdrawn_minor !== withdrawn.minor) news.add(paymentRef)
  }
  return news
}
