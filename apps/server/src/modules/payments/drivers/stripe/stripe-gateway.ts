/**
 * Stripe. A payment is an intent, `pi_…`, made unconfirmed and then confirmed without the customer. When their bank
 * wants them, the intent is canceled (reason: replaced) and a Checkout page, `cs_…`, takes its place; what that page
 * took is an intent again. So for one of our payments at most one of both can still charge. Idempotency keys are our
 * own ids: the payment's for its creation, with a suffix for each later step. Stripe repeats an answer of 500 under its
 * key for a day. So what was found nowhere is made again under the next key; and a page or a refund is asked for under
 * its next one only when Stripe repeated the 500 and the step has not taken place. A confirmation never is.
 */
import type { Locale } from '@atoll/contract/wire'
import type Stripe from 'stripe'
import type {
  CardRef,
  GatewayEvent,
  OpenedPage,
  PaymentGateway,
  PaymentOrder,
  PaymentOutcome,
  PaymentRef,
  RefundOrder,
  RefundOutcome,
  SetupOrder,
  SetupOutcome,
  Unknown,
  Webhook,
} from '../../gateway/gateway.ts'
import {
  declineOf,
  Event,
  Intent,
  listOf,
  Method,
  outcomeOfIntent,
  outcomeOfRefund,
  outcomeOfSession,
  Refund,
  replacedReason,
  Session,
  SetupSession,
  type Standing,
  wantsCustomer,
} from './stripe-answers.ts'
import {
  askStripe,
  askUnderKeys,
  createStripeClient,
  keyOf,
  type Refused,
  type StripeSettings,
  unknownOf,
} from './stripe-client.ts'
import { aboutOf } from './stripe-events.ts'
import { answerDispute, listCaptures, listMovements, readMovements } from './stripe-movements.ts'

/** How old a webhook's signature may be, s; Stripe's own advice. */
const tolerance = 300
const locales = { 'en-US': 'en', 'zh-CN': 'zh' } as const satisfies Record<Locale, string>

export function createStripeGateway(settings: StripeSettings & { webhookSecret: string }): PaymentGateway {
  const stripe = createStripeClient(settings)
  return {
    name: 'stripe',
    openSetup: (setup) => openSetup(stripe, setup),
    readSetup: (setup) => readSetup(stripe, setup.ref),
    create: (order) => create(stripe, order),
    confirm: (order) => confirm(stripe, order),
    read: (payment) => read(stripe, payment),
    find: (payment) => find(stripe, payment),
    cancel: (payment) => cancel(stripe, payment),
    refund: (order) => refund(stripe, order),
    readRefund: (order) => readRefund(stripe, order),
    listCaptures: (page) => listCaptures(stripe, page),
    readMovements: (paymentRef) => readMovements(stripe, paymentRef),
    listMovements: (page) => listMovements(stripe, page),
    answerDispute: (answer) => answerDispute(stripe, answer),
    detach: (card) => detach(stripe, card),
    verifyWebhook: (webhook) => verifyWebhook(stripe, webhook, settings.webhookSecret),
  }
}

async function openSetup(stripe: Stripe, setup: SetupOrder): Promise<OpenedPage | Unknown> {
  const answer = await askStripe(SetupSession, () =>
    stripe.checkout.sessions.create(
      {
        mode: 'setup',
        currency: setup.currency,
        allowed_payment_method_types: ['card'],
        ...(setup.customer === undefined ? { customer_creation: 'always' } : { customer: setup.customer }),
        client_reference_id: setup.setupId,
        metadata: { setup_id: setup.setupId },
        locale: locales[setup.locale],
        success_url: setup.returnUrl,
        cancel_url: setup.returnUrl,
      },
      { idempotencyKey: keyOf(setup.setupId, setup.sending) },
    ),
  )
  if (answer.kind !== 'answer') return unknownOf(answer)
  const { id: ref, url } = answer.value
  return url ? { kind: 'action', ref, url } : { kind: 'unknown', why: 'the page has no address' }
}

