import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findUnstorable, isStorable } from './storable-text.ts'

test.each([
  ['a NUL in a field', { a: { b: ['x', 'y\0'] } }, ['a', 'b', '1']],
  ['half of a pair', { a: '\ud800' }, ['a']],
  ['the other half', { a: 'x\udc00y' }, ['a']],
  ['a NUL in a key', { a: { 'b\0': 1 } }, ['a', 'b\uFFFD']],
  ['half of a pair in a key', { '\udfff': 1 }, ['\uFFFD']],
  ['the value itself', '\0', []],
])('%s is found by its path', (_, value, path) => {
  expect(findUnstorable(value)).toEqual(path)
})

test('whole pairs, escapes written out, numbers and nothing can be stored', () => {
  expect(
    findUnstorable({ pair: '😀', written: '\\u0000', count: 0, none: null, list: [true, undefined] }),
  ).toBeUndefined()
})

test('it is found however deep it is nested', () => {
  const depth = 30_000
  expect(findUnstorable(JSON.parse(`${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`))).toHaveLength(depth)
})

test('a JSON value has a path exactly when its text has an escape that jsonb refuses', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const texts: string[] = []
      JSON.stringify(value, (key, inner: unknown) => {
        texts.push(key, ...(typeof inner === 'string' ? [inner] : []))
        return inner
      })
      expect(findUnstorable(value) === undefined).toBe(texts.every(isStorable))
    }),
  )
})
