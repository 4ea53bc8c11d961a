/** A level of a series: bytes held from a time on. */
export interface HeldLevel {
  /** Orders readings of one moment: the later one counts. */
  id: number
  series: string
  clusterId: string
  /** ms */
  at: number
  bytes: bigint
}

/**
 * How long a level is taken to hold when nothing more is read, ms; after that nothing is known, and nothing charged.
 */
export const carriedMs = 48 * 60 * 60_000

/**
 * Bytes held by each cluster from `from` to `to` (ms), in bytes times milliseconds; exact, and independent of the order
 * of the levels.
 */
export function sumHeld(levels: readonly HeldLevel[], from: number, to: number): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const series of Map.groupBy(levels, (level) => level.series).values()) {
    series.sort((a, b) => a.at - b.at || a.id - b.id)
    for (const [index, { clusterId, at, bytes }] of series.entries()) {
      const end = Math.min(at + carriedMs, to, series[index + 1]?.at ?? to)
      const start = Math.max(at, from)
      if (end > start) sums.set(clusterId, (sums.get(clusterId) ?? 0n) + bytes * BigInt(end - start))
    }
  }
  return sums
}
