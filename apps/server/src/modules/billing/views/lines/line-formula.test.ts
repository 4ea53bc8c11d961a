import { expect, test } from 'vitest'
import type { Explain } from '../../pricing/explain.ts'
import { lineFormula, sumOfUsage } from './line-formula.ts'

const month = 2_592_000
const words = { currency: 'usd', zone: 'UTC', locale: 'en-US' } as const

function formula(
  explain: Explain,
  more: { discount?: number; amount?: number } = {},
  given: Partial<typeof words> = {},
) {
  const line = { explain, shares: [], amount_minor: more.amount ?? explain.rounded, discount_minor: more.discount ?? 0 }
  return lineFormula(line, { ...words, ...given })
}

const prepaid = (more: object = {}) =>
  ({ rule: 'prepaid', price: 1440, periodSeconds: month, fromSecond: 0, rounded: 1440, ...more }) as Explain

const part = (used: number, quota: number, rate: string | null, more: object = {}) => ({
  start: '2027-01-01T00:00:00Z',
  seconds: month,
  used: String(used * 1e6),
  quota: String(quota * 1e6),
  rate,
  above: String(BigInt(Math.max(used - quota, 0)) * 1_000_000n * BigInt(month)),
  ...more,
})
const usage = (parts: object[], rounded: number, more: object = {}) =>
  ({
    rule: 'usage',
    measure: 'flow',
    periodSeconds: month,
    parts,
    rounded,
    exact: `${BigInt(rounded) * 10n ** 12n * BigInt(month)}/${10n ** 12n * BigInt(month)}`,
    ...more,
  }) as Explain

test('a whole month, a part of one by the second, and a plan less the one before', () => {
  expect(formula(prepaid())).toEqual(['$14.40 × 1 month = $14.40'])
  const rest = month - 16 * 86_400 - 3 * 3600 - 61
  expect(formula(prepaid({ fromSecond: rest, rounded: 774 }))).toEqual([
    '$14.40 × 16 days 3 h 1 min 1 s of 30 days = $7.74',
  ])
  expect(formula(prepaid({ instead: 900, fromSecond: month / 2, rounded: 270 }))).toEqual([
    '($14.40 − $9.00 of the plan before) × 15 days of 30 days = $2.70',
  ])
  expect(formula(prepaid({ instead: 1900, rounded: 0 }))).toEqual([
    '($14.40 − $19.00 of the plan before), not below $0.00 × 1 month = $0.00',
  ])
})

test('what was used less what is included, at its rate', () => {
  expect(formula(usage([part(1150, 50, '0.04')], 4400))).toEqual([
    '1,150 GB − 50 GB included = 1,100 GB × $0.04 = $44.00',
  ])
  expect(formula(usage([part(40, 50, '0.04')], 0))).toEqual(['40 GB, within the 50 GB included'])
  expect(formula(usage([part(60, 50, null)], 0))).toEqual(['60 GB − 50 GB included = 10 GB, which cost nothing'])
  expect(
    formula(usage([part(1150, 50, '0.04')], 4400, { measure: 'stock' }), {}, { locale: 'zh-CN' } as never),
  ).toEqual(['1,150 GB·\u2060月 − 套餐内 50 GB·\u2060月 = 1,100 GB·\u2060月 × $0.04 = $44.00'])
})

test('its figures alone are those of the sentence; of more than one part, and of what is not charged, there are none', () => {
  expect(sumOfUsage(usage([part(1150, 50, '0.04')], 4400), words)).toEqual({
    used: '1,150 GB',
    included: '50 GB',
    above: '1,100 GB',
    rate: '$0.04',
    amount: '$44.00',
  })
  expect(sumOfUsage(usage([part(40, 50, '0.04')], 0), words)).toBeUndefined()
  expect(sumOfUsage(usage([part(60, 50, null)], 0), words)).toBeUndefined()
  expect(sumOfUsage(usage([part(70, 50, '0.04'), part(70, 50, '0.04')], 160), words)).toBeUndefined()
  expect(sumOfUsage(prepaid(), words)).toBeUndefined()
})

test('parts after a raise each, and what they come to', () => {
  const half = month / 2
  const parts = [
    part(70, 50, '0.04', { seconds: half }),
    part(300, 200, '0.02', {
      start: '2027-01-16T00:00:00Z',
      seconds: half,
      above: String(175_000_000n * BigInt(month)),
    }),
  ]
  expect(formula(usage(parts, 430, { quotaByTime: true }))).toEqual([
    '1 Jan – 16 Jan 2027: 70 GB − 50 GB included = 20 GB × $0.04 = $0.80',
    '16 Jan – 31 Jan 2027: 300 GB − 125 GB included = 175 GB × $0.02 = $3.50',
    'Total $4.30',
  ])
})

test('what was billed before and what a limit waived', () => {
  expect(formula(usage([part(1150, 50, '0.04')], 4400, { charged: 2000, waived: 400 }), { amount: 2000 })).toEqual([
    '1,150 GB − 50 GB included = 1,100 GB × $0.04 = $44.00',
    '$44.00 − $20.00 on earlier bills − $4.00 waived, above the limit = $20.00',
  ])
})

test('a correction says that it is one, and what was billed of the period before', () => {
  expect(formula(usage([part(1150, 50, '0.04')], 4400, { correction: true, charged: 4000 }), { amount: 400 })).toEqual([
    'Correction: the readings of the period have changed since it was billed',
    '1,150 GB − 50 GB included = 1,100 GB × $0.04 = $44.00',
    '$44.00 − $40.00 on earlier bills = $4.00',
  ])
})

test('the coupon of the line, of which sum, and its share', () => {
  const percent = { code: 'REEF10', percentOff: 10, of: 2880, total: 288 }
  expect(formula(prepaid({ discount: percent }), { discount: 144 })[1]).toBe(
    'Coupon REEF10: 10 % of $28.80 = $2.88, $1.44 of it here',
  )
  const amount = { code: 'FIVE', amountOff: 500, of: 1440, total: 300, before: 200, period: '2027-01-01T00:00:00Z' }
  expect(formula(prepaid({ discount: amount }), { discount: 300 })[1]).toBe(
    'Coupon FIVE: $5.00 off $14.40 = $3.00, $2.00 taken on earlier bills of the period',
  )
})

test('the shares of the clusters by their names at issue', () => {
  const shares = [
    { clusterId: 'cl_1', name: 'Rangiroa', used: '900500000' },
    { clusterId: 'cl_2', name: 'Fakarava', used: '249500000' },
  ]
  const explain = usage([part(1150, 50, '0.04')], 4400)
  expect(lineFormula({ explain, shares, amount_minor: 4400, discount_minor: 0 }, words)[1]).toBe(
    'By cluster: Rangiroa 900.5 GB, Fakarava 249.5 GB',
  )
})
