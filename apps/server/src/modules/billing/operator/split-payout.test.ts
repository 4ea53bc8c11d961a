import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitPayout } from './split-payout.ts'

const anyPayments = fc.array(fc.record({ id: fc.uuid(), toCard: fc.integer({ min: -100, max: 10_000 }) }))

it('gives back or up all that the balance holds, to no card more than it paid', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 50_000 }), anyPayments, (balance, payments) => {
      const { toCards, givenUp } = splitPayout(balance, payments)
      const sent = toCards.reduce((sum, { amount }) => sum + amount, 0)
      expect(sent + givenUp).toBe(Math.max(0, balance))
      for (const { paymentId, amount } of toCards) {
        expect(amount).toBeGreaterThan(0)
        expect(amount).toBeLessThanOrEqual(payments.find(({ id }) => id === paymentId)?.toCard ?? 0)
      }
      // Nothing is given up while a card could take it.
      const room = payments.reduce((sum, { toCard }) => sum + Math.max(0, toCard), 0)
      expect(givenUp).toBe(Math.max(0, Math.max(0, balance) - room))
    }),
  )
})
