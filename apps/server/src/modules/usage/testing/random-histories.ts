/** Lives of machines at random, and what they held: hour after hour, apart from the code. */
export const hour = 3_600_000
export const start = Date.UTC(2028, 0, 1)
/** Months of a leap year, from hour to hour. */
export const month = (index: number) => (Date.UTC(2028, index, 1) - start) / hour
const hoursOfYear = month(12)
/** So long a level is carried when nothing more is read (design/usage). */
const carriedHours = 48

/** Numbers from 0 on below `below`, the same ones for one seed. */
export function drawFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** A machine's readings: hour and bytes. It is up, silent or stopped in turn, and may be destroyed. */
export function liveOnce(draw: (below: number) => number): [number, number][] {
  const readings: [number, number][] = []
  let at = draw(hoursOfYear - 200)
  let bytes = draw(1_000_000_000)
  for (let turns = 1 + draw(4); turns > 0; turns -= 1) {
    const kind = draw(3)
    for (let hours = 1 + draw(kind === 1 ? 120 : 12); hours > 0; hours -= 1, at += 1) {
      if (kind === 0) bytes = draw(1_000_000_000)
      if (kind !== 1) readings.push([at, bytes])
    }
  }
  if (draw(2) === 0) readings.push([at, 0])
  return readings
}

/** Bytes times hours: paints hour after hour what is held, the next reading over the one before. */
export function paint(readings: readonly [number, number][], [from, to]: [number, number]): number {
  const [begin] = readings[0] ?? [0]
  const painted = new Float64Array((readings.at(-1)?.[0] ?? begin) - begin + carriedHours)
  for (const [at, bytes] of readings) painted.fill(bytes, at - begin, at - begin + carriedHours)
  return painted.subarray(Math.max(from - begin, 0), Math.max(to - begin, 0)).reduce((sum, bytes) => sum + bytes, 0)
}

export function shuffle<T>(items: T[], draw: (below: number) => number): T[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = draw(index + 1)
    ;[items[index], items[other]] = [items[other] as T, items[index] as T] // both are within
  }
  return items
}
