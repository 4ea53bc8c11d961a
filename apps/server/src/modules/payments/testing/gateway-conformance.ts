import { randomBytes } from 'node:crypto'
import { money } from '@atoll/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  CardRef,
  PaymentGateway,
  PaymentOrder,
  PaymentOutcome,
  RefundOrder,
  SetupOrder,
  Webhook,
} from '../gateway.ts'

/** A gateway in a world of its own. */
export interface GatewayUnderTest {
  gateway: PaymentGateway
  /** Types a number on the hosted page, a later date and a code; whether the page took it. */
  enterCard(url: string, number: string): Promise<boolean>
  /** Answers the page on which a payment is confirmed; false when it cannot be answered any more. */
  answerPage(url: string, verdict: 'confirm' | 'refuse'): Promise<boolean>
  /** The next request has no effect (`before`), or has one (`after`), and is never answered. */
  loseNext(when: 'before' | 'after'): void
  /** What was taken for a payment, found without asking the driver; each capture by itself. */
  listCaptures(paymentId: string): Promise<number[]>
  /** A webhook about a payment as the gateway sends it at that moment. */
  signWebhook(paymentId: string, at: Date): Webhook
  close(): Promise<void>
}

const newName = (prefix: string) => `${prefix}_${randomBytes(10).toString('hex')}`
const returnUrl = 'http://localhost:4800/billing'

export function testSetup(): SetupOrder {
  return {
    setupId: newName('su'),
    userid: newName('did'),
    customer: undefined,
    currency: 'usd',
    locale: 'en-US',
    returnUrl,
  }
}

export function testOrder(card: CardRef, minor = 1440): PaymentOrder {
  return {
    paymentId: newName('pay'),
    card,
    amount: money(minor, 'usd'),
    description: 'ATL-1',
    locale: 'en-US',
    returnUrl,
  }
}

