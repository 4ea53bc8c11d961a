import * as fc from 'fast-check'
import { type Money, money } from './money.ts'
import { type Period, zones } from './periods.ts'

export const anyZone = fc.constantFrom(...zones)

/** An amount of dollars that is not negative. */
export const anyPrice = (max = 100_000_000): fc.Arbitrary<Money> =>
  fc.integer({ min: 0, max }).map((minor) => money(minor, 'usd'))

export const anyDate = fc.date({ min: new Date('2024-01-01Z'), max: new Date('2040-01-01Z'), noInvalidDate: true })

/** A period of a second to about three months. */
export const anyPeriod: fc.Arbitrary<Period> = fc
  .tuple(anyDate, fc.integer({ min: 1, max: 8_000_000 }))
  .map(([start, seconds]) => ({ start, end: new Date(start.getTime() + seconds * 1000) }))

/** An instant within a period, its ends included. */
export const anyInstantOf = ({ start, end }: Period): fc.Arbitrary<Date> =>
  fc.integer({ min: start.getTime(), max: end.getTime() }).map((ms) => new Date(ms))