async function readSetup(stripe: Stripe, ref: string): Promise<SetupOutcome> {
  const answer = await askStripe(SetupSession, () =>
    stripe.checkout.sessions.retrieve(ref, { expand: ['setup_intent.payment_method'] }),
  )
  if (answer.kind === 'refused' && answer.code === 'resource_missing') return { kind: 'canceled' }
  if (answer.kind !== 'answer') return unknownOf(answer)
  const { status, customer, setup_intent } = answer.value
  if (status === 'open') return { kind: 'open' }
  if (status === 'expired') return { kind: 'canceled' }
  const method = typeof setup_intent === 'object' ? setup_intent?.payment_method : undefined
  if (!method || !customer) return { kind: 'unknown', why: `the page is ${status} and names no card` }
  const { brand, last4, exp_month: expMonth, exp_year: expYear, fingerprint = null } = method.card
  const facts = { brand, last4, expMonth, expYear, fingerprint }
  return { kind: 'done', card: { customer, card: method.id }, facts }
}

async function create(stripe: Stripe, order: PaymentOrder): Promise<PaymentOutcome> {
  const answer = await askStripe(Intent, () =>
    stripe.paymentIntents.create(
      {
        amount: order.amount.minor,
        currency: order.amount.currency,
        customer: order.card.customer,
        payment_method: order.card.card,
        allowed_payment_method_types: ['card'],
        confirm: false,
        description: order.description,
        metadata: metadataOf(order),
      },
      { idempotencyKey: keyOf(order.paymentId, order.sending) },
    ),
  )
  if (answer.kind === 'refused') return { kind: 'declined', ref: null, code: refusalOf(answer) }
  return answer.kind === 'answer' ? await follow(stripe, answer.value, order) : answer
}

async function confirm(stripe: Stripe, order: PaymentOrder & { ref: string }): Promise<PaymentOutcome> {
  if (isPage(order.ref)) return await read(stripe, order)
  // Never under another key: one that arrives late must charge nothing (design/billing, "payment").
  const answer = await askStripe(Intent, () =>
    stripe.paymentIntents.confirm(
      order.ref,
      { payment_method: order.card.card, off_session: true },
      { idempotencyKey: `${order.paymentId}-confirm` },
    ),
  )
  if (answer.kind === 'unknown') return answer
  if (answer.kind === 'refused' && answer.isCard && !wantsCustomer(answer))
    return { kind: 'declined', ref: order.ref, code: declineOf(answer) }
  if (answer.kind === 'refused' && answer.param === 'payment_method') {
    // Nothing is left that could be charged by mistake.
    const ended = await cancel(stripe, order)
    return ended.kind === 'canceled' ? { kind: 'declined', ref: order.ref, code: 'cardGone' } : ended
  }
  // Confirmed, or turned down for what it is by now: either way the intent says how it stands.
  const stands = await standing(stripe, order)
  return stands.kind === 'unconfirmed' || stands.kind === 'replaced' ? await openPage(stripe, order) : stands
}

/** Cancels the intent that the bank did not let pass, and opens the page in its place. Safe to repeat. */
async function openPage(stripe: Stripe, order: PaymentOrder & { ref: string }): Promise<PaymentOutcome> {
  await askStripe(Intent, () => stripe.paymentIntents.cancel(order.ref, { cancellation_reason: replacedReason }))
  const stands = await standing(stripe, order)
  if (stands.kind === 'unconfirmed') return { kind: 'unknown', why: 'the intent could not be canceled' }
  if (stands.kind !== 'replaced') return stands
  const { minor, currency } = order.amount
  const page: Stripe.Checkout.SessionCreateParams = {
    mode: 'payment',
    customer: order.card.customer,
    allowed_payment_method_types: ['card'],
    line_items: [
      { quantity: 1, price_data: { currency, unit_amount: minor, product_data: { name: order.description } } },
    ],
    client_reference_id: order.paymentId,
    metadata: metadataOf(order),
    payment_intent_data: { metadata: metadataOf(order) },
    locale: locales[order.locale],
    success_url: order.returnUrl,
    cancel_url: order.returnUrl,
  }
  const answer = await askUnderKeys(Session, `${order.paymentId}-page`, {
    ask: (idempotencyKey) => stripe.checkout.sessions.create(page, { idempotencyKey }),
    stands: async () => unlessAbsent(await findPage(stripe, order)),
  })
  if (answer.kind === 'stands') return answer.stands
  if (answer.kind === 'refused') return { kind: 'declined', ref: order.ref, code: 'cardUnconfirmed' }
  // A repeated creation is answered as the first was: by now the page may have been used.
  return answer.kind === 'answer' ? await read(stripe, { ...order, ref: answer.value.id }) : answer
}

