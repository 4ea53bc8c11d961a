import { periodAt, zones } from '@atoll/money'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countEnd } from './coupon-uses.ts'

/** Days that not every month has, more often than others. */
const anyAnchor = fc.oneof(
  fc.constantFrom('2027-01-31T12:00:00Z', '2028-02-29T00:00:00Z', '2027-08-31T23:59:59Z').map((at) => new Date(at)),
  fc.integer({ min: 0, max: 700 * 86_400 }).map((second) => new Date(Date.UTC(2027, 0, 1) + second * 1000)),
)

test('the months of a coupon end where a period begins, whichever period they were first used in', () => {
  const first = { anchor: new Date('2027-01-31T12:00:00Z'), zone: 'UTC' } as const
  // From the 28th of February on: the 30th of April begins the period after two, and not the 28th.
  const used = { ...first, period: periodAt(first.anchor, 1, first.zone) }
  expect(countEnd(used, 2)).toEqual(new Date('2027-04-30T12:00:00Z'))
  fc.assert(
    fc.property(
      anyAnchor,
      fc.constantFrom(...zones),
      fc.nat(30),
      fc.integer({ min: 1, max: 12 }),
      (anchor, zone, index, months) => {
        const end = countEnd({ anchor, zone, period: periodAt(anchor, index, zone) }, months)
        const starts = Array.from({ length: 50 }, (_, each) => periodAt(anchor, each, zone).start)
        expect(starts.map(Number)).toContain(end.getTime())
        expect(starts.slice(index).filter((start) => start < end)).toHaveLength(months)
      },
    ),
  )
})
