import { expect, it } from 'vitest'
import { findNameFault } from './name-check.ts'

it.each([
  ['r', 'short'],
  ['a'.repeat(64), 'long'],
  ['reef-2', 'characters'],
  ['礁', 'characters'],
])('the name %j has a fault as it is typed: %s', (local, fault) => {
  expect(findNameFault(local)).toBe(fault)
})

it.each(['', 'reef', 'reef7', 'a'.repeat(63)])('the name %j has no fault', (local) => {
  expect(findNameFault(local)).toBeUndefined()
})
