/**
 * Which part of a repository is read back next, and how old the proof is. restic's `--read-data-subset=k/n` reads the
 * packs whose first byte leaves k - 1 when divided by n. The first byte of a pack therefore tells whether it was read,
 * for any n.
 */

/** Part `part` of `parts`; `at`: when reading it began. */
export interface ReadPart {
  part: number
  parts: number
  at: Date
}

const firstBytes = 256
/** Everything is read within this time: two days less than the promised 30, for machines that are away. ms */
export const roundMs = 28 * 24 * 3600_000
const mostParts = 28
/** Bytes that one task reads, about; more where a repository is so large that the days do not suffice. */
const partBytes = 2e9

/** In how many parts a repository of so many bytes is read: at most one a day. */
export function partsFor(bytes: number): number {
  return Math.min(mostParts, Math.max(1, Math.ceil(bytes / partBytes)))
}

/** Of each first byte, when it was last read; undefined: never. */
function readTimes(reads: readonly ReadPart[]): (Date | undefined)[] {
  return Array.from({ length: firstBytes }, (_, byte) => {
    const times = reads.filter(({ part, parts }) => byte % parts === part - 1).map(({ at }) => at.getTime())
    return times.length > 0 ? new Date(Math.max(...times)) : undefined
  })
}

/** Everything has been read since then: the age of the oldest part. Null while a part was never read. */
export function readBackAt(reads: readonly ReadPart[]): Date | null {
  const times = readTimes(reads).map((at) => at?.getTime() ?? Number.NEGATIVE_INFINITY)
  const oldest = Math.min(...times)
  return Number.isFinite(oldest) ? new Date(oldest) : null
}

/** The part of `parts` that holds what was read the longest ago, or never. */
export function nextPart(reads: readonly ReadPart[], parts: number): number {
  const times = readTimes(reads).map((at) => at?.getTime() ?? Number.NEGATIVE_INFINITY)
  return (times.indexOf(Math.min(...times)) % parts) + 1
}

/** When the next part is due; `since`: when the first run was completed, a day after which reading begins. */
export function nextReadAt(reads: readonly ReadPart[], parts: number, since: Date): Date {
  const last = Math.max(...reads.map(({ at }) => at.getTime()))
  const stepMs = roundMs / parts
  return new Date(Number.isFinite(last) ? last + stepMs : since.getTime() + Math.min(stepMs, roundMs / mostParts))
}
