import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CardRef } from '../../gateway/gateway.ts'
import { describeGateway } from '../../testing/gateway-conformance.ts'
import { type GatewayUnderTest, testOrder, testSetup } from '../../testing/gateway-under-test.ts'
import { createStripeGateway } from './stripe-gateway.ts'
import { doubleKey, doubleWebhookSecret, type StripeDouble, startStripeDouble } from './testing/stripe-double.ts'

describeGateway('stripe', async (): Promise<GatewayUnderTest> => {
  const double = await startStripeDouble()
  return {
    gateway: gatewayOf(double),
    enterCard: async (url, number) => double.harness.enterCard(url, number),
    answerPage: async (url, verdict) => double.harness.answerPage(url, verdict),
    loseNext: double.loseNext,
    listCaptures: async (paymentId) => double.harness.listCaptures(paymentId),
    signWebhook(paymentId, at) {
      const object = { object: 'payment_intent', metadata: { payment_id: paymentId } }
      const body = JSON.stringify({ id: 'evt_1', object: 'event', data: { object } })
      return { headers: { 'stripe-signature': double.signWebhook(body, at) }, body: Buffer.from(body), now: at }
    },
    signDispute(ref, at) {
      const object = { object: 'dispute', id: 'dp_1', payment_intent: ref, metadata: {} }
      const event = { id: 'evt_2', object: 'event', type: 'charge.dispute.funds_withdrawn', data: { object } }
      const body = JSON.stringify(event)
      return { headers: { 'stripe-signature': double.signWebhook(body, at) }, body: Buffer.from(body), now: at }
    },
    async decideDisputes(ref, verdict) {
      for (const dispute of double.harness.disputesOf(ref)) {
        dispute.status = verdict
        if (verdict === 'won') double.harness.moveFunds(dispute, dispute.amount)
      }
    },
    async refundInDashboard(ref, minor) {
      double.harness.refundInDashboard(ref, minor)
    },
    async failRefunds(ref) {
      double.harness.failRefunds(ref)
    },
    close: double.close,
  }
})

function gatewayOf(double: StripeDouble, settings: { secretKey?: string; timeoutMs?: number } = {}) {
  return createStripeGateway({
    secretKey: doubleKey,
    baseUrl: double.url,
    webhookSecret: doubleWebhookSecret,
    ...settings,
  })
}

