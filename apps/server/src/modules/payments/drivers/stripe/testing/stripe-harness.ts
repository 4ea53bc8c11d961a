/** State of the test double, and how each call changes it. */
import type { z } from 'zod'
import { testNumbers } from '../../sandbox/test-numbers.ts'
import {
  type Dispute,
  type Intent,
  IntentCancel,
  IntentConfirm,
  IntentCreate,
  IntentList,
  List,
  type Method,
  MovementList,
  type Refund,
  RefundCreate,
  type Session,
  SessionCreate,
} from './stripe-shapes.ts'

export class StripeFault extends Error {
  readonly status: number
  readonly error: Record<string, unknown>

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error['message']))
    this.status = status
    this.error = error
  }
}

export type StripeHarness = ReturnType<typeof stripeHarness>

export function stripeHarness() {
  const intents = new Map<string, Intent>()
  const sessions = new Map<string, Session>()
  const methods = new Map<string, Method>()
  const refunds: Refund[] = []
  const disputes: Dispute[] = []
  const now = () => Math.floor(Date.now() / 1000)
  let last = 0
  const newId = (prefix: string) => `${prefix}_${++last}`

  const invalid = (code: string, param?: string) =>
    new StripeFault(400, { type: 'invalid_request_error', code, param, message: `${code} ${param ?? ''}` })
  function known<T>(map: Map<string, T>, id: string): T {
    const found = map.get(id)
    if (!found) throw new StripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message: id })
    return found
  }
  function usable(method: string, customer: string): Method {
    const found = methods.get(method)
    if (!found || found.customer !== customer) throw invalid('resource_missing', 'payment_method')
    return found
  }
  function decline(intent: Intent, code: string): never {
    const declined = code === 'authentication_required' ? { code } : { code: 'card_declined', decline_code: code }
    intent.status = 'requires_payment_method'
    intent.last_payment_error = declined
    throw new StripeFault(402, { type: 'card_error', message: code, payment_intent: intent, ...declined })
  }
  const page = <T>(rows: T[], limit: number) => ({
    data: rows.toReversed().slice(0, limit),
    has_more: rows.length > limit,
  })
  function movements<T extends Refund | Dispute>(rows: T[], query: unknown) {
    const { payment_intent, created, starting_after: after, limit } = MovementList.parse(query)
    const own = rows.filter(
      (one) =>
        (payment_intent === undefined || one.payment_intent === payment_intent) && one.created >= (created?.gte ?? 0),
    )
    return page(own.slice(0, after === undefined ? own.length : own.findIndex(({ id }) => id === after)), limit)
  }
  function dispute(
    payment_intent: string,
    { amount, isInquiry }: { amount?: number; isInquiry?: boolean } = {},
  ): Dispute {
    const intent = known(intents, payment_intent)
    const made: Dispute = {
      id: newId('dp'),
      object: 'dispute',
      payment_intent,
      reason: 'fraudulent',
      created: now(),
      metadata: {},
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
      currency: intent.currency,
      amount: amount ?? intent.amount,
      evidence_details: { due_by: now() + 7 * 86_400 },
      balance_transactions: [],
    }
    disputes.push(made)
    if (!isInquiry) moveFunds(made, -made.amount)
    return made
  }
  /** The fee of 15.00 is the operator's. */
  function moveFunds({ balance_transactions: moved, currency }: Dispute, amount: number): void {
    moved.push({ amount, fee: amount < 0 ? 1500 : 0, currency })
  }

  function confirm(intent: Intent, params: z.output<typeof IntentConfirm>): Intent {
    if (intent.status === 'canceled' || intent.status === 'succeeded') throw invalid('payment_intent_unexpected_state')
    const { charging } = usable(params.payment_method, intent.customer)
    if (charging === 'declines') decline(intent, 'generic_decline')
    if (charging === 'asks') decline(intent, 'authentication_required')
    take(intent)
    if (charging === 'disputed') dispute(intent.id)
    return intent
  }
  function take(intent: Intent): Intent {
    intent.status = 'succeeded'
    intent.amount_received = intent.amount
    return intent
  }

  const calls: [RegExp, boolean, (params: unknown, id: string) => unknown][] = [
    [
      /^POST \/v1\/payment_intents$/,
      true,
      (body) => {
        const { confirm: _, description: __, allowed_payment_method_types: ___, ...params } = IntentCreate.parse(body)
        usable(params.payment_method, params.customer)
        const id = newId('pi')
        const none = { cancellation_reason: null, last_payment_error: null, amount_received: 0 }
        intents.set(id, { id, created: now(), status: 'requires_confirmation', ...params, ...none })
        return { ...intents.get(id) }
      },
    ],
    [
      /^POST \/v1\/payment_intents\/([^/]+)\/confirm$/,
      true,
      (body, id) => ({ ...confirm(known(intents, id), IntentConfirm.parse(body)) }),
    ],
    [
      /^POST \/v1\/payment_intents\/([^/]+)\/cancel$/,
      false,
      (body, id) => {
        const intent = known(intents, id)
        const { cancellation_reason } = IntentCancel.parse(body)
        if (['canceled', 'succeeded'].includes(intent.status)) throw invalid('payment_intent_unexpected_state')
        return { ...Object.assign(intent, { status: 'canceled', cancellation_reason }) }
      },
    ],
    [/^GET \/v1\/payment_intents\/([^/]+)$/, false, (_, id) => known(intents, id)],
    [
      /^GET \/v1\/payment_intents$/,
      false,
      (query) => {
        const { customer, starting_after: after, limit } = IntentList.parse(query)
        const own = [...intents.values()].filter((one) => customer === undefined || one.customer === customer)
        const before = after === undefined ? own.length : own.findIndex((one) => one.id === after)
        return page(own.slice(0, before), limit)
      },
    ],
    [/^POST \/v1\/checkout\/sessions$/, true, (body) => openSession(SessionCreate.parse(body))],
    [
      /^GET \/v1\/checkout\/sessions$/,
      false,
      (query) => {
        const { customer, limit } = List.parse(query)
        return page(
          [...sessions.values()].filter((one) => one.customer === customer),
          limit,
        )
      },
    ],
    [/^GET \/v1\/checkout\/sessions\/([^/]+)$/, false, (_, id) => known(sessions, id)],
    [
      /^POST \/v1\/checkout\/sessions\/([^/]+)\/expire$/,
      false,
      (_, id) => {
        const session = known(sessions, id)
        if (session.status !== 'open') throw invalid('session_unexpected_state')
        return { ...Object.assign(session, { status: 'expired', url: null }) }
      },
    ],
    [/^POST \/v1\/refunds$/, true, (body) => makeRefund(RefundCreate.parse(body))],
    [/^GET \/v1\/refunds$/, false, (query) => movements(refunds, query)],
    [
      /^POST \/v1\/disputes\/([^/]+)(?:\/close)?$/,
      false,
      (body, id) => {
        const found = disputes.find((one) => one.id === id)
        if (found?.status !== 'needs_response') throw invalid('dispute_not_open', id)
        return Object.assign(found, { status: Object.keys(body ?? {}).length > 0 ? 'under_review' : 'lost' })
      },
    ],
    [/^GET \/v1\/disputes$/, false, (query) => movements(disputes, query)],
    [
      /^POST \/v1\/payment_methods\/([^/]+)\/detach$/,
      false,
      (_, id) => {
        const method = known(methods, id)
        if (method.customer === null) throw invalid('payment_method_unexpected_state', 'payment_method')
        return { ...Object.assign(method, { customer: null }) }
      },
    ],
    [/^GET \/v1\/payment_methods\/([^/]+)$/, false, (_, id) => known(methods, id)],
  ]

  function openSession(params: z.output<typeof SessionCreate>): Session {
    const isPayment = params.mode === 'payment'
    const price = isPayment ? params.line_items[0].price_data : undefined
    const id = newId('cs')
    const intentId = isPayment ? newId('pi') : null
    if (isPayment && intentId && price) {
      const { metadata } = params.payment_intent_data
      const none = { cancellation_reason: null, last_payment_error: null, amount_received: 0, payment_method: '' }
      const { currency, unit_amount: amount } = price
      const { customer } = params
      intents.set(intentId, {
        id: intentId,
        created: now(),
        status: 'requires_payment_method',
        amount,
        currency,
        customer,
        metadata,
        ...none,
      })
    }
    sessions.set(id, {
      id,
      mode: params.mode,
      status: 'open',
      url: `http://double/c/pay/${id}`,
      client_reference_id: params.client_reference_id,
      customer: params.customer ?? null,
      payment_status: isPayment ? 'unpaid' : 'no_payment_required',
      amount_total: price?.unit_amount ?? null,
      currency: price?.currency ?? (isPayment ? '' : params.currency),
      payment_intent: intentId,
      setup_intent: isPayment ? null : newId('seti'),
    })
    return { ...known(sessions, id) }
  }

  function makeRefund({ payment_intent, amount, metadata }: z.output<typeof RefundCreate>) {
    const intent = known(intents, payment_intent)
    if (
      disputes.some((one) => one.payment_intent === payment_intent && !['won', 'warning_closed'].includes(one.status))
    )
      throw invalid('charge_disputed')
    const returned = refunds
      .filter((one) => one.payment_intent === payment_intent && one.status !== 'failed')
      .reduce((sum, one) => sum + one.amount, 0)
    if (intent.status !== 'succeeded') throw invalid('intent_invalid_state', 'payment_intent')
    if (returned === intent.amount_received) throw invalid('charge_already_refunded')
    if (returned + amount > intent.amount_received) throw invalid('parameter_invalid', 'amount')
    const { currency } = intent
    const refund: Refund = {
      id: newId('re'),
      object: 'refund',
      status: 'succeeded',
      created: now(),
      payment_intent,
      amount,
      currency,
      metadata,
    }
    refunds.push(refund)
    return { ...refund }
  }

  const sessionOf = (url: string) => known(sessions, url.split('/').at(-1) ?? '')
  return {
    call(method: string, path: string, params: unknown, key: string | undefined): unknown {
      for (const [pattern, needsKey, run] of calls) {
        const match = pattern.exec(`${method} ${path}`)
        if (!match) continue
        if (needsKey && key === undefined) throw invalid('idempotency_key_missing', 'idempotency-key')
        return run(params, match[1] ?? '')
      }
      throw new StripeFault(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${path}).` })
    },
    /** A customer types a number on the page of a setup. */
    enterCard(url: string, number: string): boolean {
      const session = sessionOf(url)
      const test = testNumbers.find((one) => one.number === number)
      if (session.status !== 'open' || !test || 'declined' in test.adding) return false
      session.customer ??= newId('cus')
      const card = { brand: test.brand, last4: number.slice(-4), exp_month: 12, exp_year: 2040 }
      const method = { id: newId('pm'), customer: session.customer, charging: test.adding.charging, card }
      methods.set(method.id, method)
      Object.assign(session, { status: 'complete', url: null, setup_intent: { payment_method: method } })
      return true
    },
    /** A customer answers their bank; refused, the page lets them try again. */
    answerPage(url: string, verdict: 'confirm' | 'refuse'): boolean {
      const session = sessionOf(url)
      if (session.status !== 'open') return false
      const intent = known(intents, session.payment_intent ?? '')
      if (verdict === 'refuse') {
        intent.last_payment_error = { code: 'payment_intent_authentication_failure' }
        return true
      }
      take(intent)
      Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
      return true
    },
    dispute,
    moveFunds,
    intentOf: (ref: string) => known(intents, ref),
    disputesOf: (ref: string) => disputes.filter((one) => one.payment_intent === ref),
    /** The operator gives a part back in the dashboard. */
    refundInDashboard: (payment_intent: string, amount: number) => makeRefund({ payment_intent, amount, metadata: {} }),
    /** Refunds on their way to a card fail. */
    failRefunds(payment_intent: string): void {
      for (const one of refunds) if (one.payment_intent === payment_intent) one.status = 'failed'
    },
    listCaptures: (paymentId: string): number[] =>
      [...intents.values()]
        .filter((one) => one.metadata['payment_id'] === paymentId && one.status === 'succeeded')
        .map((one) => one.amount_received),
  }
}
