import { BlockList, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a host name or an address, in brackets or not, is this machine's own. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  const plain = plainAddress(host.replace(/^\[|\]$/g, ''))
  return loopback.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

/** An address of IPv4 that is written as one of IPv6, as it arrives over such a socket, counts as what it is. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}

/** How much of an address names the network: bits, for IPv4 whole bytes. */
export interface NetworkBits {
  ipv4: 24 | 32
  ipv6: number
}

/**
 * The network that an address is in, such as `2001:db8:1:2::/64`: what counts as one visitor; without the zeros
 * that end it, as `2001:db8::/48`.
 */
export function networkOf(address: string, bits: NetworkBits): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return bits.ipv4 === 24 ? `${plain.slice(0, plain.lastIndexOf('.'))}.0/24` : plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  const kept = groups.slice(0, Math.ceil(bits.ipv6 / 16)).map((group, index) => {
    const dropped = Math.max(0, 16 * (index + 1) - bits.ipv6)
    return ((Number.parseInt(group, 16) >> dropped) << dropped).toString(16)
  })
  while (kept.at(-1) === '0') kept.pop()
  return `${kept.join(':')}::/${bits.ipv6}`
}
