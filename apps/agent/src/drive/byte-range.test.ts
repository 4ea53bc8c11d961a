import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRange } from './byte-range.ts'

test.each([
  ['bytes=0-0', 10, { start: 0, end: 0 }],
  ['bytes=5-', 10, { start: 5, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=-30', 10, { start: 0, end: 9 }],
  ['bytes=0-99', 10, { start: 0, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, 'unsatisfiable'],
  ['bytes=5-2', 10, 'whole'],
  ['bytes=-', 10, 'whole'],
  ['bytes=0-1,3-4', 10, 'whole'],
  ['items=0-1', 10, 'whole'],
  ['', 10, 'whole'],
  ['nothing', 10, 'whole'],
])('a request for “%s” of a file of %d bytes gets the bytes it names, or all', (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected)
})

test('a request without a range gets the whole file', () => {
  expect(parseRange(undefined, 10)).toBe('whole')
})

test('whatever is asked, what is sent lies within the file', () => {
  const header = fc.oneof(
    fc.string(),
    fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
  )
  fc.assert(
    fc.property(header, fc.nat(), (text, size) => {
      const range = parseRange(text, size)
      if (typeof range === 'string') return
      expect(0 <= range.start && range.start <= range.end && range.end < size).toBe(true)
    }),
  )
})
