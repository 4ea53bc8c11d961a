import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePath } from './code-path.ts'

const pictures = fc
  .integer({ min: 1, max: 24 })
  .chain((size) =>
    fc.array(fc.array(fc.boolean(), { minLength: size, maxLength: size }), { minLength: size, maxLength: size }),
  )

/** Which modules the rectangles of a path cover, as often as they do. */
function covered(path: string): string[] {
  return [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)].flatMap(([, x, y, right, left]) => {
    expect(left).toBe(right)
    return Array.from({ length: Number(right) }, (_, at) => `${Number(x) + at} ${y}`)
  })
}

test('covers every dark module once and no other', () => {
  fc.assert(
    fc.property(pictures, (rows) => {
      const path = codePath({ size: rows.length, get: (x, y) => rows[y]?.[x] ?? false })
      const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])))
      expect(covered(path)).toEqual(dark)
      expect(path.replace(/M\d+ \d+h\d+v1h-\d+z/g, '')).toBe('')
    }),
  )
})
