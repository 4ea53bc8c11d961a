/** How many agents may dial this edge, and how often: asked before anything of a dial is looked up. */
import { networkOf, visitorBits } from '../../platform/network-of.ts'
import { createRateCounter } from '../../platform/rates/index.ts'

/**
 * From one network, a minute: a house with many machines, or an office behind one address, after the server was away.
 */
const dialsPerMinute = 240
/** Connections held at a time: each costs some 100 KiB at rest. */
const mostConnections = 20_000

/**
 * The function gives the HTTP status that a dial of `address` is refused with while `held` connections are open;
 * undefined: it may come. `now`: ms of a steady clock.
 */
export function createAdmission(now?: () => number): (address: string, held: number) => string | undefined {
  const counter = createRateCounter(now)
  return (address, held) => {
    if (!counter.take(networkOf(address, visitorBits), dialsPerMinute).isAllowed) return '429 Too Many Requests'
    return held >= mostConnections ? '503 Service Unavailable' : undefined
  }
}
