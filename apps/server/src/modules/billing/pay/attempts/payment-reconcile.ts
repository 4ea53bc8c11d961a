import { backoffMs } from '@atoll/contract/wire'
import { money } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { Job } from '../../../../platform/jobs/index.ts'
import type { Log } from '../../../../platform/log.ts'
import { defineReconciler, type Outcome } from '../../../../platform/reconcile/index.ts'
import { getLocale } from '../../../accounts/index.ts'
import { findCard, type PaymentMethod, type PaymentOrder, type PaymentOutcome } from '../../../payments/index.ts'
import type { AttemptDeps } from '../../records/attempt-deps.ts'
import { isAdopted } from '../../records/capture-store.ts'
import { listDisputedCards } from '../../records/dispute-store.ts'
import type { PaymentRow } from '../../records/documents/document-tables.ts'
import { getInvoice } from '../../records/documents/invoice-store.ts'
import { findPayment } from '../../records/documents/payment-store.ts'
import { paymentReconcileJob } from '../../schedule/attempt-queue.ts'
import { type CaptureAdoption, captureAdoption } from './adopt-capture.ts'
import { type AttemptStep, decideAttempt } from './decide-attempt.ts'
import { keepRef, markSent, writeStep } from './write-outcome.ts'

/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const lockClass = 7004
/** ms. A webhook is quicker; this is for those that are lost. */
const customerAskedMs = 5 * 60_000
/** How long a gateway without a clear answer is left alone. */
const unansweredBackoff = { firstMs: 2000, longestMs: 10 * 60_000 }

type ReconcileDeps = AttemptDeps & { captures: CaptureAdoption }

interface Snapshot {
  payment: PaymentRow
  card: PaymentMethod | undefined
  /** Its customer disputes what the card paid. */
  isDisputed: boolean
}
interface Observation extends Snapshot {
  id: string
  outcome: PaymentOutcome | null
}

/** Carries payments with a card to their end: decide-attempt.ts says how. One run a payment at a time. */
export function paymentReconcile(deps: AttemptDeps): Job {
  const { db, clock, gateway } = deps
  const captures = captureAdoption(deps)
  return defineReconciler({
    name: paymentReconcileJob,
    lane: 'gateway',
    accountOf: ({ payment }: Snapshot) => payment.userid,
    waits: 'careful',
    source: 'gateway',
    lockClass,
    db,
    clock,
    load: (id) => findSnapshot(db, id),
    isEnded: ({ payment }: Snapshot) => payment.state === 'succeeded' || payment.method_id === null,
    // The field that others write on a payment that was sent.
    versionOf: ({ payment }) => String(payment.canceling_for),
    observe: async (snapshot) => {
      const { payment, card } = snapshot
      return [{ ...snapshot, id: payment.id, outcome: await ask(deps, payment, card) }]
    },
    decide: ({ payment, card, isDisputed, outcome }: Observation) => {
      const hasCard = card?.removed_at === null && (isDisputed ? 'disputed' : true)
      return decideAttempt({ payment, hasCard, gatewayName: gateway.name, outcome })
    },
    apply: (_, observation, step, { log }) => apply({ ...deps, captures }, observation, step, log),
  })
}

async function findSnapshot(db: Db, id: string): Promise<Snapshot | undefined> {
  const payment = await findPayment(db, id)
  if (!payment) return undefined
  const card = payment.method_id === null ? undefined : await findCard(db, payment.method_id)
  const isDisputed = card !== undefined && (await listDisputedCards(db, [card.id])).has(card.id)
  return { payment, card, isDisputed }
}

/**
 * How a payment that was sent stands: by the newest ref, or by our own id where the ref was lost. A capture that was
 * taken over as credit is not the payment's any more.
 */
async function ask(
  { db, gateway }: AttemptDeps,
  payment: PaymentRow,
  card: PaymentMethod | undefined,
): Promise<PaymentOutcome | null> {
  if (payment.state === 'created' || payment.gateway !== gateway.name || !card) return null
  const about = { paymentId: payment.captured_as ?? payment.id, card: cardRef(card) }
  const outcome =
    payment.gateway_ref === null
      ? await gateway.find(about)
      : await gateway.read({ ...about, ref: payment.gateway_ref })
  if (outcome.kind !== 'done' || !(await isAdopted(db, gateway.name, outcome.ref))) return outcome
  return { kind: 'canceled', ref: outcome.ref }
}

