import { expect, test } from 'vitest'
import { formBody } from './form-body.ts'

test('nested values are written in bracket notation, absent ones left out', () => {
  const body = {
    name: 'a & b',
    count: 3,
    yes: true,
    gone: undefined,
    none: null,
    list: [1, { x: 'ü' }],
    deep: { a: { b: 'c' } },
  }
  expect([...new URLSearchParams(formBody(body))]).toEqual([
    ['name', 'a & b'],
    ['count', '3'],
    ['yes', 'true'],
    ['list[0]', '1'],
    ['list[1][x]', 'ü'],
    ['deep[a][b]', 'c'],
  ])
})

test('an empty body is an empty text', () => {
  expect(formBody({})).toBe('')
})
