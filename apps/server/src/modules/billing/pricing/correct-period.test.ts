import { money, parseRate } from '@atoll/money'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UsageItem } from './basket.ts'
import { type BilledLine, correctPeriod } from './correct-period.ts'
import { priceBasket } from './price-basket.ts'

const usd = (minor: number) => money(minor, 'usd')
const period = { start: new Date('2027-01-01T00:00:00Z'), end: new Date('2027-02-01T00:00:00Z') }
const rate = parseRate('0.03', 'usd')
const products = ['cloud_storage', 'cloud_traffic'] as const
const itemOf = (key: string, gb: number): UsageItem => ({
  kind: 'usage',
  key,
  subscription: 'sub',
  period,
  measure: 'flow',
  parts: [{ part: period, used: BigInt(gb) * 1_000_000n, quota: 300_000_000n, ...(rate && { rate }) }],
})
const means = { promo: usd(0), cash: usd(0), mayRoll: true }
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** Bills what the meters say, as often as they say something else. */
function playReadings(readings: readonly (readonly number[])[], percentOff: number | null, cap: number | null) {
  const billed: BilledLine[] = []
  for (const [nr, gbs] of readings.entries()) {
    const items = products.map((product, place) => itemOf(product, gbs[place] ?? 0))
    const { more, less } = correctPeriod({ currency: 'usd', items, billed, ...(cap !== null && { cap: usd(cap) }) })
    for (const { invoiceId, line, amount, discount } of less) {
      const own = billed.find((one) => one.invoiceId === invoiceId && one.line === line)
      if (!own) throw new Error('Something is given back of no line')
      own.amount = usd(own.amount.minor - amount.minor)
      own.discount = usd(own.discount.minor - discount.minor)
    }
    const coupons = percentOff === null ? [] : [{ code: 'C', percentOff, appliesTo: ['usage' as const] }]
    const basket = { currency: 'usd' as const, items: [], coupons: [], corrections: [{ items: more, coupons }], means }
    for (const [line, { key, amount, discount, explain }] of priceBasket(basket, period.end).items.entries()) {
      const coupon = explain.discount
      billed.push({ invoiceId: `bill ${nr}`, line, key, amount, discount, ...(coupon && { coupon }) })
    }
    const again = correctPeriod({ currency: 'usd', items, billed, ...(cap !== null && { cap: usd(cap) }) })
    expect(again).toEqual({ more: [], less: [] })
  }
  return billed
}

const anyReadings = fc.array(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 2, maxLength: 2 }), {
  minLength: 1,
  maxLength: 6,
})

test('bills and corrections come to the price of the last readings, within the cap, whatever was read between', () => {
  fc.assert(
    fc.property(anyReadings, fc.option(fc.integer({ min: 0, max: 9000 })), (readings, cap) => {
      const billed = playReadings(readings, null, cap)
      const last = products.map((product, place) => itemOf(product, readings.at(-1)?.[place] ?? 0))
      const { total } = priceBasket({ currency: 'usd', items: last, coupons: [], means }, period.end)
      expect(sum(billed.map(({ amount }) => amount.minor))).toBe(Math.min(total.minor, cap ?? total.minor))
    }),
  )
})

test('a coupon takes its part of what is kept, to a minor unit of each bill, and never more than a line costs', () => {
  fc.assert(
    fc.property(anyReadings, fc.integer({ min: 1, max: 100 }), (readings, percentOff) => {
      const billed = playReadings(readings, percentOff, null)
      const [amount, discount] = [
        sum(billed.map((one) => one.amount.minor)),
        sum(billed.map((one) => one.discount.minor)),
      ]
      expect(Math.abs(discount - (amount * percentOff) / 100)).toBeLessThanOrEqual(readings.length)
      for (const line of billed) {
        expect(line.discount.minor).toBeGreaterThanOrEqual(0)
        expect(line.discount.minor).toBeLessThanOrEqual(line.amount.minor)
      }
    }),
  )
})

test('the newest line gives back first, and its amount-off only as far as it is more than what stays', () => {
  const line = (nr: number, amount: number, discount: number): BilledLine => ({
    invoiceId: `bill ${nr}`,
    line: 1,
    key: 'cloud_traffic',
    amount: usd(amount),
    discount: usd(discount),
    coupon: { code: 'C', amountOff: discount },
  })
  const billed = [line(1, 900, 500), line(2, 300, 0)]
  const at = (gb: number) => correctPeriod({ currency: 'usd', items: [itemOf('cloud_traffic', gb)], billed }).less
  expect(at(650)).toEqual([{ invoiceId: 'bill 2', line: 1, amount: usd(150), discount: usd(0) }])
  expect(at(400)).toEqual([
    { invoiceId: 'bill 1', line: 1, amount: usd(600), discount: usd(200) },
    { invoiceId: 'bill 2', line: 1, amount: usd(300), discount: usd(0) },
  ])
})
