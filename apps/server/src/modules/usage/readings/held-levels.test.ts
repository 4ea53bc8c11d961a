import { divideHalfEven } from '@atoll/money'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawFrom, hour, liveOnce, month, paint, shuffle, start } from '../testing/random-histories.ts'
import { type HeldLevel, sumHeld } from './held-levels.ts'

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
