import { noticeKeys } from '@atoll/contract/billing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideNotice, levelOf, percentOf, type UsageLevel } from './usage-notice.ts'

test.each([
  [0n, 0n, 'below'],
  [79n, 100n, 'below'],
  [80n, 100n, 'near'],
  [100n, 100n, 'near'],
  [101n, 100n, 'charged'],
  [1n, 0n, 'charged'],
] as const)('%d of %d is %s', (counted, limit, level) => {
  expect(levelOf({ counted, limit, isStopped: false })).toBe(level)
  expect(levelOf({ counted, limit, isStopped: true })).toBe('limited')
})

test('a limit that is lifted is reported, whatever is used by then, until it is seen', () => {
  expect(decideNotice('usageLimited', 'below')).toBe('usageOpen')
  expect(decideNotice('usageLimited', 'charged')).toBe('usageOpen')
  expect(decideNotice('usageOpen', 'near')).toBe('usageOpen')
  expect(decideNotice('usageOpen', 'limited')).toBe('usageLimited')
  expect(decideNotice(undefined, 'below')).toBeUndefined()
})

test('deciding twice changes nothing, but that what goes on being charged is reported after its limit was lifted', () => {
  const levels: UsageLevel[] = ['below', 'near', 'charged', 'limited']
  fc.assert(
    fc.property(fc.constantFrom(undefined, ...noticeKeys), fc.constantFrom(...levels), (before, level) => {
      const once = decideNotice(before, level)
      const twice = decideNotice(once, level)
      expect(twice).toBe(once === 'usageOpen' && level === 'charged' ? 'usageCharged' : once)
      // Nothing is reported as going on that was never stopped.
      if (once === 'usageOpen') expect(['usageLimited', 'usageOpen']).toContain(before)
      expect(percentOf(level) === 100).toBe(level === 'charged' || level === 'limited')
    }),
  )
})
