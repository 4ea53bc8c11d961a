import { money, type Period, parseRate } from '@atoll/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlanTerms } from '../../catalog/index.ts'
import type { UsageItem } from '../pricing/basket.ts'
import type { BilledLine } from '../pricing/correct-period.ts'
import { priceUsage } from '../pricing/price-usage.ts'
import { type BilledPeriod, decideUsageBill, type PastPeriod, type UsageBillFacts } from './decide-usage-bill.ts'

const usd = (minor: number) => money(minor, 'usd')
const product = 'cloud_traffic'
const rate = parseRate('0.03', 'usd')
const january = { start: new Date('2027-01-01T00:00:00Z'), end: new Date('2027-02-01T00:00:00Z') }
const february = { start: january.end, end: new Date('2027-03-01T00:00:00Z') }
const terms = { kind: 'plan', level: 2 } as PlanTerms // prices are in the items

interface Used {
  gigabytes: number
  billed: readonly number[]
  cap?: number | undefined
  kept?: { covered: number; priced: number | null } | undefined
}

/** A period in which so many GB flowed, 50 of them included, and the amounts that were billed of it. */
function billedPeriod(period: Period, { gigabytes, billed, cap, kept }: Used): BilledPeriod {
  const used = BigInt(gigabytes) * 1_000_000n
  const parts = [{ part: period, used, quota: 50_000_000n, ...(rate && { rate }) }]
  const item: UsageItem = { kind: 'usage', key: product, period, measure: 'flow', parts }
  const lines = billed.map((minor, index): BilledLine & { state: 'paid' } => {
    return { invoiceId: `inv_${index}`, line: 1, key: product, amount: usd(minor), discount: usd(0), state: 'paid' }
  })
  const total = usd(billed.reduce((sum, minor) => sum + minor, 0))
  return {
    period,
    spans: [{ itemId: 'si_1', priceId: 'price', terms, part: period }],
    usage: [{ product, item, readings: [], complete: true }],
    billed: { of: () => total, total, nextPart: () => billed.length + 1, lines },
    cap: cap === undefined ? undefined : usd(cap),
    kept,
  }
}

const priceOf = ({ usage }: BilledPeriod) =>
  usage.reduce((sum, { item }) => sum + priceUsage(item, 'usd').amount.minor, 0)

function factsOf(own: BilledPeriod, more: Partial<UsageBillFacts> = {}): UsageBillFacts {
  const usageMeans = { allowance: usd(0), hasCard: true, isProven: true, hasFailed: false, isPastDue: false }
  const means = { promo: usd(0), cash: usd(0), mayRoll: true }
  const shared = { subscriptionId: 'sub_1', currency: 'usd' as const, redemptions: [], usageMeans, means }
  return { ...shared, own, isWhole: false, past: [], ...more }
}

test('any bills to date, and that of the whole period, come to its price, within the cap and what the means cover', () => {
  const day = fc.record({ more: fc.nat(500), allowance: fc.nat(1000), isProven: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(day, { minLength: 1, maxLength: 6 }),
      fc.option(fc.nat(2000), { nil: undefined }),
      (days, cap) => {
        const billed: number[] = []
        let gigabytes = 0
        let covered = 0
        for (const [index, { more, allowance, isProven }] of days.entries()) {
          gigabytes += more
          const own = billedPeriod(february, { gigabytes, billed, cap, kept: { covered, priced: null } })
          const before = own.billed.total.minor
          const { usageMeans } = factsOf(own)
          const facts = factsOf(own, {
            isWhole: index === days.length - 1,
            usageMeans: { ...usageMeans, allowance: usd(allowance), isProven },
          })
          const { basket, keeps } = decideUsageBill(facts, february.end)
          const price = priceOf(own)
          const most = Math.min(cap ?? price, isProven ? price : Math.max(covered, before + allowance))
          expect(before + basket.gross.minor).toBe(Math.max(before, Math.min(price, most)))
          expect(keeps).toMatchObject([{ start: february.start, covered: before + basket.gross.minor }])
          covered = Math.max(covered, keeps[0]?.covered ?? 0)
          if (basket.gross.minor > 0) billed.push(basket.gross.minor)
        }
      },
    ),
  )
})

test('readings that came late are charged for the period before within its own cap, after what the period itself costs', () => {
  const used = fc.record({ gigabytes: fc.nat(800), billed: fc.array(fc.nat(600), { maxLength: 3 }) })
  const anyCap = fc.option(fc.nat(2000), { nil: undefined })
  fc.assert(
    fc.property(used, anyCap, fc.nat(800), anyCap, fc.boolean(), (late, lateCap, gigabytes, cap, isWaiting) => {
      const past: PastPeriod = {
        ...billedPeriod(january, { ...late, cap: lateCap, kept: { covered: 10_000, priced: 10_000 } }),
        isWaiting,
        redemption: undefined,
      }
      const own = billedPeriod(february, { gigabytes, billed: [], cap })
      const { basket, lines, keeps } = decideUsageBill(factsOf(own, { isWhole: true, past: [past] }), february.end)
      const before = past.billed.total.minor
      const added = lines
        .filter(({ item }) => item.period === january)
        .map(({ item }) => basket.items.find(({ key }) => key === item.key)?.amount.minor ?? 0)
        .reduce((sum, minor) => sum + minor, 0)
      expect(basket.gross.minor).toBeLessThanOrEqual(cap ?? Number.POSITIVE_INFINITY)
      expect(before + added).toBeLessThanOrEqual(Math.max(before, Math.min(priceOf(past), lateCap ?? priceOf(past))))
      if (cap === undefined) {
        const due = Math.max(0, Math.min(priceOf(past), lateCap ?? priceOf(past)) - before)
        expect(added).toBe(due)
        expect(basket.gross.minor).toBe(due + priceOf(own))
      } else if (!isWaiting) expect(basket.gross.minor - added).toBe(Math.min(priceOf(own), cap))
      for (const { start, covered } of keeps) if (start === january.start) expect(covered).toBe(before + added)
    }),
  )
})