/** What billing relies on. Runs against every gateway. */
export function describeGateway(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`gateway ${name}`, () => {
    let world: GatewayUnderTest
    let gateway: PaymentGateway
    let good: CardRef
    beforeAll(async () => {
      world = await open()
      gateway = world.gateway
      good = await addCard('4242424242424242')
    })
    afterAll(() => world.close())

    async function addCard(number: string): Promise<CardRef> {
      const setup = testSetup()
      const opened = await gateway.openSetup(setup)
      if (opened.kind !== 'action') throw new Error(opened.why)
      expect(await world.enterCard(opened.url, number)).toBe(true)
      const done = await gateway.readSetup({ setupId: setup.setupId, ref: opened.ref })
      if (done.kind !== 'done') throw new Error(`the setup is ${done.kind}`)
      return done.card
    }

    async function createOpen(order: PaymentOrder): Promise<PaymentOrder & { ref: string }> {
      return { ...order, ref: refOf(await gateway.create(order), 'open') }
    }
    async function pay(order: PaymentOrder): Promise<string> {
      return refOf(await gateway.confirm(await createOpen(order)), 'done')
    }
    async function askForConfirmation(): Promise<{ order: PaymentOrder & { ref: string }; url: string }> {
      const created = await createOpen(testOrder(await addCard('4000000000003220')))
      const asked = await gateway.confirm(created)
      if (asked.kind !== 'action') throw new Error(`it is ${asked.kind}`)
      return { order: { ...created, ref: asked.ref }, url: asked.url }
    }
    const captures = (order: { paymentId: string }) => world.listCaptures(order.paymentId)

    describe('a card', () => {
      test('is known by its brand, last digits and date once its page was filled in', async () => {
        const setup = testSetup()
        const opened = await gateway.openSetup(setup)
        if (opened.kind !== 'action') throw new Error(opened.why)
        const { setupId } = setup
        expect(await gateway.readSetup({ setupId, ref: opened.ref })).toEqual({ kind: 'open' })
        expect(await gateway.openSetup(setup)).toEqual(opened)
        await world.enterCard(opened.url, '5555555555554444')
        const done = await gateway.readSetup({ setupId, ref: opened.ref })
        expect(done).toMatchObject({ kind: 'done', facts: { brand: 'mastercard', last4: '4444', expMonth: 12 } })
        expect(JSON.stringify(done)).not.toContain('5555555555554444')
      })

      test.each(['4000000000000002', '4000000000009995', '4000000000000069'])('%s is not saved', async (number) => {
        const setup = testSetup()
        const opened = await gateway.openSetup(setup)
        if (opened.kind !== 'action') throw new Error(opened.why)
        expect(await world.enterCard(opened.url, number)).toBe(false)
        expect(await gateway.readSetup({ setupId: setup.setupId, ref: opened.ref })).toEqual({ kind: 'open' })
      })

      test('that was detached, once or twice, is not charged', async () => {
        const card = await addCard('4242424242424242')
        const before = await createOpen(testOrder(card))
        expect(await gateway.detach(card)).toEqual({ kind: 'done' })
        expect(await gateway.detach(card)).toEqual({ kind: 'done' })
        expect(await gateway.confirm(before)).toMatchObject({ kind: 'declined', code: 'cardGone' })
        expect(await captures(before)).toEqual([])
      })
    })

    describe('a payment', () => {
      test('takes nothing before it is confirmed, and then its amount', async () => {
        const order = await createOpen(testOrder(good))
        expect(await captures(order)).toEqual([])
        expect(await gateway.confirm(order)).toEqual({ kind: 'done', ref: order.ref, captured: order.amount })
        expect(await gateway.read(order)).toEqual({ kind: 'done', ref: order.ref, captured: order.amount })
        expect(await gateway.find(order)).toEqual({ kind: 'done', ref: order.ref, captured: order.amount })
        expect(await captures(order)).toEqual([1440])
      })

      test('that is sent and confirmed many times at once takes its amount once', async () => {
        const order = testOrder(good)
        const made = await Promise.all([1, 2, 3, 4].map(() => gateway.create(order)))
        expect(new Set(made.flatMap((one) => ('ref' in one ? [one.ref] : []))).size).toBe(1)
        const created = await createOpen(order)
        await Promise.all([1, 2, 3, 4].map(() => gateway.confirm(created)))
        expect(await gateway.confirm(created)).toMatchObject({ kind: 'done' })
        expect(await captures(order)).toEqual([1440])
      })

      test('of one id and another amount is not charged, and not taken for declined', async () => {
        const order = testOrder(good)
        await pay(order)
        expect(await gateway.create({ ...order, amount: money(99, 'usd') })).toMatchObject({ kind: 'unknown' })
        expect(await captures(order)).toEqual([1440])
      })

      test.each([
        ['never arrived', 'before', 'absent'],
        ['was not answered', 'after', 'open'],
      ] as const)('whose creation %s is found to be so', async (_, when, kind) => {
        const order = testOrder(good)
        world.loseNext(when)
        expect(await gateway.create(order)).toMatchObject({ kind: 'unknown' })
        const found = await gateway.find(order)
        expect(found.kind).toBe(kind)
        await pay(order)
        expect(await captures(order)).toEqual([1440])
      })

      test.each([
        ['never arrived', 'before', 'open'],
        ['was not answered', 'after', 'done'],
      ] as const)('whose confirmation %s is read to be so', async (_, when, kind) => {
        const order = await createOpen(testOrder(good))
        world.loseNext(when)
        expect(await gateway.confirm(order)).toMatchObject({ kind: 'unknown' })
        expect((await gateway.read(order)).kind).toBe(kind)
        expect((await gateway.find(order)).kind).toBe(kind)
        expect((await gateway.confirm(order)).kind).toBe('done')
        expect(await captures(order)).toEqual([1440])
      })

      test('that the bank declines says why, each time, and stays so', async () => {
        const order = await createOpen(testOrder(await addCard('4000000000000341')))
        const declined = { kind: 'declined', code: 'cardDeclined', ref: order.ref }
        expect(await gateway.confirm(order)).toEqual(declined)
        expect(await gateway.confirm(order)).toEqual(declined)
        expect(await gateway.read(order)).toEqual(declined)
        expect(await captures(order)).toEqual([])
      })

      test('that nobody made is absent', async () => {
        expect(await gateway.find(testOrder(good))).toEqual({ kind: 'absent' })
      })

      test('that was canceled is never charged', async () => {
        const order = await createOpen(testOrder(good))
        expect((await gateway.cancel(order)).kind).toBe('canceled')
        expect((await gateway.cancel(order)).kind).toBe('canceled')
        expect((await gateway.confirm(order)).kind).toBe('canceled')
        expect((await gateway.read(order)).kind).toBe('canceled')
        expect(await captures(order)).toEqual([])
      })

      test('that is done stays done when it is canceled', async () => {
        const order = testOrder(good)
        const ref = await pay(order)
        expect(await gateway.cancel({ ...order, ref })).toMatchObject({ kind: 'done', captured: order.amount })
      })
    })

    describe('a payment that the bank wants confirmed', () => {
      test('waits on a page, and is done once it was confirmed there', async () => {
        const { order, url } = await askForConfirmation()
        expect(await gateway.read(order)).toMatchObject({ kind: 'action', url })
        expect(await gateway.find(order)).toMatchObject({ kind: 'action', url })
        expect(await gateway.confirm(order)).toMatchObject({ kind: 'action', url })
        expect(await captures(order)).toEqual([])
        expect(await world.answerPage(url, 'confirm')).toBe(true)
        expect(await gateway.read(order)).toMatchObject({ kind: 'done', captured: order.amount })
        expect(await gateway.find(order)).toMatchObject({ kind: 'done', captured: order.amount })
        expect(await captures(order)).toEqual([1440])
      })

      test('takes nothing when it is refused there', async () => {
        const { order, url } = await askForConfirmation()
        await world.answerPage(url, 'refuse')
        expect(['declined', 'action']).toContain((await gateway.read(order)).kind)
        expect(['declined', 'canceled']).toContain((await gateway.cancel(order)).kind)
        expect(await captures(order)).toEqual([])
      })

      test('cannot be confirmed after it was canceled', async () => {
        const { order, url } = await askForConfirmation()
        expect((await gateway.cancel(order)).kind).toBe('canceled')
        expect(await world.answerPage(url, 'confirm')).toBe(false)
        expect((await gateway.read(order)).kind).toBe('canceled')
        expect((await gateway.find(order)).kind).toBe('canceled')
        expect(await captures(order)).toEqual([])
      })

      test('stays done when it was confirmed before it was canceled', async () => {
        const { order, url } = await askForConfirmation()
        await world.answerPage(url, 'confirm')
        expect((await gateway.cancel(order)).kind).toBe('done')
      })

      test('is asked for anew when the answer with its page was lost', async () => {
        const created = await createOpen(testOrder(await addCard('4000000000003220')))
        world.loseNext('after')
        expect(await gateway.confirm(created)).toMatchObject({ kind: 'unknown' })
        expect(['open', 'action']).toContain((await gateway.find(created)).kind)
        const asked = await gateway.confirm(created)
        if (asked.kind !== 'action') throw new Error(`it is ${asked.kind}`)
        await world.answerPage(asked.url, 'confirm')
        expect((await gateway.find(created)).kind).toBe('done')
        expect(await captures(created)).toEqual([1440])
      })
    })

    test('lists each capture once, page after page, with the id of its payment', async () => {
      const order = testOrder(good)
      const ref = await pay(order)
      const open = await createOpen(testOrder(good))
      const all = []
      for (let after: string | null = null, goesOn = true; goesOn; ) {
        const page = await gateway.listCaptures(after)
        if (page.kind !== 'page') throw new Error(page.why)
        all.push(...page.captures)
        after = page.next
        goesOn = after !== null
      }
      expect(all.filter(({ paymentId }) => paymentId === order.paymentId)).toEqual([
        { paymentId: order.paymentId, ref, amount: order.amount },
      ])
      expect(all.map(({ paymentId }) => paymentId)).not.toContain(open.paymentId)
      expect(new Set(all.map((one) => one.ref)).size).toBe(all.length)
    })

    describe('a refund', () => {
      const refundOf = (paymentRef: string, minor: number): RefundOrder => ({
        refundId: newName('re'),
        paymentRef,
        amount: money(minor, 'usd'),
      })

      test('returns parts until all is returned, and never more', async () => {
        const paymentRef = await pay(testOrder(good))
        const first = refundOf(paymentRef, 1000)
        const done = await gateway.refund(first)
        expect(done.kind).toBe('done')
        expect(await gateway.refund(first)).toEqual(done)
        expect(await gateway.readRefund(first)).toEqual(done)
        const tooMuch = refundOf(paymentRef, 441)
        expect(await gateway.refund(tooMuch)).toEqual({ kind: 'declined', code: 'refundTooLarge' })
        expect(await gateway.readRefund(tooMuch)).toEqual({ kind: 'absent' })
        expect((await gateway.refund(refundOf(paymentRef, 440))).kind).toBe('done')
      })

      test('whose answer was lost is found, and not made twice', async () => {
        const paymentRef = await pay(testOrder(good))
        const refund = refundOf(paymentRef, 1000)
        world.loseNext('after')
        expect(await gateway.refund(refund)).toMatchObject({ kind: 'unknown' })
        expect((await gateway.readRefund(refund)).kind).toBe('done')
        expect((await gateway.refund(refund)).kind).toBe('done')
        expect((await gateway.refund(refundOf(paymentRef, 440))).kind).toBe('done')
      })

      test('by two at once returns no more than was taken', async () => {
        const paymentRef = await pay(testOrder(good))
        const both = await Promise.all([1, 2].map(() => gateway.refund(refundOf(paymentRef, 1000))))
        expect(both.map(({ kind }) => kind).sort()).toEqual(['declined', 'done'])
      })

      test('of what was not paid is refused', async () => {
        const order = await createOpen(testOrder(good))
        expect((await gateway.refund(refundOf(order.ref, 100))).kind).toBe('declined')
      })
    })

    describe('a webhook', () => {
      const now = new Date()
      test('says what it is about, the same whenever it comes', () => {
        const webhook = world.signWebhook('pay_some', now)
        const event = gateway.verifyWebhook({ ...webhook, now })
        expect(event).toMatchObject({ id: expect.any(String), about: { kind: 'payment', id: 'pay_some' } })
        expect(gateway.verifyWebhook({ ...webhook, now })).toEqual(event)
      })

      test('that was changed, is old, or is signed by nobody is none', () => {
        const { headers, body } = world.signWebhook('pay_some', now)
        const changed = Buffer.from(body.toString('utf8').replace('pay_some', 'pay_same'))
        expect(gateway.verifyWebhook({ headers, body: changed, now })).toBeUndefined()
        expect(gateway.verifyWebhook({ headers: {}, body, now })).toBeUndefined()
        expect(gateway.verifyWebhook({ headers, body, now: new Date(now.getTime() + 3_600_000) })).toBeUndefined()
        for (const noise of ['', 'null', '{', 'x'.repeat(1_000_000)])
          expect(gateway.verifyWebhook({ headers, body: Buffer.from(noise), now })).toBeUndefined()
      })
    })
  })
}

function refOf(outcome: PaymentOutcome, kind: 'open' | 'done'): string {
  if (outcome.kind !== kind) throw new Error(`it is ${JSON.stringify(outcome)}`)
  return outcome.ref
}
