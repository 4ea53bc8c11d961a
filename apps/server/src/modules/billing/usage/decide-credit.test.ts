import { money } from '@atoll/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCredit } from './decide-credit.ts'

const usd = (minor: number) => money(minor, 'usd')

test('what is given back comes off what is owed, then is promotional credit that is not used, and only then cash', () => {
  const amounts = fc.record({ paidCash: fc.nat(500), paidPromo: fc.nat(500), due: fc.nat(500), credited: fc.nat(500) })
  fc.assert(
    fc.property(amounts, fc.nat(1000), ({ paidCash, paidPromo, due, credited }, part) => {
      const left = paidCash + paidPromo + due
      const back = Math.round((left * part) / 1000)
      const total = usd(left + credited)
      const split = splitCredit({ total, credited: usd(credited), due: usd(due), promo: usd(paidPromo) }, usd(back))
      const { offOwed, promo, cash } = split
      expect(offOwed.minor + promo.minor + cash.minor).toBe(back)
      expect(offOwed.minor).toBe(Math.min(back, due))
      expect(cash.minor).toBeLessThanOrEqual(paidCash)
      expect(promo.minor).toBeLessThanOrEqual(paidPromo)
      // Promotional credit was used first: none comes back while what is kept takes all of it.
      const kept = paidCash + paidPromo - promo.minor - cash.minor
      expect(promo.minor).toBe(Math.max(0, paidPromo - kept))
    }),
  )
})
