import { expect, test } from 'vitest'
import { createVisitorShares, networkOf } from './visitor-shares.ts'

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

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['made up', 'made up'],
  ['', ''],
])('%j counts as %j', (address, network) => expect(networkOf(address)).toBe(network))