async function read(stripe: Stripe, payment: PaymentRef): Promise<PaymentOutcome> {
  if (isPage(payment.ref)) {
    const answer = await askStripe(Session, () => stripe.checkout.sessions.retrieve(payment.ref))
    return answer.kind === 'answer' ? outcomeOfSession(answer.value) : absentOf(answer)
  }
  return asOpen(await standing(stripe, payment), payment.ref)
}

/** How an intent stands, or the page in its place. */
async function standing(stripe: Stripe, payment: PaymentRef): Promise<Standing> {
  const answer = await askStripe(Intent, () => stripe.paymentIntents.retrieve(payment.ref))
  if (answer.kind !== 'answer') return absentOf(answer)
  const outcome = outcomeOfIntent(answer.value)
  if (outcome.kind !== 'replaced') return outcome
  const page = await findPage(stripe, payment)
  return page.kind === 'absent' ? outcome : page
}

async function find(stripe: Stripe, payment: Pick<PaymentOrder, 'paymentId' | 'card'>): Promise<PaymentOutcome> {
  const { paymentId, card } = payment
  // The page first: its own intent carries our id too, and is not ours to confirm.
  const page = await findPage(stripe, payment)
  if (page.kind !== 'absent') return page
  const answer = await askStripe(listOf(Intent), () =>
    stripe.paymentIntents.list({ customer: card.customer, limit: 100 }),
  )
  if (answer.kind !== 'answer') return absentOf(answer)
  const own = answer.value.data.filter(({ metadata }) => metadata?.['payment_id'] === paymentId)
  // Of one that was made twice, because the first came late, at most the one that was kept and confirmed charged.
  const intent = own.find(({ status }) => status === 'succeeded') ?? own[0]
  if (intent) return asOpen(outcomeOfIntent(intent), intent.id)
  return endOfList(answer.value)
}

async function findPage(
  stripe: Stripe,
  { paymentId, card }: Pick<PaymentOrder, 'paymentId' | 'card'>,
): Promise<PaymentOutcome> {
  const answer = await askStripe(listOf(Session), () =>
    stripe.checkout.sessions.list({ customer: card.customer, limit: 100 }),
  )
  if (answer.kind !== 'answer') return absentOf(answer)
  const page = answer.value.data.find((one) => one.client_reference_id === paymentId)
  return page ? outcomeOfSession(page) : endOfList(answer.value)
}

async function cancel(stripe: Stripe, payment: PaymentRef): Promise<PaymentOutcome> {
  const { ref } = payment
  if (isPage(ref)) {
    const answer = await askStripe(Session, () => stripe.checkout.sessions.expire(ref))
    if (answer.kind === 'answer') return outcomeOfSession(answer.value)
    return answer.kind === 'refused' ? await read(stripe, payment) : answer
  }
  const answer = await askStripe(Intent, () =>
    stripe.paymentIntents.cancel(ref, { cancellation_reason: 'requested_by_customer' }),
  )
  if (answer.kind === 'unknown') return answer
  const stands = await standing(stripe, payment)
  if (stands.kind === 'action') return await cancel(stripe, { ...payment, ref: stands.ref })
  // Replaced, and no page was opened since: nothing is left that could charge.
  return stands.kind === 'replaced' ? { kind: 'canceled', ref } : asOpen(stands, ref)
}

async function refund(stripe: Stripe, { refundId, paymentRef, amount }: RefundOrder): Promise<RefundOutcome> {
  const part = { payment_intent: paymentRef, amount: amount.minor, metadata: { refund_id: refundId } }
  const answer = await askUnderKeys(Refund, refundId, {
    ask: (idempotencyKey) => stripe.refunds.create(part, { idempotencyKey }),
    stands: async () => unlessAbsent(await readRefund(stripe, { refundId, paymentRef })),
  })
  if (answer.kind === 'stands') return answer.stands
  if (answer.kind === 'answer') return outcomeOfRefund(answer.value)
  if (answer.kind === 'unknown') return answer
  const isTooLarge = answer.param === 'amount' || answer.code === 'charge_already_refunded'
  return { kind: 'declined', code: isTooLarge ? 'refundTooLarge' : 'refundRefused' }
}

