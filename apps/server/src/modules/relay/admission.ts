/** How many agents may dial this edge, and how often: asked before anything of a dial is looked up. */
import { rates } from '@atoll/contract/wire'
import { sha256Hex } from '../../platform/crypto.ts'
import { networkOf, visitorBits } from '../../platform/network-of.ts'
import { createRateCounter } from '../../platform/rates/index.ts'

/**
 * From one network, a minute: a house with many machines, or an office behind one address, after the server was away.
 */
const dialsPerMinute = 240
/** Of one agent, by the token that it shows: after a cut it dials again at growing intervals. */
const dialsPerAgent = rates.dial.account
/** Connections held at a time: each costs some 100 KiB at rest. */
const mostConnections = 20_000

/** A dial, as it is known before anything is looked up. */
export interface Dial {
  address: string
  /** The header by which an agent proves itself. */
  authorization: string | undefined
}

/**
 * The function gives the HTTP status that a dial is refused with while `held` connections are open; undefined: it may
 * come. `now`: ms of a steady clock.
 */
export function createAdmission(now?: () => number): (dial: Dial, held: number) => string | undefined {
  const networks = createRateCounter(now)
  const agents = createRateCounter(now)
  return ({ address, authorization = '' }, held) => {
    const isAllowed =
      networks.take(networkOf(address, visitorBits), dialsPerMinute).isAllowed &&
      agents.take(sha256Hex(authorization), dialsPerAgent).isAllowed
    if (!isAllowed) return '429 Too Many Requests'
    return held >= mostConnections ? '503 Service Unavailable' : undefined
  }
}
