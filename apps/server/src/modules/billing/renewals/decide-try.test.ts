import { money } from '@atoll/money'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { invoiceTransitions, paymentTransitions } from '../records/documents/states.ts'
import { decidePay, decideTry } from './decide-try.ts'

const usd = (minor: number) => money(minor, 'usd')
const method = { id: 'pm_1', gateway: 'sandbox' }
const states = <State extends string>(transitions: Record<State, unknown>) =>
  fc.constantFrom(...(Object.keys(transitions) as State[])) // its own keys

const payment = fc.record({ state: states(paymentTransitions), method_id: fc.option(fc.constant(method.id)) })
const bill = fc.record({
  invoice: fc.record({ state: states(invoiceTransitions) }),
  isHeldUp: fc.boolean(),
  open: fc.option(payment, { nil: undefined }),
  tries: fc.nat(6),
})

describe('a try to collect a bill', () => {
  test('is made of an open bill alone, with no payment under way, at most four times', () => {
    fc.assert(
      fc.property(bill, (facts) => {
        const step = decideTry(facts)
        const { invoice, isHeldUp, open, tries } = facts
        if (step === 'nothing') expect(invoice.state).not.toBe('open')
        else expect(invoice.state).toBe('open')
        const isBlocked = isHeldUp || (open !== undefined && (open.state !== 'created' || open.method_id !== null))
        if (step === 'wait') expect(isBlocked).toBe(true)
        if (step === 'try' || step === 'pastDue') expect(isBlocked).toBe(false)
        if (step === 'try') expect(tries).toBeLessThan(4)
        if (step === 'pastDue') expect(tries).toBeGreaterThanOrEqual(4)
      }),
    )
  })

  const card = fc.record({ method: fc.constant(method), isDead: fc.boolean(), isCouponUsed: fc.boolean() })
  const facts = fc.record({
    due: fc.nat(5000).map(usd),
    means: fc.record({ promo: fc.nat(3000).map(usd), cash: fc.integer({ min: -3000, max: 500 }).map(usd) }),
  })

  test('asks only a card that may pay, and needs none where the account has enough', () => {
    fc.assert(
      fc.property(facts, fc.option(card), (known, own) => {
        const decided = decidePay(known, own)
        const { due, means } = known
        const isEnough = means.promo.minor - Math.min(means.cash.minor, 0) >= due.minor
        if (decided.pays && decided.method) expect(own).toMatchObject({ isDead: false, isCouponUsed: false })
        if (isEnough && !own?.isCouponUsed) expect(decided.pays).toBe(true)
        // A dead card is none at all.
        if (own?.isDead) expect(decided).toEqual(decidePay(known, null))
        // Too little for a card waits for the next bill: less than a dollar, with the debt that it is charged with.
        const rest = due.minor - means.promo.minor + means.cash.minor
        if (decided.pays && decided.method === null && !isEnough) expect(rest).toBeLessThan(100)
        if (!own && !isEnough && rest >= 100) expect(decided.pays).toBe(false)
      }),
    )
  })

  test('that could be paid can be with more on the balance', () => {
    fc.assert(
      fc.property(facts, fc.option(card), fc.nat(5000), (known, own, more) => {
        if (!decidePay(known, own).pays) return
        const cash = usd(known.means.cash.minor - more)
        expect(decidePay({ ...known, means: { ...known.means, cash } }, own).pays).toBe(true)
      }),
    )
  })
})
