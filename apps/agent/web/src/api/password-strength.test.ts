import { expect, it } from 'vitest'
import { judgePassword } from './password-strength.ts'

it.each([
  ['', 'empty'],
  ['reef', 'short'],
  ['a'.repeat(257), 'long'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['abcdefghijklmnop', 'weak'],
  ['12345678', 'weak'],
  ['password12', 'weak'],
  ['reefreefreef', 'weak'],
  ['Tr0ub4dor&', 'good'],
  ['coral lamp harbour nine', 'strong'],
  ['珊瑚灯塔港口九号船', 'fair'],
])('%j is %s', (password, strength) => {
  expect(judgePassword(password, ['reef'])).toBe(strength)
})
