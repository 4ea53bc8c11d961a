import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitPayout } from './split-payout.ts'

const anyCharges = fc.array(fc.record({ toCard: fc.integer({ min: -100, max: 10_000 }) }))

it('gives back or up all that the balance holds, to no card more than it paid', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 50_000 }), anyCharges, (balance, charges) => {
      const { toCards, givenUp } = splitPayout(balance, charges)
      const sent = toCards.reduce((sum, { amount }) => sum + amount, 0)
      expect(sent + givenUp).toBe(Math.max(0, balance))
      for (const { charge, amount } of toCards) {
        expect(amount).toBeGreaterThan(0)
        expect(amount).toBeLessThanOrEqual(charge.toCard)
      }
      // Nothing is given up while a card could take it.
      const room = charges.reduce((sum, { toCard }) => sum + Math.max(0, toCard), 0)
      expect(givenUp).toBe(Math.max(0, Math.max(0, balance) - room))
    }),
  )
})