async function readRefund(
  stripe: Stripe,
  { refundId, paymentRef }: Pick<RefundOrder, 'refundId' | 'paymentRef'>,
): Promise<RefundOutcome> {
  const answer = await askStripe(listOf(Refund), () => stripe.refunds.list({ payment_intent: paymentRef, limit: 100 }))
  if (answer.kind !== 'answer') return absentOf(answer)
  const made = answer.value.data.find(({ metadata }) => metadata?.['refund_id'] === refundId)
  return made ? outcomeOfRefund(made) : endOfList(answer.value)
}

async function detach(stripe: Stripe, { card }: CardRef): Promise<{ kind: 'done' } | Unknown> {
  const answer = await askStripe(Method, () => stripe.paymentMethods.detach(card))
  if (answer.kind === 'answer') return { kind: 'done' }
  if (answer.kind === 'unknown') return answer
  // Refused for one that is detached already, too.
  const now = await askStripe(Method, () => stripe.paymentMethods.retrieve(card))
  const isGone = now.kind === 'answer' ? !now.value.customer : now.kind === 'refused' && now.code === 'resource_missing'
  return isGone ? { kind: 'done' } : unknownOf(answer)
}

function verifyWebhook(stripe: Stripe, { headers, body, now }: Webhook, secret: string): GatewayEvent | undefined {
  const header = headers['stripe-signature']
  if (typeof header !== 'string') return undefined
  let event: unknown
  try {
    event = stripe.webhooks.constructEvent(body, header, secret, tolerance, undefined, now.getTime())
  } catch {
    // The library throws errors of several kinds for what is no signature of this body.
    return undefined
  }
  const parsed = Event.safeParse(event)
  return parsed.success ? { id: parsed.data.id, about: aboutOf(parsed.data) } : undefined
}

/** Metadata of a capture that names the document it paid, wherever the capture is read. */
function metadataOf({ paymentId, pays: { document, number, period } }: PaymentOrder): Record<string, string> {
  return { payment_id: paymentId, document, number, period }
}

/** Outcome of the intent that was found or created under this order's key. */
async function follow(stripe: Stripe, intent: Intent, order: PaymentOrder): Promise<PaymentOutcome> {
  if (intent.amount !== order.amount.minor || intent.currency !== order.amount.currency)
    return { kind: 'unknown', why: `${order.paymentId} was made with other terms` }
  // A repeated creation is answered as the first was: the intent may have moved on.
  return await read(stripe, { ...order, ref: intent.id })
}

function unlessAbsent<Outcome extends { kind: string }>(
  outcome: Outcome,
): Exclude<Outcome, { kind: 'absent' }> | undefined {
  // The type guard of a generic narrows to nothing.
  return outcome.kind === 'absent' ? undefined : (outcome as Exclude<Outcome, { kind: 'absent' }>)
}

function isPage(ref: string): boolean {
  return ref.startsWith('cs_')
}

/** To the caller, what waits for its page to be opened is open: `confirm` goes on with it. */
function asOpen(outcome: Standing, ref: string): PaymentOutcome {
  return outcome.kind === 'unconfirmed' || outcome.kind === 'replaced' ? { kind: 'open', ref } : outcome
}

/** A list that goes on does not prove that there is none. */
function endOfList({ has_more }: { has_more: boolean }): { kind: 'absent' } | Unknown {
  return has_more ? { kind: 'unknown', why: 'not among the last 100' } : { kind: 'absent' }
}

function absentOf(failure: Refused | Unknown): { kind: 'absent' } | Unknown {
  return failure.kind === 'refused' && failure.code === 'resource_missing' ? { kind: 'absent' } : unknownOf(failure)
}

function refusalOf({ isCard, param, ...facts }: Refused) {
  if (isCard) return declineOf(facts)
  return param === 'payment_method' || param === 'customer' ? 'cardGone' : 'paymentRefused'
}
