/**
 * The gateway for trials and tests: it behaves as one that is elsewhere, and moves no money. Its state is in tables of
 * its own; each decision locks the payment's row. A webhook is written with each change.
 */
import type { DeclineCode } from '@atoll/contract/payments'
import type { Clock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/crypto.ts'
import type { Db, Trx } from '../../../../platform/db/index.ts'
import type {
  Capture,
  CapturePage,
  OpenedPage,
  PaymentGateway,
  PaymentOrder,
  PaymentOutcome,
  RefundOrder,
  RefundOutcome,
  SetupOrder,
  SetupOutcome,
  Unknown,
} from '../../gateway/gateway.ts'
import { isPast } from './card-form.ts'
import type { PageAddress } from './sandbox-address.ts'
import { enqueueEvent, verify } from './sandbox-events.ts'
import { answerDispute, hasFailed, listMovements, outcomeOfRefund, readMovements } from './sandbox-movements.ts'
import {
  amountOf,
  detachCard,
  findCard,
  findPayment,
  findSetup,
  insertDispute,
  insertPayment,
  insertRefund,
  insertSetup,
  listRefunds,
  listTaken,
  lockPayment,
  lockPaymentByRef,
  type SandboxPayment,
  updatePayment,
} from './sandbox-store.ts'

/** How long a page may be used, ms: as long as an order that waits to be paid. */
const pageMs = 24 * 60 * 60_000

const capturesPerPage = 100
/** How long evidence about a dispute counts, ms. */
const evidenceMs = 7 * 24 * 60 * 60_000
/** After so long a refund to a card that takes none has failed, ms. */
const refundFailsMs = 10_000

export interface SandboxDeps {
  db: Db
  clock: Clock
  /** Signs the webhooks. */
  /** The secrets that a webhook may be signed with. */
  webhookSecrets: readonly string[]
  addressOf: PageAddress
}

export function createSandboxGateway(deps: SandboxDeps): PaymentGateway {
  const { db, clock } = deps
  const inTransaction = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work)
  const outcomeOf = (payment: SandboxPayment): PaymentOutcome => outcomeOfPayment(payment, deps)
  return {
    name: 'sandbox',
    openSetup: (setup) => answering(() => openSetup(deps, setup)),
    readSetup: ({ setupId }) => answering(() => readSetup(deps, setupId)),
    create: (order) => answering(() => inTransaction((trx) => create(trx, deps, order))),
    confirm: (order) => answering(() => inTransaction((trx) => confirm(trx, deps, order))),
    read: ({ paymentId }) => answering(async () => outcomeOrAbsent(await findPayment(db, paymentId), outcomeOf)),
    find: ({ paymentId }) => answering(async () => outcomeOrAbsent(await findPayment(db, paymentId), outcomeOf)),
    cancel: ({ paymentId }) => answering(() => inTransaction((trx) => cancel(trx, deps, paymentId))),
    refund: (refund) => answering(() => inTransaction((trx) => refundPart(trx, deps, refund))),
    readRefund: ({ refundId, paymentRef }) =>
      answering(async () => {
        const made = (await listRefunds(db, paymentRef)).find((one) => one.refund_id === refundId)
        return made ? outcomeOfRefund(made, clock) : { kind: 'absent' }
      }),
    listCaptures: (page) => answering(() => listCaptures(db, page)),
    readMovements: (paymentRef) => answering(() => readMovements(deps, paymentRef)),
    listMovements: (page) => answering(() => listMovements(deps, page)),
    answerDispute: (answer) => answering(() => answerDispute(deps, answer)),
    detach: ({ card }) =>
      answering(async () => {
        await detachCard(db, card, clock.now())
        return { kind: 'done' }
      }),
    verifyWebhook: (webhook) => deps.webhookSecrets.map((secret) => verify(webhook, secret)).find(Boolean),
  }
}

async function listCaptures(
  db: Db,
  { after, customer }: { after: string | null; customer?: string },
): Promise<CapturePage> {
  const taken = await listTaken(db, { after: after ?? '', customer, most: capturesPerPage })
  const captures = taken.map((payment): Capture => {
    const { document, number, period } = payment
    const pays = document === null || number === null || period === null ? null : { document, number, period }
    const about = { paymentId: payment.payment_id, ref: payment.ref, customer: payment.customer }
    return { ...about, amount: amountOf(payment), pays, at: payment.created_at }
  })
  return { kind: 'page', captures, next: captures.length < capturesPerPage ? null : (captures.at(-1)?.ref ?? null) }
}

