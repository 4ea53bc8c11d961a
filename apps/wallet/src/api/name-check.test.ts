import { expect, it } from 'vitest'
import { findNameFault } from './name-check.ts'

it.each([
  ['', undefined],
  ['r', 'short'],
  ['reef', undefined],
  ['reef7', undefined],
  ['a'.repeat(63), undefined],
  ['a'.repeat(64), 'long'],
  ['reef-2', 'characters'],
  ['礁', 'characters'],
])('the name %j is judged as it is typed: %s', (local, fault) => {
  expect(findNameFault(local)).toBe(fault)
})
