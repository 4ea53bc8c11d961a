import { divideHalfEven } from '@atoll/money'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { carriedMs, type HeldLevel, sumHeld } from './held-levels.ts'

const hour = 3_600_000
const start = Date.UTC(2028, 0, 1)
/** Months of a leap year, from hour to hour. */
const month = (index: number) => (Date.UTC(2028, index, 1) - start) / hour
const hoursOfYear = month(12)

/** Numbers from 0 on below `below`, the same ones for one seed. */
function drawFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** What a machine was read at: hour and bytes. It is up, silent or stopped in turn, and may be destroyed. */
function liveOnce(draw: (below: number) => number): [number, number][] {
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
function paint(readings: readonly [number, number][], [from, to]: [number, number]): number {
  const [begin] = readings[0] ?? [0]
  const painted = new Float64Array((readings.at(-1)?.[0] ?? begin) - begin + carriedMs / hour)
  for (const [at, bytes] of readings) painted.fill(bytes, at - begin, at - begin + carriedMs / hour)
  return painted.subarray(Math.max(from - begin, 0), Math.max(to - begin, 0)).reduce((sum, bytes) => sum + bytes, 0)
}

function shuffle<T>(items: T[], draw: (below: number) => number): T[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = draw(index + 1)
    ;[items[index], items[other]] = [items[other] as T, items[index] as T] // both are within
  }
  return items
}

describe('what was held', () => {
  test('by a hundred thousand lives is what an hour after the other says, in any order and however often it is said', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 11 }), (seed, index) => {
        const draw = drawFrom(seed)
        const span: [number, number] = [month(index), month(index + 1)]
        const levels: HeldLevel[] = []
        let painted = 0
        for (let life = 0; life < 500; life += 1) {
          const readings = liveOnce(draw)
          painted += paint(readings, span)
          for (const [at, bytes] of readings) {
            const id = levels.length
            levels.push({ id, series: `in_${life}`, clusterId: 'cl_a', at: start + at * hour, bytes: BigInt(bytes) })
          }
        }
        const repeated = levels.filter(() => draw(10) === 0)
        const [from, to] = [start + span[0] * hour, start + span[1] * hour]
        const expected = BigInt(painted) * BigInt(hour)
        expect(sumHeld(shuffle([...levels, ...repeated], draw), from, to).get('cl_a') ?? 0n).toBe(expected)
      }),
      { numRuns: 200 },
    )
  })

  test('of 200 GB all month is 200 GB-months, in the shortest and the longest month', () => {
    for (const index of [0, 1]) {
      const [from, to] = [start + month(index) * hour, start + month(index + 1) * hour]
      const levels = Array.from({ length: month(2) }, (_, at): HeldLevel => {
        return { id: at, series: 'in_a', clusterId: 'cl_a', at: start + at * hour, bytes: 200_000_000_000n }
      })
      const held = sumHeld(levels, from, to).get('cl_a') ?? 0n
      expect(divideHalfEven(held, 1000n * BigInt(to - from))).toBe(200_000_000n)
    }
  })

  test('is nothing 48 hours after the last word, and the later of two readings of one moment counts', () => {
    const level = (id: number, bytes: bigint): HeldLevel => ({
      id,
      series: 'in_a',
      clusterId: 'cl_a',
      at: start,
      bytes,
    })
    expect(sumHeld([level(2, 5n), level(1, 9n)], start, start + 100 * hour).get('cl_a')).toBe(5n * BigInt(48 * hour))
    expect(sumHeld([level(1, 9n)], start + 48 * hour, start + 100 * hour).size).toBe(0)
  })
})
