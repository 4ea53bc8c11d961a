import { expect, it } from 'vitest'
import { isLeftBehind } from './is-left-behind.ts'

it.each([
  ['control.atoll.example', false],
  ['old.atoll.example', true],
  ['control.atoll.example:8443', true],
  [null, true],
])('agents that last called %s are left behind: %s', (host, isLeft) => {
  expect(isLeftBehind({ host }, new Set(['control.atoll.example']))).toBe(isLeft)
})
