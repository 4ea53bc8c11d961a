import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { hashPassword, isPassword, newOneTimePassword, normalisePassword } from './one-time-password.ts'

const sealer = createSealer(Buffer.alloc(32, 3))

test('has 12 characters of base32 that paper does not confuse', () => {
  for (let count = 0; count < 200; count += 1) expect(newOneTimePassword()).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/)
})

test('is taken however it is typed, and for its own member alone', () => {
  const blanks = fc.constantFrom('', ' ', '-', '  ')
  fc.assert(
    fc.property(fc.array(blanks, { minLength: 12, maxLength: 12 }), fc.boolean(), fc.nat(1e6), (between, upper, id) => {
      const password = newOneTimePassword()
      const spread = [...password].map((letter, at) => letter + between[at]).join('')
      const typed = (upper ? spread.toUpperCase() : spread).replaceAll('0', 'o').replaceAll('1', 'l')
      expect(normalisePassword(typed)).toBe(password)
      const hash = hashPassword(sealer, id, password)
      expect(hash).not.toContain(password)
      expect(isPassword(sealer, { id, hash }, typed)).toBe(true)
      expect(isPassword(sealer, { id: id + 1, hash }, typed)).toBe(false)
      expect(isPassword(sealer, { id, hash }, newOneTimePassword())).toBe(false)
    }),
  )
})
