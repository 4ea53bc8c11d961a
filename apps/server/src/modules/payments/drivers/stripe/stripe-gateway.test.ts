import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CardRef } from '../../gateway.ts'
import { describeGateway, type GatewayUnderTest, testOrder, testSetup } from '../../testing/gateway-conformance.ts'
import { createStripeGateway } from './stripe-gateway.ts'
import { doubleKey, doubleWebhookSecret, type StripeDouble, startStripeDouble } from './testing/stripe-double.ts'

describeGateway('stripe', async (): Promise<GatewayUnderTest> => {
  const double = await startStripeDouble()
  return {
    gateway: gatewayOf(double),
    enterCard: async (url, number) => double.world.enterCard(url, number),
    answerPage: async (url, verdict) => double.world.answerPage(url, verdict),
    loseNext: double.loseNext,
    listCaptures: async (paymentId) => double.world.listCaptures(paymentId),
    signWebhook(paymentId, at) {
      const object = { object: 'payment_intent', metadata: { payment_id: paymentId } }
      const body = JSON.stringify({ id: 'evt_1', object: 'event', data: { object } })
      return { headers: { 'stripe-signature': double.signWebhook(body, at) }, body: Buffer.from(body), now: at }
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
    double.world.enterCard(opened.url, '4242424242424242')
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

  test('a second card is kept with the same customer', async () => {
    const gateway = gatewayOf(double)
    const opened = await gateway.openSetup({ ...testSetup(), customer: card.customer })
    if (opened.kind !== 'action') throw new Error(opened.why)
    double.world.enterCard(opened.url, '5555555555554444')
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
