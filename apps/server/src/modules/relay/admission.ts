/** How many agents may dial this edge, and how often: asked before anything of a dial is looked up. */

/**
 * From one address, a minute: a house with many machines, or an office behind one address, after the server was away.
 */
const dialsPerMinute = 240
/** Connections held at a time: each costs some 100 KiB at rest. */
const mostConnections = 20_000
/** Addresses remembered; an attacker with more of them is one for a firewall. */
const mostAddresses = 50_000
const minuteMs = 60_000

/**
 * The function gives the HTTP status that a dial of `address` is refused with while `held` connections are open;
 * undefined: it may come.
 */
export function createAdmission(
  now: () => number = () => performance.now(),
): (address: string, held: number) => string | undefined {
  /** Dials by address since the minute began. */
  let counts = new Map<string, number>()
  let since = now()
  return (address, held) => {
    if (now() - since >= minuteMs || counts.size > mostAddresses) {
      counts = new Map()
      since = now()
    }
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    if (count > dialsPerMinute) return '429 Too Many Requests'
    return held >= mostConnections ? '503 Service Unavailable' : undefined
  }
}
