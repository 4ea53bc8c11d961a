/**
 * How many answers over UDP a network gets: what a sender says of its address proves nothing, so answers are what
 * somebody else may be flooded with. Counted by network and by what the answer is made of, second by second; then
 * every second question is answered with "ask over TCP", where nobody can lie about an address, and the rest not.
 */
import { networkOf } from '../../../platform/network-of.ts'

export type Verdict = 'answer' | 'truncate' | 'drop'

/** The least that one customer of a network has (RFC 6177), or a small network of IPv4. */
const network = { ipv4: 24, ipv6: 56 } as const
const windowMs = 1000

/**
 * `most`: whole answers a second; 0: no limit. The function notes an answer to `address` made of `source` (see
 * `ZoneAnswer`) at `nowMs`, of any clock that only grows. Nothing is kept beyond the second.
 */
export function createRateLimit(most: number): (address: string, source: string, nowMs: number) => Verdict {
  let begin = Number.NEGATIVE_INFINITY
  let counts = new Map<string, number>()
  return (address, source, nowMs) => {
    if (most === 0) return 'answer'
    if (nowMs - begin >= windowMs) {
      begin = nowMs
      counts = new Map()
    }
    const key = `${networkOf(address, network)} ${source}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count <= most) return 'answer'
    return (count - most) % 2 === 1 ? 'truncate' : 'drop'
  }
}
