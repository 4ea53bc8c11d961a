import { expect, test } from 'vitest'
import { typedMinor } from './minor-units.ts'

test('an amount that was typed becomes minor units, exactly', () => {
  expect(['0', '5', '12.5', ' 12.50 ', '0.29', '999999999.99'].map(typedMinor)).toEqual([
    0, 500, 1250, 1250, 29, 99_999_999_999,
  ])
})

test('what is no amount is none', () => {
  expect(['', '-1', '1.234', '1,50', '1e3', '$5', '.5', '1234567890'].map(typedMinor)).toEqual(Array(8).fill(undefined))
})
