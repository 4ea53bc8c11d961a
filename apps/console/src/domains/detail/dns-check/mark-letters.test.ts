import fc from 'fast-check'
import { expect, it } from 'vitest'
import { markLetters, nearestOf, type Part } from './mark-letters.ts'

const said = (parts: readonly Part[]) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')

it.each([
  ['another letter', 'k7m2qsvx4t', 'k7m2q5vx4t', 'k7m2q[s]vx4t', 'k7m2q[5]vx4t'],
  ['a letter too few', 'ns2.ato.ex', 'ns2.atol.ex', 'ns2.ato.ex', 'ns2.ato[l].ex'],
  ['a letter too many', 'ns22.ato', 'ns2.ato', 'ns[2]2.ato', 'ns2.ato'],
  ['equal values', 'same', 'same', 'same', 'same'],
  [
    'long values',
    `${'a'.repeat(30)}x${'b'.repeat(30)}`,
    `${'a'.repeat(30)}y${'b'.repeat(30)}`,
    '…aaaaaaa[x]bbbbbbb…',
    '…aaaaaaa[y]bbbbbbb…',
  ],
])('marks %s', (_, found, expected, foundSaid, expectedSaid) => {
  const marked = markLetters(found, expected)
  expect(said(marked.found)).toBe(foundSaid)
  expect(said(marked.expected)).toBe(expectedSaid)
})

it('marks something just where values differ, and no letter that is the same in both', () => {
  const text = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const { found, expected } = markLetters(a, b)
      const plain = (parts: readonly Part[]) =>
        parts
          .filter(({ differs }) => !differs)
          .map((part) => part.text)
          .join('')
      expect([...found, ...expected].some(({ differs }) => differs)).toBe(a !== b)
      expect(plain(found)).toBe(plain(expected))
      expect(found.map((part) => part.text).join('')).toBe(a)
      expect(expected.map((part) => part.text).join('')).toBe(b)
    }),
  )
})

it('finds what a value is meant to be', () => {
  expect(nearestOf('ns2.atol.example', ['ns1.atoll.example', 'ns2.atoll.example'])).toBe('ns2.atoll.example')
  expect(nearestOf('anything', [])).toBeUndefined()
})
