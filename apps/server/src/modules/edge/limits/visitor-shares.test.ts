import { expect, test } from 'vitest'
import { createVisitorShares } from './visitor-shares.ts'

test('a visitor has so many at a cluster, independent of other visitors, and again when some have ended', () => {
  const beginShare = createVisitorShares(2)
  const end = beginShare('cl_a', '192.0.2.1')
  expect(end).toBeDefined()
  expect(beginShare('cl_a', '192.0.2.1')).toBeDefined()
  expect(beginShare('cl_a', '::ffff:192.0.2.1')).toBeUndefined()
  expect(beginShare('cl_a', '192.0.2.2')).toBeDefined()
  expect(beginShare('cl_b', '192.0.2.1')).toBeDefined()
  end?.()
  expect(beginShare('cl_a', '192.0.2.1')).toBeDefined()
  expect(beginShare('cl_a', '192.0.2.1')).toBeUndefined()
})
