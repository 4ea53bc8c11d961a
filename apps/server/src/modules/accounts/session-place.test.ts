import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOf } from './session-place.ts'

test.each([
  ['127.0.0.1', '203.0.113.9', 'thisMachine', null],
  ['::1', '::1', 'thisMachine', null],
  ['::ffff:127.0.0.1', '::1', 'thisMachine', null],
  ['192.168.1.20', '192.168.1.4', 'thisNetwork', '192.168.1.0/24'],
  ['192.168.1.20', '203.0.113.9', 'privateNetwork', '192.168.1.0/24'],
  ['100.64.3.2', '203.0.113.9', 'privateNetwork', '100.64.3.0/24'],
  ['203.0.113.77', '203.0.113.9', 'thisNetwork', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.9', 'thisNetwork', '203.0.113.0/24'],
  ['198.51.100.7', '203.0.113.9', 'network', '198.51.100.0/24'],
  ['2001:db8:1:2::5', '2001:db8:1:ffff::1', 'thisNetwork', '2001:db8:1::/48'],
  ['2001:db8::5', '203.0.113.9', 'network', '2001:db8::/48'],
  ['fd00::1', '203.0.113.9', 'privateNetwork', 'fd00::/48'],
  ['fe80::1%eth0', '203.0.113.9', 'privateNetwork', 'fe80::/48'],
  [null, '203.0.113.9', 'unknown', null],
  ['', '', 'unknown', null],
  ['not an address', '127.0.0.1', 'unknown', null],
])('a session from “%s” is placed for who looks from “%s”', (ip, asker, kind, network) => {
  expect(placeOf(ip, asker)).toEqual({ kind, network })
})

test('an address is in its own network, whichever it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
      expect(['thisNetwork', 'thisMachine']).toContain(placeOf(ip, ip).kind)
    }),
  )
})