async function apply(deps: ReconcileDeps, seen: Observation, step: AttemptStep, log: Log): Promise<Outcome> {
  const { payment, card } = seen
  switch (step.do) {
    case 'rest':
      return { kind: 'rests' }
    case 'send': {
      const found = await deps.captures.adopt(payment, log)
      if (found.kind === 'unknown')
        return await write(deps, payment, { do: 'askAgain', why: found.why, isWrong: false }, log)
      if (found.kind === 'adopted') return { kind: 'stepped' }
      const sending = await markSent(deps, payment)
      if (sending === undefined) return { kind: 'stepped' }
      const order = await orderOf(deps, payment, card, sending)
      const created = await deps.gateway.create(order)
      // The ref is stored before it is confirmed; if the payment was ended meanwhile, it is canceled instead.
      if (created.kind !== 'open') return await conclude(deps, payment, created, log)
      return await confirm(deps, payment, { ...order, ref: created.ref }, log)
    }
    case 'confirm':
      return await confirm(deps, payment, { ...(await orderOf(deps, payment, card)), ref: step.ref }, log)
    case 'cancel': {
      const { card: cardRef } = await orderOf(deps, payment, card)
      const canceled = await deps.gateway.cancel({ paymentId: payment.id, ref: step.ref, card: cardRef })
      return await conclude(deps, payment, canceled, log)
    }
    default:
      return await write(deps, payment, step, log)
  }
}

async function confirm(
  deps: AttemptDeps,
  payment: PaymentRow,
  order: PaymentOrder & { ref: string },
  log: Log,
): Promise<Outcome> {
  if (!(await keepRef(deps, payment, order.ref))) return { kind: 'stepped' }
  return await conclude(deps, payment, await deps.gateway.confirm(order), log)
}

/** Writes what a call came to; an answer on which it would have to be repeated at once is none. */
async function conclude(deps: AttemptDeps, payment: PaymentRow, outcome: PaymentOutcome, log: Log): Promise<Outcome> {
  const { gateway, db } = deps
  const now = (await findPayment(db, payment.id)) ?? payment
  const step = decideAttempt({ payment: now, hasCard: true, gatewayName: gateway.name, outcome })
  const isAnswer = step.do !== 'confirm' && step.do !== 'cancel' && step.do !== 'send'
  const why = `it is ${outcome.kind} after it was asked to be otherwise`
  return await write(deps, now, isAnswer ? step : { do: 'askAgain', why, isWrong: false }, log)
}

async function write(
  deps: AttemptDeps,
  payment: PaymentRow,
  step: Exclude<AttemptStep, { do: 'send' | 'confirm' | 'cancel' }>,
  log: Log,
): Promise<Outcome> {
  const about = { payment: payment.id, account: payment.userid }
  if (step.do === 'askAgain') {
    if (step.isWrong) log.error({ ...about, why: step.why }, 'a gateway took what it was not asked for')
    else log.warn({ ...about, why: step.why }, 'what became of a payment is not known; it is asked for again')
  }
  if (step.do === 'creditLate') log.warn(about, 'a card paid for what was canceled meanwhile')
  if (!(await writeStep(deps, payment, step))) return { kind: 'stepped' }
  const inMs = (ms: number): Outcome => ({ kind: 'wait', until: new Date(deps.clock.now().getTime() + ms) })
  if (step.do === 'askAgain') return inMs(backoffMs(payment.unanswered + 1, unansweredBackoff))
  return step.do === 'awaitCustomer' ? inMs(customerAskedMs) : { kind: 'rests' }
}

function cardRef({ customer_ref: customer, card_ref: card }: PaymentMethod): PaymentOrder['card'] {
  return { customer, card }
}

/** First and last instant that a document is for. */
async function readPeriod(db: Db, invoiceId: string): Promise<string> {
  const { start, end } = await db
    .selectFrom('invoice_items')
    .select(({ fn }) => [fn.min('period_start').as('start'), fn.max('period_end').as('end')])
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
  return `${start.toISOString()}/${end.toISOString()}`
}

/** The same for one payment however often it is asked: gateways compare what comes under one key. */
async function orderOf(
  { db, accounts, config }: AttemptDeps,
  payment: PaymentRow,
  card: PaymentMethod | undefined,
  sending = payment.sends,
): Promise<PaymentOrder> {
  if (!card) throw new Error(`The payment ${payment.id} names a card that is not there`)
  const { id, userid, invoice_id, card_minor: minor, currency } = payment
  const invoice = await getInvoice(db, userid, invoice_id)
  const { zone } = await accounts.getLimits(db, userid)
  // The account's variant: its console is where it signed in first.
  const { origin } = new URL(zone === 'UTC+8' ? config.chinaUrl : config.publicUrl)
  return {
    paymentId: id,
    sending,
    card: cardRef(card),
    amount: money(minor, currency),
    description: invoice.number,
    pays: { document: invoice.id, number: invoice.number, period: await readPeriod(db, invoice.id) },
    locale: await getLocale(db, userid),
    returnUrl: `${origin}/payment/${id}`,
  }
}
