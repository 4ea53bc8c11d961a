import type { Coupon } from '@atoll/contract/billing'
import { expect, test } from 'vitest'
import { monthsAhead } from './months-ahead.ts'

const day = (text: string) => new Date(`${text}T00:00:00Z`)
const order = (anchor = '2026-11-26', next = '2026-12-26') => ({
  anchor: day(anchor),
  next: day(next),
  zone: 'UTC' as const,
  currency: 'usd' as const,
  monthly: 1440,
  begins: true,
})
const spring: Coupon = { code: 'SPRING', percentOff: 50, duration: 'repeating', months: 3, appliesTo: ['instance'] }
const shown = (ahead: ReturnType<typeof monthsAhead>) =>
  ahead.map(({ at, amount, code, goesOn }) => [at.slice(0, 10), amount, code ?? '', goesOn])

test('each month that the coupon still reduces has a line, and then the whole price', () => {
  expect(shown(monthsAhead(order(), { ...spring, endsAt: '2027-02-26T00:00:00Z' }))).toEqual([
    ['2026-12-26', 720, 'SPRING', false],
    ['2027-01-26', 720, 'SPRING', false],
    ['2027-02-26', 1440, '', true],
  ])
})

test('months are counted from the anchor, and many are one line', () => {
  const late = monthsAhead(order('2027-01-31', '2027-02-28'), { ...spring, endsAt: '2027-04-30T00:00:00Z' })
  expect(shown(late).map(([at]) => at)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30'])
  expect(shown(monthsAhead(order(), { ...spring, endsAt: '2027-11-26T00:00:00Z' }))).toEqual([
    ['2026-12-26', 720, 'SPRING', true],
    ['2027-11-26', 1440, '', true],
  ])
})

test('an amount off is not taken once more for a worker that its cluster already has it for', () => {
  const coupon: Coupon = { code: 'FIVE', amountOff: { usd: 500 }, duration: 'forever', appliesTo: ['instance'] }
  expect(shown(monthsAhead({ ...order(), begins: false }, coupon))).toEqual([['2026-12-26', 1440, '', true]])
})

test.each<[string, Coupon | undefined, number]>([
  ['for ever', { ...spring, percentOff: 10, duration: 'forever' }, 1296],
  ['an amount for ever', { ...spring, percentOff: undefined, amountOff: { usd: 500 }, duration: 'forever' }, 940],
  ['its last month was this one', { ...spring, endsAt: '2026-12-26T00:00:00Z' }, 1440],
  ['of plans alone', { ...spring, duration: 'forever', appliesTo: ['plan'] }, 1440],
  ['none, or one that was taken once', undefined, 1440],
])('a coupon: %s', (_, coupon, amount) => {
  expect(monthsAhead(order(), coupon).map((one) => one.amount)).toEqual([amount])
})
