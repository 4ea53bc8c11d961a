import { BlockList, isIPv6 } from 'node:net'
import type { DnsServerAddress } from './dns-client.ts'

/** Networks that are nobody's in the world's DNS (RFC 6890). */
const own = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  own.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  own.addSubnet(network, bits, 'ipv6')

const isOwn = (address: string) => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/**
 * Whether a server whose address a customer's DNS gave may be asked: nobody is to make this machine send to its own
 * network. Where the resolvers are in one, so is all of DNS (a laboratory, a company's own).
 */
export function mayBeAsked(address: string, resolvers: readonly DnsServerAddress[]): boolean {
  return !isOwn(address) || resolvers.some((resolver) => isOwn(resolver.address))
}
