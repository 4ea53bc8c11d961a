import { expect, test } from 'vitest'
import { createVisitorShares } from './visitor-shares.ts'

test('a visitor has so many at a cluster, whoever else is there, and again when some have ended', () => {
  const shares = createVisitorShares(2)
  const end = shares.begin('cl_a', '192.0.2.1')
  expect(end).toBeDefined()
  expect(shares.begin('cl_a', '192.0.2.1')).toBeDefined()
  expect(shares.begin('cl_a', '::ffff:192.0.2.1')).toBeUndefined()
  expect(shares.begin('cl_a', '192.0.2.2')).toBeDefined()
  expect(shares.begin('cl_b', '192.0.2.1')).toBeDefined()
  end?.()
  expect(shares.begin('cl_a', '192.0.2.1')).toBeDefined()
  expect(shares.begin('cl_a', '192.0.2.1')).toBeUndefined()
})
