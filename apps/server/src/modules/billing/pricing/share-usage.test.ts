import { money, periodAt } from '@atoll/money'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UsageItem } from './basket.ts'
import { includedOf, priceUsage } from './price-usage.ts'
import { type Share, shareUsage } from './share-usage.ts'

const march = periodAt(new Date('2026-03-04T10:02:00Z'), 0, 'UTC')
const gb = (quantity: number) => BigInt(Math.round(quantity * 1_000_000))
const usd = (minor: number) => money(minor, 'usd')
const rate = { micros: 2_000_000n, currency: 'usd' } as const
const hour = 3_600_000

test('what flows is charged from when the quota is used up, shared by what each used in that hour', () => {
  const item = {
    measure: 'flow',
    period: march,
    parts: [{ part: march, used: gb(140), quota: gb(100), rate }],
  } as const
  const shares = [
    { at: 0, clusterId: 'a', used: gb(60) },
    { at: hour, clusterId: 'a', used: gb(30) },
    { at: hour, clusterId: 'b', used: gb(30) },
    { at: 2 * hour, clusterId: 'b', used: gb(20) },
  ]
  const [priced] = shareUsage(item, [shares], usd(80))
  expect(priced?.map(({ above, amount }) => [above, amount.minor])).toEqual([
    [0n, 0],
    [gb(10), 20],
    [gb(10), 20],
    [gb(20), 40],
  ])
  // A cap leaves 50 cents: what came last is waived.
  const [capped] = shareUsage(item, [shares], usd(50))
  expect(capped?.map(({ amount }) => amount.minor)).toEqual([0, 20, 20, 10])
})

test('of what is stored each share is above by the same part', () => {
  const item = { measure: 'stock', period: march, parts: [{ part: march, used: gb(30), quota: gb(10), rate }] } as const
  const shares = [
    { at: 0, clusterId: 'a', used: gb(24) },
    { at: 24 * hour, clusterId: 'b', used: gb(6) },
  ]
  const [priced] = shareUsage(item, [shares], usd(40))
  expect(priced?.map(({ above, amount }) => [above, amount.minor])).toEqual([
    [gb(16), 32],
    [gb(4), 8],
  ])
})

/** Parts of a period with what clusters used in them, hour by hour. */
const anyUse = fc
  .record({
    measure: fc.constantFrom('flow' as const, 'stock' as const),
    ends: fc.uniqueArray(fc.integer({ min: 1, max: 29 }), { maxLength: 2 }),
    terms: fc.array(
      fc.record({
        quota: fc.bigInt(0n, gb(500)),
        micros: fc.option(fc.bigInt(0n, 9_000_000n)),
        shares: fc.array(
          fc.record({
            at: fc.nat(5),
            clusterId: fc.constantFrom('a', 'b', 'c'),
            used: fc.bigInt(0n, gb(300)),
          }),
          { maxLength: 12 },
        ),
      }),
      { minLength: 3, maxLength: 3 },
    ),
    cap: fc.nat(5000),
  })
  .map(({ measure, ends, terms, cap }) => {
    const cuts = [march.start, ...ends.toSorted((a, b) => a - b).map((day) => dayOf(day)), march.end]
    const shares: Share[][] = []
    const parts = cuts.slice(0, -1).map((begin, index): UsageItem['parts'][number] => {
      const { quota = 0n, micros = null, shares: own = [] } = terms[index] ?? {}
      shares.push(own.toSorted((a, b) => a.at - b.at))
      const used = own.reduce((sum, one) => sum + one.used, 0n)
      const part = { start: begin, end: cuts[index + 1] ?? march.end }
      return { part, used, quota, ...(micros !== null && { rate: { micros, currency: 'usd' } }) }
    })
    const item: UsageItem = { kind: 'usage', key: 'cloud_traffic', period: march, measure, parts }
    return { item, shares, cap: usd(cap) }
  })

function dayOf(day: number): Date {
  return new Date(march.start.getTime() + day * 24 * hour)
}

test('shares sum to what is used, above and charged, whatever was used when, under any plans and cap', () => {
  fc.assert(
    fc.property(anyUse, ({ item, shares, cap }) => {
      const priced = priceUsage(item, 'usd', cap)
      const told = shareUsage(item, shares, priced.amount).flat()
      const { used, overage } = includedOf(item)
      expect(told.reduce((sum, one) => sum + one.used, 0n)).toBe(used)
      expect(told.reduce((sum, one) => sum + one.above, 0n)).toBe(overage)
      expect(told.reduce((sum, one) => sum + one.amount.minor, 0)).toBe(priced.amount.minor)
      for (const { above, amount } of told) {
        expect(above).toBeGreaterThanOrEqual(0n)
        expect(amount.minor).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
