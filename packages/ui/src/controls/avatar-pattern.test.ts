import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternOf } from './avatar-pattern.ts'

const has = (cells: [number, number][], x: number, y: number) => cells.some((cell) => cell[0] === x && cell[1] === y)

test('a pattern is mirrored, within its square, never empty, and the same each time', () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      const cells = patternOf(id)
      expect(cells.length).toBeGreaterThan(0)
      for (const [x, y] of cells) {
        expect(has(cells, 4 - x, y)).toBe(true)
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
        expect(Math.max(x, y)).toBeLessThanOrEqual(4)
      }
      expect(new Set(cells.map(String)).size).toBe(cells.length)
      expect(patternOf(id)).toEqual(cells)
    }),
  )
})

test('a hundred people have a hundred patterns, or nearly', () => {
  const patterns = Array.from({ length: 100 }, (_, at) => String(patternOf(`did:key:z6Mk${at}`)))
  expect(new Set(patterns).size).toBeGreaterThan(95)
})
