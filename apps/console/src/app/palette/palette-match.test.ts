import fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsWords, markWords, queryWords } from './palette-match.ts'

it('finds words in any order and case', () => {
  expect(holdsWords('Restart Rangiroa', queryWords('rang REST'))).toBe(true)
  expect(holdsWords('Restart Rangiroa', queryWords('rang stop'))).toBe(false)
  expect(holdsWords('重启 Rangiroa', queryWords('重启'))).toBe(true)
  expect(holdsWords('anything', queryWords('  '))).toBe(true)
})

it('marks what was found', () => {
  expect(markWords('Restart Rangiroa', queryWords('ra'))).toEqual([
    { at: 0, text: 'Restart ', found: false },
    { at: 8, text: 'Ra', found: true },
    { at: 10, text: 'ngiroa', found: false },
  ])
})

it('never changes the text it marks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, query) => {
      const parts = markWords(text, queryWords(query))
      expect(parts.map((part) => part.text).join('')).toBe(text)
    }),
  )
})
