import { networkOf, visitorBits } from '../../../platform/network-of.ts'
import { createRateCounter } from '../../../platform/rates/index.ts'

/** Requests a minute of one network, of all clusters: a page with a thousand parts is loaded every two seconds. */
const mostPerNetwork = 30_000

/**
 * Counts a request of the visitor at `address`; false: their network has made too many. `factor` times as many count.
 */
export function createVisitorRate(factor: number): (address: string) => boolean {
  const counter = createRateCounter()
  return (address) => counter.take(networkOf(address, visitorBits), mostPerNetwork * factor).isAllowed
}
