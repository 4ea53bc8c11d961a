import { expect, test } from 'vitest'
import { stepAfterKey } from './step-keys.ts'

test.each([
  ['ArrowLeft', false, 50, 49],
  ['ArrowRight', false, 50, 51],
  ['ArrowLeft', true, 50, 40],
  ['ArrowRight', true, 50, 60],
  ['ArrowLeft', true, 4, 0],
  ['ArrowRight', false, 99, 99],
  ['Home', false, 50, 0],
  ['End', false, 50, 99],
  ['Escape', false, 50, 'leave'],
  ['Tab', false, 50, undefined],
] as const)('%s (with Shift: %s) at %d leads to %s', (key, shiftKey, at, expected) => {
  expect(stepAfterKey({ key, shiftKey }, at, 99)).toBe(expected)
})