/** Our database being away is to the caller what a gateway that does not answer is. */
async function answering<T>(ask: () => Promise<T>): Promise<T | Unknown> {
  try {
    return await ask()
  } catch (error) {
    return { kind: 'unknown', why: error instanceof Error ? error.message : String(error) }
  }
}

function outcomeOrAbsent(
  payment: SandboxPayment | undefined,
  outcomeOf: (payment: SandboxPayment) => PaymentOutcome,
): PaymentOutcome {
  return payment ? outcomeOf(payment) : { kind: 'absent' }
}

function outcomeOfPayment(payment: SandboxPayment, { clock, addressOf }: SandboxDeps): PaymentOutcome {
  const { ref } = payment
  switch (payment.state) {
    case 'done':
      return { kind: 'done', ref, captured: amountOf(payment) }
    case 'declined':
      return { kind: 'declined', ref, code: payment.code ?? 'cardDeclined' }
    case 'action':
      if (isLate(payment, clock)) return { kind: 'canceled', ref }
      return { kind: 'action', ref, url: addressOf('confirm', payment.payment_id, payment.return_url) }
    case 'open':
    case 'canceled':
      return { kind: payment.state, ref }
  }
}

/** A page that was not answered in time is as good as canceled. */
export function isLate({ action_until }: Pick<SandboxPayment, 'action_until'>, clock: Clock): boolean {
  return action_until !== null && action_until.getTime() <= clock.now().getTime()
}

async function openSetup({ db, clock, addressOf }: SandboxDeps, setup: SetupOrder): Promise<OpenedPage> {
  await insertSetup(db, {
    setup_id: setup.setupId,
    ref: newId('sb'),
    customer: setup.customer ?? newId('sb'),
    locale: setup.locale,
    return_url: setup.returnUrl,
    expires_at: new Date(clock.now().getTime() + pageMs),
  })
  const made = await findSetup(db, setup.setupId)
  if (!made) throw new Error(`the setup ${setup.setupId} is gone`)
  return { kind: 'action', ref: made.ref, url: addressOf('card', made.setup_id, made.return_url) }
}

