import { expect, test } from 'vitest'
import { type AtollShape, depthLines, reefPath } from './contour-geometry.ts'

const shape: AtollShape = {
  radius: 100,
  seed: 1,
  reefs: [
    { from: -60, to: 20, width: 30 },
    { from: 90, to: 200, width: 40 },
  ],
  outer: [10, 30, 60],
  inner: [10],
}

test('lines are closed paths of finite numbers, fading outward', () => {
  const lines = depthLines(shape)
  expect(lines).toHaveLength(4)
  for (const { path } of [...lines, ...shape.reefs.map((reef) => ({ path: reefPath(shape, reef, 8) }))]) {
    expect(path).toMatch(/^M-?\d+\.\d -?\d+\.\dC(-?\d+\.\d ?){6}(S(-?\d+\.\d ?){4})+Z$/)
  }
  const outer = lines.slice(1).map(({ opacity }) => opacity)
  expect(outer).toEqual([...outer].sort((a, b) => b - a))
})
