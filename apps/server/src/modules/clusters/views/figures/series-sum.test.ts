import type { MetricsContent, Series } from '@atoll/contract/clusters'
import { expect, test } from 'vitest'
import { addUpSeries } from './series-sum.ts'

const step = 60_000
const at = (values: Record<number, number>): Series =>
  Object.entries(values).map(([index, value]) => [Number(index) * step, value])
const all = (series: Series): MetricsContent => ({
  cpu: series,
  memory: series,
  disk: series,
  netIn: series,
  netOut: series,
})

test('bytes add up, and cpu is the mean over the cores', () => {
  const sum = addUpSeries(
    [
      { cores: 1, series: all(at({ 0: 1 })) },
      { cores: 3, series: all(at({ 0: 0.2 })) },
    ],
    step,
  )
  expect(sum.cpu[0]?.[1]).toBeCloseTo(0.4, 9)
  for (const metric of ['memory', 'disk', 'netIn', 'netOut'] as const) expect(sum[metric]).toEqual([[0, 1.2]])
})

test('a step that one of them is silent in has no point, and no smaller sum', () => {
  const sum = addUpSeries(
    [
      { cores: 1, series: all(at({ 0: 1, 1: 1, 2: 1, 3: 1 })) },
      { cores: 1, series: all(at({ 0: 1, 2: 1, 3: 1 })) },
    ],
    step,
  )
  expect(sum.memory).toEqual(at({ 0: 2, 2: 2, 3: 2 }))
})

test('one that came later or went counts while it was there, and the newest step waits for whom it lacks', () => {
  const sum = addUpSeries(
    [
      { cores: 1, series: all(at({ 0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 })) },
      { cores: 1, series: all(at({ 1: 1, 2: 1 })) },
      { cores: 1, series: all(at({ 4: 1 })) },
    ],
    step,
  )
  expect(sum.memory).toEqual(at({ 0: 1, 1: 2, 2: 2, 4: 2 }))
})

test('of none there is nothing', () => {
  expect(addUpSeries([{ cores: 2, series: all([]) }], step)).toEqual(all([]))
})
