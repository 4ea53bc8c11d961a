import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkTimes } from './times.ts'

const now = Date.UTC(2026, 5, 1)
const s = now / 1000

describe('nbf and exp', () => {
  test.each([
    ['neither', {}, undefined],
    ['valid', { nbf: s, exp: s + 1 }, undefined],
    ['just expired, within the skew', { exp: s - 29 }, undefined],
    ['expired at the skew', { exp: s - 30 }, { fault: 'expired', minutes: 1 }],
    ['signed by a clock 30 s ahead', { nbf: s + 30 }, undefined],
    ['signed by a clock 31 s ahead', { nbf: s + 31 }, { fault: 'early', minutes: 1 }],
    ['signed by a clock 10 min ahead', { nbf: s + 600, exp: s + 1e6 }, { fault: 'early', minutes: 10 }],
    ['expired 10 min ago', { nbf: s - 1e6, exp: s - 600 }, { fault: 'expired', minutes: 10 }],
    ['fractions of a second', { nbf: s + 30.5 }, { fault: 'early', minutes: 1 }],
  ])('%s', (_, claims, fault) => expect(checkTimes(claims, now)).toEqual(fault))

  test('a distance of seconds counts as a minute', () => {
    // Nothing was signed in the future, whatever it says of when it begins.
    for (const claims of [{ iat: s + 31 }, { nbf: s - 10, iat: s + 31 }, { iat: s, nbf: s + 31 }])
      expect(checkTimes(claims, now)).toMatchObject({ fault: 'early' })
    expect(checkTimes({ iat: s + 30, nbf: s + 30 }, now)).toBeUndefined()
    expect(checkTimes({ nbf: s + 2 }, now, 0)).toEqual({ fault: 'early', minutes: 1 })
  })

  test('moving both clocks changes nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -1e6, max: 1e6 }), (shift, distance) => {
        const fault = checkTimes({ nbf: s + distance }, now)
        expect(checkTimes({ nbf: s + distance + shift }, now + shift * 1000)).toEqual(fault)
        expect(fault === undefined).toBe(distance <= 30)
      }),
    )
  })
})
