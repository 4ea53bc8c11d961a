import { expect, test } from 'vitest'
import { areaPath, linePath } from './chart-path.ts'
import type { Values } from './steps.ts'

const placed = { x: (index: number) => index * 10, y: (value: number) => 100 - value }
const _ = undefined
const strokes = (path: string) => path.split('M').length - 1

test('a line goes through its points', () => {
  expect(linePath([1, 2, 3], placed)).toBe('M0,99L10,98L20,97')
})

test.each<[string, Values, number]>([
  ['one gap', [1, 2, _, 3, 4], 2],
  ['gaps at both ends', [_, 1, 2, _], 1],
  ['two gaps and a reading alone between them', [1, _, 2, _, 3, 4], 3],
  ['nothing', [_, _], 0],
])('%s breaks line and area, which never join what is on its sides', (_name, values, count) => {
  expect(strokes(linePath(values, placed))).toBe(count)
  expect(strokes(areaPath(values, placed))).toBe(count)
  values.forEach((value, at) => {
    if (value === undefined) expect(linePath(values, placed)).not.toMatch(new RegExp(`[ML]${at * 10},`))
  })
})

test('a reading of 0 is drawn at the bottom', () => {
  expect(linePath([0, 0], placed)).toBe('M0,100L10,100')
})