describe('of Stripe', () => {
  let double: StripeDouble
  let card: CardRef
  beforeAll(async () => {
    double = await startStripeDouble()
    const gateway = gatewayOf(double)
    const opened = await gateway.openSetup(testSetup())
    if (opened.kind !== 'action') throw new Error(opened.why)
    double.harness.enterCard(opened.url, '4242424242424242')
    const done = await gateway.readSetup({ setupId: '', ref: opened.ref })
    if (done.kind !== 'done') throw new Error(done.kind)
    card = done.card
  })
  afterAll(() => double.close())

  test.each(['malformed', 'huge', 'page'] as const)(
    'an answer that is %s is not believed, and not asked twice',
    async (lie) => {
      const gateway = gatewayOf(double)
      const order = testOrder(card)
      const created = await gateway.create(order)
      if (created.kind !== 'open') throw new Error(created.kind)
      const before = double.requests.length
      double.lieNext(lie)
      expect(await gateway.confirm({ ...order, ref: created.ref })).toMatchObject({ kind: 'unknown' })
      expect(double.requests.slice(before)).toEqual([`POST /v1/payment_intents/${created.ref}/confirm`])
      expect(await gateway.read({ ...order, ref: created.ref })).toMatchObject({ kind: 'done', captured: order.amount })
    },
  )

  test('an answer that does not end is given up after the time-out', async () => {
    double.lieNext('hang')
    expect(await gatewayOf(double, { timeoutMs: 200 }).find(testOrder(card))).toMatchObject({ kind: 'unknown' })
  })

  test('a wrong key leaves everything unknown', async () => {
    const gateway = gatewayOf(double, { secretKey: 'sk_test_other' })
    expect(await gateway.create(testOrder(card))).toMatchObject({ kind: 'unknown' })
    expect(await gateway.find(testOrder(card))).toMatchObject({ kind: 'unknown' })
  })

  test('a key that is changed while the server runs is the one that is asked with', async () => {
    const settings = { secretKey: 'sk_test_other', baseUrl: double.url, webhookSecret: doubleWebhookSecret }
    const gateway = createStripeGateway(settings)
    const order = testOrder(card)
    expect(await gateway.find(order)).toMatchObject({ kind: 'unknown' })
    settings.secretKey = doubleKey
    expect(await gateway.find(order)).toEqual({ kind: 'absent' })
  })

  test('a creation that ended with 500 is repeated under its key, and made under the next', async () => {
    const gateway = gatewayOf(double)
    const order = testOrder(card)
    double.breakNext()
    expect(await gateway.create(order)).toMatchObject({ kind: 'unknown' })
    expect(await gateway.create(order)).toMatchObject({ kind: 'unknown' })
    expect(await gateway.find(order)).toEqual({ kind: 'absent' })
    const made = await gateway.create({ ...order, sending: 2 })
    if (made.kind !== 'open') throw new Error(made.kind)
    expect(await gateway.confirm({ ...order, sending: 2, ref: made.ref })).toMatchObject({ kind: 'done' })
    expect(double.harness.listCaptures(order.paymentId)).toEqual([1440])
  })

  test('a confirmation that ended with 500 is never asked for under another key', async () => {
    const gateway = gatewayOf(double)
    const order = testOrder(card)
    const made = await gateway.create(order)
    if (made.kind !== 'open') throw new Error(made.kind)
    const open = { ...order, ref: made.ref }
    double.breakNext()
    expect(await gateway.confirm(open)).toMatchObject({ kind: 'unknown' })
    expect(await gateway.confirm(open)).toMatchObject({ kind: 'unknown' })
    expect(await gateway.read(open)).toEqual({ kind: 'open', ref: made.ref })
    expect(new Set(double.keys.filter((key) => key.startsWith(`${order.paymentId}-confirm`))).size).toBe(1)
    expect(double.harness.listCaptures(order.paymentId)).toEqual([])
  })

  test('a confirmation whose answer was lost is not asked for under another key', async () => {
    const gateway = gatewayOf(double)
    const order = testOrder(card)
    const made = await gateway.create(order)
    if (made.kind !== 'open') throw new Error(made.kind)
    for (const when of ['before', 'after'] as const) {
      double.loseNext(when)
      expect(await gateway.confirm({ ...order, ref: made.ref })).toMatchObject({ kind: 'unknown' })
    }
    expect(await gateway.confirm({ ...order, ref: made.ref })).toMatchObject({ kind: 'done' })
    expect(double.harness.listCaptures(order.paymentId)).toEqual([1440])
    expect(double.keys.filter((key) => key.startsWith(`${order.paymentId}-confirm`))).toEqual(
      expect.not.arrayContaining([`${order.paymentId}-confirm-2`]),
    )
  })

  test('a page for the bank that ended with 500 is opened under its next key', async () => {
    const gateway = gatewayOf(double)
    const opened = await gateway.openSetup(testSetup())
    if (opened.kind !== 'action') throw new Error(opened.kind)
    double.harness.enterCard(opened.url, '4000000000003220')
    const asking = await gateway.readSetup({ setupId: '', ref: opened.ref })
    if (asking.kind !== 'done') throw new Error(asking.kind)
    const order = testOrder(asking.card)
    const made = await gateway.create(order)
    if (made.kind !== 'open') throw new Error(made.kind)
    double.breakNext('POST /v1/checkout/sessions')
    expect(await gateway.confirm({ ...order, ref: made.ref })).toMatchObject({ kind: 'unknown' })
    const next = await gateway.confirm({ ...order, ref: made.ref })
    expect(next).toMatchObject({ kind: 'action' })
    expect(await gateway.find(order)).toEqual(next)
  })

  test('a refund that ended with 500 is made under its next key, once', async () => {
    const gateway = gatewayOf(double)
    const order = testOrder(card)
    const made = await gateway.create(order)
    if (made.kind !== 'open') throw new Error(made.kind)
    await gateway.confirm({ ...order, ref: made.ref })
    const refund = { refundId: `rf_${order.paymentId}`, paymentRef: made.ref, amount: { ...order.amount, minor: 500 } }
    double.breakNext()
    expect(await gateway.refund(refund)).toMatchObject({ kind: 'unknown' })
    expect(await gateway.readRefund(refund)).toEqual({ kind: 'absent' })
    const done = await gateway.refund(refund)
    expect(done).toMatchObject({ kind: 'done' })
    expect(await gateway.refund(refund)).toEqual(done)
  })

  test('a card page that ended with 500 is opened by the next attempt', async () => {
    const setup = testSetup()
    double.breakNext()
    expect(await gatewayOf(double).openSetup(setup)).toMatchObject({ kind: 'unknown' })
    expect(await gatewayOf(double).openSetup(setup)).toMatchObject({ kind: 'unknown' })
    expect(await gatewayOf(double).openSetup({ ...setup, sending: 2 })).toMatchObject({ kind: 'action' })
  })

  describe('a dispute', () => {
    async function pay() {
      const gateway = gatewayOf(double)
      const order = testOrder(card)
      const created = await gateway.create(order)
      if (created.kind !== 'open') throw new Error(created.kind)
      await gateway.confirm({ ...order, ref: created.ref })
      return created.ref
    }
    async function disputesOf(ref: string) {
      const read = await gatewayOf(double).readMovements(ref)
      if (read.kind !== 'movements') throw new Error(read.why)
      return read.disputes
    }

    test('that is an inquiry withdraws nothing, until it becomes one that does', async () => {
      const ref = await pay()
      const inquiry = double.harness.dispute(ref, { isInquiry: true })
      expect(await disputesOf(ref)).toMatchObject([{ state: 'inquiry', withdrawn: { minor: 0 } }])
      inquiry.status = 'needs_response'
      double.harness.moveFunds(inquiry, -inquiry.amount)
      expect(await disputesOf(ref)).toMatchObject([{ state: 'open', withdrawn: { minor: 1440 } }])
      inquiry.status = 'warning_closed'
      double.harness.moveFunds(inquiry, inquiry.amount)
      expect(await disputesOf(ref)).toMatchObject([{ state: 'closed', withdrawn: { minor: 0 } }])
    })

    test.each([
      ['of a part', [-440], 440],
      ['of which a part came back', [-1440, 1000], 440],
      ['that was withdrawn again', [-1440, 1440, -1440], 1440],
    ])('%s withdraws what is not back, without the fee', async (_, moved, minor) => {
      const ref = await pay()
      const dispute = double.harness.dispute(ref)
      dispute.balance_transactions = []
      for (const amount of moved) double.harness.moveFunds(dispute, amount)
      expect(await disputesOf(ref)).toMatchObject([{ withdrawn: { minor, currency: 'usd' } }])
    })

    test('on a balance in another currency withdraws its share of the disputed amount', async () => {
      const ref = await pay()
      const dispute = double.harness.dispute(ref)
      dispute.balance_transactions = [-10_000, 2500].map((amount) => ({ amount, fee: 0, currency: 'cny' }))
      expect(await disputesOf(ref)).toMatchObject([{ withdrawn: { minor: 1080, currency: 'usd' } }])
    })
  })

  test('a second card is kept with the same customer', async () => {
    const gateway = gatewayOf(double)
    const opened = await gateway.openSetup({ ...testSetup(), customer: card.customer })
    if (opened.kind !== 'action') throw new Error(opened.why)
    double.harness.enterCard(opened.url, '5555555555554444')
    expect(await gateway.readSetup({ setupId: '', ref: opened.ref })).toMatchObject({
      card: { customer: card.customer },
    })
  })

  test.each([
    ['without a value', 't=1,v1'],
    ['without a time', 'v1=00'],
    ['with an empty time', 't=,v1=00'],
    ['of 10 kB', 'x'.repeat(10_000)],
  ])('a signature %s is none', (_, header) => {
    const webhook = { headers: { 'stripe-signature': header }, body: Buffer.from('{}'), now: new Date() }
    expect(gatewayOf(double).verifyWebhook(webhook)).toBeUndefined()
  })
})
