/**
 * Limits the concurrent requests of one visitor at one cluster. Each holds a connection to the instance, which has only
 * so many: without a limit one visitor could take them all.
 */
import { networkOf, visitorBits } from '../../../platform/network-of.ts'

/**
 * `most`: requests and upgraded connections, each visitor and cluster. The function notes one more of the visitor at
 * `address`; the caller calls what it gets at its end. Undefined: they have enough.
 */
export function createVisitorShares(most: number): (clusterId: string, address: string) => (() => void) | undefined {
  const counts = new Map<string, number>()
  return (clusterId, address) => {
    const key = `${clusterId} ${networkOf(address, visitorBits)}`
    const count = counts.get(key) ?? 0
    if (count >= most) return undefined
    counts.set(key, count + 1)
    return () => {
      const left = (counts.get(key) ?? 0) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
    }
  }
}
