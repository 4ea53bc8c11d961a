import { money } from '@atoll/money'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  Capture,
  CapturePage,
  CardRef,
  PaymentGateway,
  PaymentOrder,
  PaymentOutcome,
  Unknown,
} from '../gateway/gateway.ts'
import { describeMovements, describeWebhooks } from './gateway-movements-conformance.ts'
import { type GatewayUnderTest, testOrder, testSetup } from './gateway-under-test.ts'

/** The behaviour that billing relies on. Runs against every gateway. */
export function describeGateway(name: string, open: () => Promise<GatewayUnderTest>): void {
  describe(`gateway ${name}`, () => {
    let harness: GatewayUnderTest
    let gateway: PaymentGateway
    let good: CardRef
    beforeAll(async () => {
      harness = await open()
      gateway = harness.gateway
      good = await addCard('4242424242424242')
    })
    afterAll(() => harness.close())

    async function addCard(number: string): Promise<CardRef> {
      const setup = testSetup()
      const opened = await gateway.openSetup(setup)
      if (opened.kind !== 'action') throw new Error(opened.why)
      expect(await harness.enterCard(opened.url, number)).toBe(true)
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
    const captures = (order: { paymentId: string }) => harness.listCaptures(order.paymentId)

    describe('a card', () => {
      test('is known by its brand, last digits and date once its page was filled in', async () => {
        const setup = testSetup()
        const opened = await gateway.openSetup(setup)
        if (opened.kind !== 'action') throw new Error(opened.why)
        const { setupId } = setup
        expect(await gateway.readSetup({ setupId, ref: opened.ref })).toEqual({ kind: 'open' })
        expect(await gateway.openSetup(setup)).toEqual(opened)
        await harness.enterCard(opened.url, '5555555555554444')
        const done = await gateway.readSetup({ setupId, ref: opened.ref })
        expect(done).toMatchObject({ kind: 'done', facts: { brand: 'mastercard', last4: '4444', expMonth: 12 } })
        expect(JSON.stringify(done)).not.toContain('5555555555554444')
      })

      test.each(['4000000000000002', '4000000000009995', '4000000000000069'])('%s is not saved', async (number) => {
        const setup = testSetup()
        const opened = await gateway.openSetup(setup)
        if (opened.kind !== 'action') throw new Error(opened.why)
        expect(await harness.enterCard(opened.url, number)).toBe(false)
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
        harness.loseNext(when)
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
        harness.loseNext(when)
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

      test('that was made twice, because the first came late, takes its amount once', async () => {
        const order = testOrder(good)
        const first = await createOpen(order)
        const second = { ...order, sending: 2, ref: refOf(await gateway.create({ ...order, sending: 2 }), 'open') }
        expect(await captures(order)).toEqual([])
        expect((await gateway.confirm(second)).kind).toBe('done')
        expect(await gateway.find(first)).toMatchObject({ kind: 'done', ref: second.ref })
        expect(await captures(order)).toEqual([1440])
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
        expect(await harness.answerPage(url, 'confirm')).toBe(true)
        expect(await gateway.read(order)).toMatchObject({ kind: 'done', captured: order.amount })
        expect(await gateway.find(order)).toMatchObject({ kind: 'done', captured: order.amount })
        expect(await captures(order)).toEqual([1440])
      })

      test('takes nothing when it is refused there', async () => {
        const { order, url } = await askForConfirmation()
        await harness.answerPage(url, 'refuse')
        expect(['declined', 'action']).toContain((await gateway.read(order)).kind)
        expect(['declined', 'canceled']).toContain((await gateway.cancel(order)).kind)
        expect(await captures(order)).toEqual([])
      })

      test('cannot be confirmed after it was canceled', async () => {
        const { order, url } = await askForConfirmation()
        expect((await gateway.cancel(order)).kind).toBe('canceled')
        expect(await harness.answerPage(url, 'confirm')).toBe(false)
        expect((await gateway.read(order)).kind).toBe('canceled')
        expect((await gateway.find(order)).kind).toBe('canceled')
        expect(await captures(order)).toEqual([])
      })

      test('stays done when it was confirmed before it was canceled', async () => {
        const { order, url } = await askForConfirmation()
        await harness.answerPage(url, 'confirm')
        expect((await gateway.cancel(order)).kind).toBe('done')
      })

      test('gets a new page when the answer with its page was lost', async () => {
        const created = await createOpen(testOrder(await addCard('4000000000003220')))
        harness.loseNext('after')
        expect(await gateway.confirm(created)).toMatchObject({ kind: 'unknown' })
        expect(['open', 'action']).toContain((await gateway.find(created)).kind)
        const asked = await gateway.confirm(created)
        if (asked.kind !== 'action') throw new Error(`it is ${asked.kind}`)
        await harness.answerPage(asked.url, 'confirm')
        expect((await gateway.find(created)).kind).toBe('done')
        expect(await captures(created)).toEqual([1440])
      })
    })

    async function listAll(customer?: string): Promise<Capture[]> {
      const all: Capture[] = []
      for (let after: string | null = null, goesOn = true; goesOn; ) {
        const page: CapturePage | Unknown = await gateway.listCaptures({ after, ...(customer && { customer }) })
        if (page.kind !== 'page') throw new Error(page.why)
        all.push(...page.captures)
        after = page.next
        goesOn = after !== null
      }
      return all
    }

    test('lists each capture once, page after page, with its payment and the document that it paid', async () => {
      const order = testOrder(good)
      const ref = await pay(order)
      const open = await createOpen(testOrder(good))
      const all = await listAll()
      const { paymentId, amount, pays } = order
      expect(all.filter((one) => one.paymentId === paymentId)).toEqual([
        { paymentId, ref, amount, pays, customer: good.customer, at: expect.any(Date) },
      ])
      expect(all.map((one) => one.paymentId)).not.toContain(open.paymentId)
      expect(new Set(all.map((one) => one.ref)).size).toBe(all.length)
    })

    test('lists the captures of one customer alone', async () => {
      const other = await addCard('4242424242424242')
      const [own, others] = [testOrder(other), testOrder(good)]
      await pay(own)
      await pay(others)
      expect((await listAll(other.customer)).map((one) => one.paymentId)).toEqual([own.paymentId])
    })

    describeMovements({ harness: () => harness, pay, createOpen, addCard, good: () => good })
    describeWebhooks(() => harness)
  })
}

function refOf(outcome: PaymentOutcome, kind: 'open' | 'done'): string {
  if (outcome.kind !== kind) throw new Error(`it is ${JSON.stringify(outcome)}`)
  return outcome.ref
}
