/** Networks of addresses: who counts as one visitor, at the edge as at a personal server. */

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
 * The prefix that counts as one visitor: an IPv4 address, or the 64 bits of IPv6 that a household gets at least (RFC
 * 6177).
 */
export const visitorBits = { ipv4: 32, ipv6: 64 } as const satisfies NetworkBits

/**
 * The network that an address is in, such as `2001:db8:1:2::/64`: what counts as one visitor; without the zeros
 * that end it, as `2001:db8::/48`.
 */
export function networkOf(address: string, bits: NetworkBits): string {
  const plain = plainAddress(address)
  if (!plain.includes(':')) return bits.ipv4 === 24 ? `${plain.slice(0, plain.lastIndexOf('.'))}.0/24` : plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  const kept = groups.slice(0, Math.ceil(bits.ipv6 / 16)).map((group, index) => {
    const dropped = Math.max(0, 16 * (index + 1) - bits.ipv6)
    return ((Number.parseInt(group, 16) >> dropped) << dropped).toString(16)
  })
  while (kept.at(-1) === '0') kept.pop()
  return `${kept.join(':')}::/${bits.ipv6}`
}
