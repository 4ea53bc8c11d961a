import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextPart, nextReadAt, partsFor, type ReadPart, readBackAt, roundMs } from './read-back.ts'

const dayMs = 24 * 3600_000
const start = Date.parse('2028-06-01T00:00:00Z')

test('the age is that of the oldest part, whatever the parts were', () => {
  const part = fc.integer({ min: 1, max: 28 }).chain((parts) =>
    fc.record({
      parts: fc.constant(parts),
      part: fc.integer({ min: 1, max: parts }),
      at: fc.integer({ min: 0, max: 1e6 }).map((second) => new Date(start + second * 1000)),
    }),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 120 }), (reads) => {
      const shown = readBackAt(reads)
      // The expected result for each pack separately: by the first byte of its name, as restic selects them.
      const packs = Array.from({ length: 256 }, (_, byte) =>
        reads.filter(({ part: k, parts: n }) => byte % n === k - 1).map(({ at }) => at.getTime()),
      )
      if (packs.some((times) => times.length === 0)) expect(shown).toBeNull()
      else expect(shown?.getTime()).toBe(Math.min(...packs.map((times) => Math.max(...times))))
    }),
  )
})

test('all is read within 28 days and then again, while the repository grows and shrinks', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 100e9 }), { minLength: 3, maxLength: 3 })
  fc.assert(
    fc.property(sizes, (bytes) => {
      const reads: ReadPart[] = []
      for (let hour = 0; hour < 100 * 24; hour += 1) {
        const now = start + hour * 3600_000
        const parts = partsFor(bytes[Math.floor(hour / (34 * 24))] ?? 0)
        if (nextReadAt(reads, parts, new Date(start)).getTime() > now) continue
        reads.push({ part: nextPart(reads, parts), parts, at: new Date(now) })
      }
      expect(reads[0]?.at.getTime()).toBeLessThanOrEqual(start + dayMs)
      const ofLast = readBackAt(reads)?.getTime() ?? 0
      expect(start + 100 * dayMs - ofLast).toBeLessThanOrEqual(2 * roundMs)
    }),
    { numRuns: 15 },
  )
})

test('with one size it is never older than 30 days once it was read', () => {
  for (const bytes of [0, 3e9, 10e9, 1e12]) {
    const reads: ReadPart[] = []
    let oldest = 0
    for (let hour = 0; hour < 120 * 24; hour += 6) {
      const now = start + hour * 3600_000
      const parts = partsFor(bytes)
      if (nextReadAt(reads, parts, new Date(start)).getTime() <= now) {
        reads.push({ part: nextPart(reads, parts), parts, at: new Date(now) })
      }
      if (hour > 30 * 24) oldest = Math.max(oldest, now - (readBackAt(reads)?.getTime() ?? 0))
    }
    expect(oldest).toBeGreaterThan(20 * dayMs)
    expect(oldest).toBeLessThanOrEqual(30 * dayMs)
  }
})
