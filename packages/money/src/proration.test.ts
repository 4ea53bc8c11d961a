import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocate } from './allocation.ts'
import { anyDate, anyInstantOf, anyPeriod, anyPrice, anyZone } from './money.fixture.ts'
import { addMoney, money, sumMoney } from './money.ts'
import { periodAt } from './periods.ts'
import { costUntil, prorate, splitRefund } from './proration.ts'

const anyCut = anyPeriod.chain((period) =>
  fc.tuple(fc.constant(period), fc.array(anyInstantOf(period), { maxLength: 12 })),
)

describe('proration', () => {
  test('the parts of any cut of a period sum to its price', () => {
    fc.assert(
      fc.property(anyPrice(), anyCut, (price, [period, cuts]) => {
        const ends = [period.start, ...cuts.sort((a, b) => a.getTime() - b.getTime()), period.end]
        const parts = ends.slice(1).map((end, at) => prorate(price, period, { start: ends[at] ?? end, end }))
        expect(sumMoney(parts, 'usd')).toEqual(price)
        for (const part of parts) expect(part.minor).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('so do those of the calendar’s months, in both zones', () => {
    fc.assert(
      fc.property(
        anyPrice(),
        anyDate,
        anyZone,
        fc.integer({ min: 0, max: 36 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (price, anchor, zone, k, share) => {
          const period = periodAt(anchor, k, zone)
          const cut = new Date(period.start.getTime() + share * (period.end.getTime() - period.start.getTime()))
          const parts = [
            prorate(price, period, { ...period, end: cut }),
            prorate(price, period, { ...period, start: cut }),
          ]
          expect(sumMoney(parts, 'usd')).toEqual(price)
        },
      ),
    )
  })

  test('is rounded half-even, and what is outside the period costs nothing', () => {
    const period = { start: new Date('2027-01-01Z'), end: new Date('2027-01-01T00:00:10Z') }
    const at = (seconds: number) => new Date(period.start.getTime() + seconds * 1000)
    expect([1, 3, 5].map((seconds) => costUntil(money(5, 'usd'), period, at(seconds)).minor)).toEqual([0, 2, 2])
    expect(costUntil(money(5, 'usd'), period, at(-9)).minor).toBe(0)
    expect(costUntil(money(5, 'usd'), period, at(99)).minor).toBe(5)
    expect(() => costUntil(money(5, 'usd'), { ...period, end: period.start }, at(0))).toThrow('at least a second')
  })
})

test('what is kept of an item and what returns are its net, neither below zero', () => {
  fc.assert(
    fc.property(anyPrice(), anyCut, (net, [whole, [until = whole.start]]) => {
      const { kept, returned } = splitRefund(net, whole, until)
      expect(addMoney(kept, returned)).toEqual(net)
      expect(Math.min(kept.minor, returned.minor)).toBeGreaterThanOrEqual(0)
      expect(splitRefund(net, whole, whole.start).kept.minor).toBe(0)
      expect(splitRefund(net, whole, whole.end).returned.minor).toBe(0)
    }),
  )
})

describe('a discount', () => {
  const anyItems = fc.array(anyPrice(), { minLength: 1, maxLength: 12 })

  test('is spread over items to the last cent, none below zero and none above its item', () => {
    fc.assert(
      fc.property(anyItems, fc.double({ min: 0, max: 1, noNaN: true }), (items, share) => {
        const total = money(Math.floor(sumMoney(items, 'usd').minor * share), 'usd')
        const shares = allocate(total, items)
        expect(sumMoney(shares, 'usd')).toEqual(total)
        shares.forEach(({ minor }, at) => {
          expect(minor).toBeGreaterThanOrEqual(0)
          expect(minor).toBeLessThanOrEqual(items[at]?.minor ?? 0)
        })
      }),
    )
  })

  test('of the whole takes each item whole; one above the items, or of another currency, throws', () => {
    const items = [money(7, 'usd'), money(0, 'usd'), money(13, 'usd')]
    expect(allocate(money(20, 'usd'), items)).toEqual(items)
    expect(() => allocate(money(21, 'usd'), items)).toThrow('Cannot spread')
    expect(() => allocate(money(-1, 'usd'), items)).toThrow('Cannot spread')
    expect(() => allocate(money(1, 'cny'), items)).toThrow('cny and usd')
  })
})
