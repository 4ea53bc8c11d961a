import { passwordFault } from '@atoll/contract/backups'
import { expect, test } from 'vitest'
import { makePassword } from './make-password.ts'

test('a made password is one that may be used, of letters that paper tells apart, and no two are alike', () => {
  const made = Array.from({ length: 200 }, makePassword)
  expect(new Set(made).size).toBe(made.length)
  for (const password of made) {
    expect(passwordFault(password)).toBeUndefined()
    expect(password).toMatch(/^[a-zA-Z2-9]{20}$/)
    expect(password).not.toMatch(/[lIO]/)
  }
})
