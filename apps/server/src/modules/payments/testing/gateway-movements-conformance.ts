/** The behaviour that billing relies on beside payments: refunds, disputes, and the gateway's own messages. */
import { money } from '@atoll/money'
import { describe, expect, test } from 'vitest'
import type { CardRef, PaymentOrder, RefundOrder } from '../gateway/gateway.ts'
import type { MovementsPage } from '../gateway/gateway-movements.ts'
import { type GatewayUnderTest, newName, testOrder } from './gateway-under-test.ts'

/** Context from the calling suite; the world and the card exist only once tests run. */
interface Paying {
  harness: () => GatewayUnderTest
  /** A card that pays. */
  good: () => CardRef
  addCard(number: string): Promise<CardRef>
  createOpen(order: PaymentOrder): Promise<PaymentOrder & { ref: string }>
  /** Returns the payment's ref. */
  pay(order: PaymentOrder): Promise<string>
}

/** Two describe blocks of the suite that calls it. */
export function describeMovements({ harness, good, addCard, createOpen, pay }: Paying): void {
  describe('a movement that nobody here asked for', () => {
    const disputed = async () => await pay(testOrder(await addCard('4000000000000259')))
    async function movements(ref: string) {
      const read = await harness().gateway.readMovements(ref)
      if (read.kind !== 'movements') throw new Error(read.why)
      return read
    }

    test('is nothing of a payment that nobody disputed or gave back', async () => {
      expect(await movements(await pay(testOrder(good())))).toMatchObject({ refunds: [], disputes: [] })
    })

    test.each([
      ['won', 0],
      ['lost', 1440],
    ] as const)('is a dispute of all that was paid, and stands as the bank decides: %s', async (verdict, minor) => {
      const ref = await disputed()
      const about = { paymentRef: ref, amount: money(1440, 'usd'), reason: 'fraudulent' }
      const open = await movements(ref)
      expect(open.disputes).toMatchObject([{ ...about, state: 'open', withdrawn: money(1440, 'usd') }])
      expect(open.disputes[0]?.dueBy?.getTime()).toBeGreaterThan(Date.now())
      await harness().decideDisputes(ref, verdict)
      const after = (await movements(ref)).disputes
      expect(after).toMatchObject([{ ref: open.disputes[0]?.ref, state: verdict, withdrawn: money(minor, 'usd') }])
    })

    test('refuses a refund of what is disputed', async () => {
      const refund = { refundId: newName('re'), paymentRef: await disputed(), amount: money(100, 'usd') }
      expect(await harness().gateway.refund(refund)).toEqual({ kind: 'declined', code: 'refundRefused' })
    })

    test('is a refund from the dashboard, which carries no id from us', async () => {
      const paymentRef = await pay(testOrder(good()))
      await harness().refundInDashboard(paymentRef, 440)
      const own = { refundId: newName('re'), paymentRef, amount: money(1000, 'usd') }
      const made = await harness().gateway.refund(own)
      const found = (await movements(paymentRef)).refunds
      expect(found).toHaveLength(2)
      expect(found).toContainEqual({ ...own, ref: made.kind === 'done' ? made.ref : '', state: 'done' })
      const foreign = { paymentRef, refundId: null, amount: money(440, 'usd'), ref: expect.any(String) }
      expect(found).toContainEqual({ ...foreign, state: 'done' })
    })

    test('is a refund that was done and fails later', async () => {
      const paymentRef = await pay(testOrder(await addCard('4000000000005126')))
      const refund = { refundId: newName('re'), paymentRef, amount: money(1440, 'usd') }
      expect((await harness().gateway.refund(refund)).kind).toBe('done')
      expect((await movements(paymentRef)).refunds).toMatchObject([{ state: 'done' }])
      await harness().failRefunds(paymentRef)
      expect((await movements(paymentRef)).refunds).toMatchObject([{ ...refund, state: 'failed' }])
      expect((await harness().gateway.readRefund(refund)).kind).toBe('declined')
    })

    test('is listed for all payments since a day, page after page', async () => {
      const since = new Date(Date.now() - 60_000)
      const refs = [await disputed(), await pay(testOrder(good()))]
      await harness().refundInDashboard(refs[1] ?? '', 100)
      const found: string[] = []
      for (let after: string | null = null, goesOn = true; goesOn; ) {
        const page: MovementsPage = await harness().gateway.listMovements({ since, after })
        if (page.kind !== 'page') throw new Error(page.why)
        found.push(...page.disputes.map((one) => one.paymentRef), ...page.refunds.map((one) => one.paymentRef))
        after = page.next
        goesOn = after !== null
      }
      expect(found).toEqual(expect.arrayContaining(refs))
      expect(
        await harness().gateway.listMovements({ since: new Date(Date.now() + 60_000), after: null }),
      ).toMatchObject({
        disputes: [],
        refunds: [],
      })
    })
  })

  describe('a refund', () => {
    const refundOf = (paymentRef: string, minor: number): RefundOrder => ({
      refundId: newName('re'),
      paymentRef,
      amount: money(minor, 'usd'),
    })

    test('returns parts until all is returned, and never more', async () => {
      const paymentRef = await pay(testOrder(good()))
      const first = refundOf(paymentRef, 1000)
      const done = await harness().gateway.refund(first)
      expect(done.kind).toBe('done')
      expect(await harness().gateway.refund(first)).toEqual(done)
      expect(await harness().gateway.readRefund(first)).toEqual(done)
      const tooMuch = refundOf(paymentRef, 441)
      expect(await harness().gateway.refund(tooMuch)).toEqual({ kind: 'declined', code: 'refundTooLarge' })
      expect(await harness().gateway.readRefund(tooMuch)).toEqual({ kind: 'absent' })
      expect((await harness().gateway.refund(refundOf(paymentRef, 440))).kind).toBe('done')
    })

    test('whose answer was lost is found, and not made twice', async () => {
      const paymentRef = await pay(testOrder(good()))
      const refund = refundOf(paymentRef, 1000)
      harness().loseNext('after')
      expect(await harness().gateway.refund(refund)).toMatchObject({ kind: 'unknown' })
      expect((await harness().gateway.readRefund(refund)).kind).toBe('done')
      expect((await harness().gateway.refund(refund)).kind).toBe('done')
      expect((await harness().gateway.refund(refundOf(paymentRef, 440))).kind).toBe('done')
    })

    test('by two at once returns no more than was taken', async () => {
      const paymentRef = await pay(testOrder(good()))
      const both = await Promise.all([1, 2].map(() => harness().gateway.refund(refundOf(paymentRef, 1000))))
      expect(both.map(({ kind }) => kind).sort()).toEqual(['declined', 'done'])
    })

    test('of what was not paid is refused', async () => {
      const order = await createOpen(testOrder(good()))
      expect((await harness().gateway.refund(refundOf(order.ref, 100))).kind).toBe('declined')
    })
  })
}

