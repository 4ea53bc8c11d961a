/**
 * How many requests of one visitor are under way at one cluster. What is held is a connection to the instance, and
 * each instance has only so many: without a bound one visitor could take them all.
 */
import { isIPv6 } from 'node:net'

export interface VisitorShares {
  /**
   * Notes one more of the visitor at `address`; the caller calls what it gets at its end. Undefined: they have enough.
   */
  begin(clusterId: string, address: string): (() => void) | undefined
}

/** `most`: requests and upgraded connections, each visitor and cluster. */
export function createVisitorShares(most: number): VisitorShares {
  const counts = new Map<string, number>()
  return {
    begin(clusterId, address) {
      const key = `${clusterId} ${networkOf(address)}`
      const count = counts.get(key) ?? 0
      if (count >= most) return undefined
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 0) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}

/** What one visitor has: an address of IPv4, or the 64 bits of IPv6 that a household gets at least (RFC 6177). */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
