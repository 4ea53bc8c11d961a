import { expect, test } from 'vitest'
import { stepAfterKey } from './step-keys.ts'

test.each([
  ['ArrowLeft', '', 50, 49],
  ['ArrowRight', '', 50, 51],
  ['ArrowLeft', ' with Shift', 50, 40],
  ['ArrowRight', ' with Shift', 50, 60],
  ['ArrowLeft', ' with Shift', 4, 0],
  ['ArrowRight', '', 99, 99],
  ['Home', '', 50, 0],
  ['End', '', 50, 99],
  ['Escape', '', 50, 'leave'],
] as const)('%s%s at %d leads to %s', (key, shift, at, expected) => {
  expect(stepAfterKey({ key, shiftKey: shift !== '' }, at, 99)).toBe(expected)
})

test('Tab leads nowhere in the chart', () => {
  expect(stepAfterKey({ key: 'Tab', shiftKey: false }, 50, 99)).toBeUndefined()
})