async function readSetup({ db, clock }: SandboxDeps, setupId: string): Promise<SetupOutcome> {
  const setup = await findSetup(db, setupId)
  if (!setup) return { kind: 'canceled' }
  if (setup.state === 'open') return { kind: setup.expires_at.getTime() > clock.now().getTime() ? 'open' : 'canceled' }
  const card = setup.card_id === null ? undefined : await findCard(db, setup.card_id)
  if (!card) return { kind: 'canceled' }
  const facts = { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
  const { fingerprint } = card
  return { kind: 'done', card: { customer: card.customer, card: card.id }, facts: { ...facts, fingerprint } }
}

async function create(trx: Trx, deps: SandboxDeps, order: PaymentOrder): Promise<PaymentOutcome> {
  if (order.amount.minor <= 0) return { kind: 'declined', ref: null, code: 'paymentRefused' }
  const card = await findCard(trx, order.card.card)
  if (card?.customer !== order.card.customer) return { kind: 'declined', ref: null, code: 'cardGone' }
  await insertPayment(trx, {
    payment_id: order.paymentId,
    ref: newId('sb'),
    card_id: card.id,
    amount_minor: order.amount.minor,
    currency: order.amount.currency,
    description: order.description,
    locale: order.locale,
    return_url: order.returnUrl,
    ...order.pays,
    created_at: deps.clock.now(),
  })
  const payment = await lockPayment(trx, order.paymentId)
  return payment && isOf(payment, order) ? outcomeOfPayment(payment, deps) : otherTerms(order.paymentId)
}

async function confirm(trx: Trx, deps: SandboxDeps, order: PaymentOrder): Promise<PaymentOutcome> {
  const payment = await lockPayment(trx, order.paymentId)
  if (!payment) return { kind: 'absent' }
  if (!isOf(payment, order)) return otherTerms(order.paymentId)
  if (payment.state !== 'open') return outcomeOfPayment(payment, deps)
  const next = await charge(trx, payment, deps.clock)
  await updatePayment(trx, payment.payment_id, next.to)
  await enqueueEvent(trx, { kind: 'payment', id: payment.payment_id })
  if (next.isDisputed) await openDispute(trx, payment, deps.clock)
  return outcomeOfPayment({ ...payment, ...next.to }, deps)
}

/** The customer's bank takes all of it back, until it is decided or its time is over. */
async function openDispute(trx: Trx, { ref, amount_minor }: SandboxPayment, clock: Clock): Promise<void> {
  const created_at = clock.now()
  const due_by = new Date(created_at.getTime() + evidenceMs)
  await insertDispute(trx, { ref: newId('sb'), payment_ref: ref, amount_minor, due_by, created_at })
  await enqueueEvent(trx, { kind: 'movements', id: ref })
  await enqueueEvent(trx, { kind: 'movements', id: ref }, due_by)
}

interface Charged {
  to: Partial<Pick<SandboxPayment, 'code' | 'action_until'>> & Pick<SandboxPayment, 'state'>
  isDisputed?: boolean
}

async function charge(trx: Trx, payment: SandboxPayment, clock: Clock): Promise<Charged> {
  const card = await findCard(trx, payment.card_id)
  const now = clock.now()
  const declined = (code: DeclineCode): Charged => ({ to: { state: 'declined', code } })
  if (!card || card.detached_at !== null) return declined('cardGone')
  if (isPast({ month: card.exp_month, year: card.exp_year }, now)) return declined('cardExpired')
  if (card.charging === 'declines') return declined('cardDeclined')
  if (card.charging === 'asks') return { to: { state: 'action', action_until: new Date(now.getTime() + pageMs) } }
  return { to: { state: 'done' }, isDisputed: card.charging === 'disputed' }
}

async function cancel(trx: Trx, deps: SandboxDeps, paymentId: string): Promise<PaymentOutcome> {
  const payment = await lockPayment(trx, paymentId)
  if (!payment) return { kind: 'absent' }
  if (payment.state !== 'open' && payment.state !== 'action') return outcomeOfPayment(payment, deps)
  await updatePayment(trx, paymentId, { state: 'canceled' })
  await enqueueEvent(trx, { kind: 'payment', id: paymentId })
  return { kind: 'canceled', ref: payment.ref }
}

async function refundPart(
  trx: Trx,
  { clock }: SandboxDeps,
  { refundId, paymentRef, amount }: RefundOrder,
): Promise<RefundOutcome> {
  const payment = await lockPaymentByRef(trx, paymentRef)
  if (payment?.state !== 'done' || payment.currency !== amount.currency || amount.minor <= 0)
    return { kind: 'declined', code: 'refundRefused' }
  const made = await listRefunds(trx, paymentRef)
  const before = made.find((one) => one.refund_id === refundId)
  if (before) {
    if (before.amount_minor !== amount.minor)
      return { kind: 'unknown', why: `${refundId} was made with another amount` }
    return outcomeOfRefund(before, clock)
  }
  // A payment that a bank has taken back cannot be refunded as well.
  if ((await readMovements({ db: trx, clock }, paymentRef)).disputes.some(({ state }) => state !== 'won'))
    return { kind: 'declined', code: 'refundRefused' }
  const returned = made.reduce((sum, one) => (hasFailed(one, clock) ? sum : sum + one.amount_minor), 0)
  if (returned + amount.minor > payment.amount_minor) return { kind: 'declined', code: 'refundTooLarge' }
  const card = await findCard(trx, payment.card_id)
  const created_at = clock.now()
  const fails_at = card?.charging === 'unrefundable' ? new Date(created_at.getTime() + refundFailsMs) : null
  const times = { created_at, fails_at }
  const ref = newId('sb')
  await insertRefund(trx, { refund_id: refundId, ref, payment_ref: paymentRef, amount_minor: amount.minor, ...times })
  if (fails_at) await enqueueEvent(trx, { kind: 'movements', id: paymentRef }, fails_at)
  return { kind: 'done', ref }
}

function isOf(payment: SandboxPayment, { amount, card }: PaymentOrder): boolean {
  return payment.amount_minor === amount.minor && payment.currency === amount.currency && payment.card_id === card.card
}

/** Not declined: the payment of that id may well have been charged. */
function otherTerms(paymentId: string): Unknown {
  return { kind: 'unknown', why: `${paymentId} was made with other terms` }
}
