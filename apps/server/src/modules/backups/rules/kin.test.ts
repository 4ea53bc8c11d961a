import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kinOf, kinOfCluster, type Lineage } from './kin.ts'

const clusters = ['a', 'b', 'c', 'd', 'e', 'f']
const some = fc.subarray(clusters)
const lineages: fc.Arbitrary<Lineage[]> = fc.array(
  fc.record({ sources: fc.subarray(clusters, { minLength: 1 }), made: some }),
  { maxLength: 5 },
)

test('in the way is exactly what shares a backup with a cluster, never itself nor a stranger, and it is mutual', () => {
  fc.assert(
    fc.property(lineages, fc.constantFrom(...clusters), (given, id) => {
      const kin = kinOfCluster(given, id)
      expect(new Set(kin).size).toBe(kin.length)
      for (const other of clusters) {
        const shares = given.some(({ sources, made }) => {
          const members = [...sources, ...made]
          return members.includes(id) && members.includes(other)
        })
        expect(kin.includes(other)).toBe(shares && other !== id)
        expect(kinOfCluster(given, other).includes(id)).toBe(kin.includes(other))
      }
    }),
  )
})

test('of one backup it is its own cluster and those made of it, however often it moved', () => {
  const lineage = { sources: ['now', 'before'], made: ['now', 'other'] }
  expect(kinOf(lineage, undefined)).toEqual(['now', 'before', 'other'])
  expect(kinOf(lineage, 'now')).toEqual(['before', 'other'])
})
