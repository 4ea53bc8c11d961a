import { expect, it } from 'vitest'
import { isWeakPasscode } from './passcode-strength.ts'

it.each(['000000', '777777', '123456', '456789', '987654'])('%s is weak', (passcode) => {
  expect(isWeakPasscode(passcode)).toBe(true)
})

it.each(['271828', '121212', '135791', '890123', '112233'])('%s is not', (passcode) => {
  expect(isWeakPasscode(passcode)).toBe(false)
})
