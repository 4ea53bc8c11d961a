import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBatches } from './read-batches.ts'

test('every row comes once and in order, up to the most, in batches of at most the size asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 9 }), fc.nat(50), async (count, batch, most) => {
      const all = Array.from({ length: count }, (_, at) => at)
      const read = async (limit: number, last = -1) => all.filter((row) => row > last).slice(0, limit)
      const batches: number[][] = []
      for await (const rows of readBatches(read, { batch, most })) batches.push(rows)
      expect(batches.flat()).toEqual(all.slice(0, most))
      for (const rows of batches) {
        expect(rows.length).toBeGreaterThan(0)
        expect(rows.length).toBeLessThanOrEqual(batch)
      }
    }),
  )
})
