import type { MonitorGrid, Series } from '@atoll/contract/clusters'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countReadings, coverNewest, findGaps, findPeak, timeOf, toSteps, type Values } from './steps.ts'

const step = 180_000
const gridOf = (points: number): MonitorGrid => ({ from: 0, last: (points - 1) * step, stepMs: step, points })
const grid = gridOf(10)
const everything = { since: 0, settled: Number.POSITIVE_INFINITY }
const _ = undefined

describe('points on a grid', () => {
  test('stand at their step, and a step without one has no value, never 0', () => {
    const series: Series = [
      [0, 0],
      [2 * step, 5],
      [9 * step, 7],
    ]
    expect(toSteps(series, grid)).toEqual([0, _, 5, _, _, _, _, _, _, 7])
  })

  test('are left out where they lie beside it', () => {
    expect(
      toSteps(
        [
          [-step, 1],
          [10 * step, 2],
        ],
        grid,
      ),
    ).toEqual(new Array(10).fill(_))
  })

  test('have a grid that ends with the newest, however far this device’s clock is behind', () => {
    const moved = coverNewest(grid, [[[9 * step, 1]], [[11 * step, 1]], []])
    expect(moved).toEqual({ ...grid, from: 2 * step, last: 11 * step })
    expect(coverNewest(grid, [[[3 * step, 1]]])).toEqual(grid)
  })
})

describe('gaps', () => {
  test('go from the first step without a reading to the next one with', () => {
    expect(findGaps([[1, _, _, 1, 1, _, 1, 1, 1, 1]], grid, everything)).toEqual([
      { from: step, to: 3 * step },
      { from: 5 * step, to: 6 * step },
    ])
  })

  test('are where none of several has a reading', () => {
    const all: Values[] = [
      [1, _, _, 1, 1, 1, 1, 1, 1, 1],
      [1, _, 1, 1, _, 1, 1, 1, 1, 1],
    ]
    expect(findGaps(all, grid, everything)).toEqual([{ from: step, to: 2 * step }])
  })

  test('do not begin before there was something to measure', () => {
    expect(findGaps([[_, _, _, 1, 1, 1, 1, 1, 1, 1]], grid, { ...everything, since: 3 * step })).toEqual([])
  })

  test('do not include a newest step that may still get a value', () => {
    const values = [[1, 1, 1, 1, 1, 1, 1, 1, 1, _]]
    expect(findGaps(values, grid, { since: 0, settled: 9 * step })).toEqual([])
    expect(findGaps(values, grid, { since: 0, settled: 10 * step })).toEqual([{ from: 9 * step, to: 10 * step }])
  })

  test('hold all steps without a reading and no other, whatever there is', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.double(), { nil: undefined }), { minLength: 1, maxLength: 300 }), (values) => {
        const wide = gridOf(values.length)
        const gaps = findGaps([values], wide, everything)
        const within = (time: number) => gaps.some(({ from, to }) => from <= time && time < to)
        expect(values.map((_value, at) => within(timeOf(wide, at)))).toEqual(values.map((value) => value === undefined))
        // Two that touch are one.
        expect(gaps.every((gap, at) => gap.from > (gaps[at - 1]?.to ?? -1))).toBe(true)
      }),
    )
  })
})

test('the peak is the highest value and when its step begins; readings of 0 count', () => {
  expect(findPeak([0, _, 4, 2, 4, _, _, _, _, _], grid)).toEqual({ value: 4, time: 2 * step })
  expect(findPeak([_, _], grid)).toBeUndefined()
  expect(countReadings([0, _, 4, _])).toBe(2)
})
