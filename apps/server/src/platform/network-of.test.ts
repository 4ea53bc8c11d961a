import { expect, test } from 'vitest'
import { networkOf } from './network-of.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['made up', 'made up'],
  ['', ''],
])('%j counts as %j', (address, network) => expect(networkOf(address, { ipv4: 32, ipv6: 64 })).toBe(network))

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.1', '192.0.2.0/24'],
  ['2001:db8:1:2ff:3::', '2001:db8:1:200::/56'],
  ['2001:db8:1:300::', '2001:db8:1:300::/56'],
])('%j is in %j', (address, network) => expect(networkOf(address, { ipv4: 24, ipv6: 56 })).toBe(network))
