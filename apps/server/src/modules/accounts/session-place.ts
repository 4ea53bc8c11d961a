import { BlockList, isIP, isIPv4 } from 'node:net'
import type { Place } from '@atoll/contract/accounts'
import { isLoopback, networkOf, plainAddress } from '../../platform/network-of.ts'

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

/** The range that providers give one customer or one neighbourhood: `203.0.113.0/24`, or a site's `2001:db8:1::/48`. */
const site = { ipv4: 24, ipv6: 48 } as const

/** Where `ip` is as seen by someone at `askerIp`; see `Place`. */
export function placeOf(ip: string | null, askerIp: string): Place {
  const address = plainAddress(ip ?? '')
  if (isIP(address) === 0) return { kind: 'unknown', network: null }
  if (isLoopback(address)) return { kind: 'thisMachine', network: null }
  const network = networkOf(address, site)
  if (networkOf(askerIp, site) === network) return { kind: 'thisNetwork', network }
  const isPrivate = privateNetworks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  return { kind: isPrivate ? 'privateNetwork' : 'network', network }
}