/** A describe block of the suite that calls it. */
export function describeWebhooks(harness: () => GatewayUnderTest): void {
  describe('a webhook', () => {
    const now = new Date()
    test('says what it is about, the same whenever it comes', () => {
      const webhook = harness().signWebhook('pay_some', now)
      const event = harness().gateway.verifyWebhook({ ...webhook, now })
      expect(event).toMatchObject({ id: expect.any(String), about: { kind: 'payment', id: 'pay_some' } })
      expect(harness().gateway.verifyWebhook({ ...webhook, now })).toEqual(event)
    })

    test('about a dispute names the payment by its ref', () => {
      const webhook = harness().signDispute('pi_some', now)
      expect(harness().gateway.verifyWebhook({ ...webhook, now })?.about).toEqual({ kind: 'movements', id: 'pi_some' })
    })

    test('that was changed, is old, or is signed by nobody is none', () => {
      const { headers, body } = harness().signWebhook('pay_some', now)
      const changed = Buffer.from(body.toString('utf8').replace('pay_some', 'pay_same'))
      expect(harness().gateway.verifyWebhook({ headers, body: changed, now })).toBeUndefined()
      expect(harness().gateway.verifyWebhook({ headers: {}, body, now })).toBeUndefined()
      expect(
        harness().gateway.verifyWebhook({ headers, body, now: new Date(now.getTime() + 3_600_000) }),
      ).toBeUndefined()
      for (const noise of ['', 'null', '{', 'x'.repeat(1_000_000)])
        expect(harness().gateway.verifyWebhook({ headers, body: Buffer.from(noise), now })).toBeUndefined()
    })
  })
}
