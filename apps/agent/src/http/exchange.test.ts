import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { visitorOf } from './exchange.ts'

/** The visitor read from a request with this connection and X-Forwarded-For. */
const seen = (remoteAddress: string, forwarded?: string) =>
  visitorOf({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage)

test.each([
  ['the edge’s word', (address: string) => seen('127.0.0.1', `6.6.6.6, ${address}`)],
  ['the connection', (address: string) => seen(address)],
])('all addresses of one network of IPv6 are one visitor, by %s', (_name, of) => {
  const home = of('2001:db8:1:2::1')
  expect([of('2001:db8:1:2:ffff:ffff:ffff:ffff'), of('2001:DB8:1:2::2')]).toEqual([home, home])
  expect(of('2001:db8:1:3::1')).not.toBe(home)
  expect(of('198.51.100.1')).not.toBe(of('198.51.100.2'))
  expect(of('::ffff:198.51.100.1')).toBe(of('198.51.100.1'))
})
