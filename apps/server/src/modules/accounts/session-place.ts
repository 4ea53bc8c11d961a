import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Place } from '@atoll/contract/accounts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** RFC 1918, 3927, 4193, 4291 and the carriers' shared space of RFC 6598. */
const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv6')

/** Where `ip` is as seen by someone at `askerIp`; see `Place`. */
export function placeOf(ip: string | null, askerIp: string): Place {
  const address = plainAddress(ip ?? '')
  if (isIP(address) === 0) return { kind: 'unknown', network: null }
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  if (loopback.check(address, family)) return { kind: 'thisMachine', network: null }
  const network = networkOf(address)
  const asker = plainAddress(askerIp)
  if (isIP(asker) !== 0 && networkOf(asker) === network) return { kind: 'thisNetwork', network }
  return { kind: privateNetworks.check(address, family) ? 'privateNetwork' : 'network', network }
}

/** An IPv4 address that arrived over an IPv6 socket is written as one. */
function plainAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  return mapped?.[1] ?? ip.replace(/%.*$/, '')
}

/** `203.0.113.0/24`, or a site's `2001:db8:1::/48`: what providers hand to one customer or one neighbourhood. */
function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  // URL writes every form of an IPv6 address the same way, shortened; its first three groups are the /48.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = ''] = short.split('::')
  const groups = [...head.split(':').filter(Boolean), '0', '0', '0'].slice(0, 3)
  while (groups.at(-1) === '0') groups.pop()
  return `${groups.join(':')}::/48`
}
