import { BlockList, isIPv6 } from 'node:net'
import { plainAddress } from '@atoll/contract/network-of'

export { type NetworkBits, networkOf, plainAddress, visitorBits } from '@atoll/contract/network-of'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a host name or an address, in brackets or not, is this machine's own. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  const plain = plainAddress(host.replace(/^\[|\]$/g, ''))
  return loopback.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
