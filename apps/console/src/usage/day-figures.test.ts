import type { UsageDays } from '@atoll/contract/billing'
import { expect, test } from 'vitest'
import { busiestOf, chartParts, daysAt, figuresOf, meanOf, projectedUse } from './day-figures.ts'

const product = (productType: 'cloud_traffic' | 'cloud_storage', days: number[][]) => ({
  productType,
  used: 0,
  quota: 100,
  overage: 0,
  unitLabel: 'GB',
  amount: 0,
  currency: 'usd' as const,
  invoices: [],
  clusters: days.map((own, at) => ({
    clusterId: `cl_${at}`,
    name: `c${at}`,
    used: 0,
    overage: 0,
    amount: 0,
    days: own,
  })),
})
const period: UsageDays = {
  start: '2026-11-04T18:00:00.000Z',
  end: '2026-11-14T18:00:00.000Z',
  isRunning: true,
  isBilled: false,
  planLevel: 2,
  asOf: '2026-11-06T12:00:00.000Z',
  periodSeconds: 10 * 86_400,
  products: [],
  days: Array.from({ length: 11 }, (_, at) => `2026-11-${String(at + 4).padStart(2, '0')}`),
}
const at = (text: string) => Date.parse(text)
const hour = 3_600_000

test('days count what is past of them, in the zone of the account', () => {
  const utc = daysAt(period, 'UTC', at('2026-11-06T12:00:00Z'))
  expect(utc.slice(0, 4).map(({ pastMs, isRunning }) => [pastMs / hour, isRunning])).toEqual([
    [6, false],
    [24, false],
    [12, true],
    [0, false],
  ])
  const [first] = daysAt({ ...period, days: ['2026-11-05'] }, 'UTC+8', at('2026-11-06T12:00:00Z'))
  expect(first).toEqual({ day: '2026-11-05', pastMs: 22 * hour, isRunning: false })
})

test('what is held is shown as the mean of a day, and what moves as it moved', () => {
  const days = daysAt(period, 'UTC', at('2026-11-06T12:00:00Z'))
  // 20 GB all the time are a fortieth of 20 GB-months in six hours of ten days.
  const held = product('cloud_storage', [[0.5, 2, 1]])
  const moved = product('cloud_traffic', [[0.5, 2, 1]])
  const figures = (of: typeof held | typeof moved) => {
    const [cluster] = of.clusters
    return cluster ? figuresOf(of, cluster, days, period.periodSeconds).slice(0, 4) : []
  }
  expect(figures(held)).toEqual([20, 20, 20, 0])
  expect(figures(moved)).toEqual([0.5, 2, 1, 0])
  expect(meanOf(held, 3.5, days, period.periodSeconds)).toBe(20)
  expect(meanOf(moved, 3.5, days, period.periodSeconds)).toBe(2)
  expect(busiestOf([0.5, 2, 1, 0])).toEqual({ at: 1, figure: 2 })
  expect(busiestOf([0, 0])).toBeUndefined()
})

test('a period is projected after three days, while it runs', () => {
  expect(projectedUse(period, 10, at('2026-11-07T17:59:00Z'))).toBeUndefined()
  expect(projectedUse(period, 10, at('2026-11-09T18:00:00Z'))).toBe(20)
  expect(projectedUse({ ...period, isRunning: false }, 10, at('2026-11-09T18:00:00Z'))).toBeUndefined()
})

test('four clusters have a colour each; of more, the smaller ones are one', () => {
  const days = daysAt(period, 'UTC', at('2026-11-06T12:00:00Z'))
  const parts = (count: number) =>
    chartParts(
      product(
        'cloud_traffic',
        Array.from({ length: count }, () => [1, 2]),
      ),
      days,
      period.periodSeconds,
    )
  expect(parts(4).map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c3'])
  expect(parts(6).map(({ name, figures }) => [name, figures[1]])).toEqual([
    ['c0', 2],
    ['c1', 2],
    ['c2', 2],
    [undefined, 6],
  ])
})
