import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { raisesOvercommit } from './apply-catalog.ts'
import type { Overcommit } from './catalog.ts'
import { parseCatalog } from './catalog-file.ts'

const shipped = readFileSync(new URL('../../../../../catalog.yaml', import.meta.url), 'utf8')
const [cloud] = parseCatalog(shipped, 'catalog.yaml').clouds
const factors = { cpu: 4, memory: 1, disk: 1.5 }

/** The first cloud with these regions and their limits. */
function selling(regions: Record<string, Overcommit | undefined>) {
  if (!cloud?.regions[0]) throw new Error('The catalogue of the project has no region')
  const [usual] = cloud.regions
  const made = Object.entries(regions).map(([regionId, overcommit]) => ({ ...usual, regionId, overcommit }))
  return { clouds: [{ ...cloud, regions: made }] }
}

test.each([
  ['the limits as before', { a: factors }, false],
  ['a lower limit', { a: { ...factors, cpu: 3 } }, false],
  ['more of one resource', { a: { ...factors, disk: 2 } }, true],
  ['no limit any longer', { a: undefined }, true],
  ['the same machines under another name, with the same limits', { b: factors }, false],
  ['the same machines under another name, with more', { b: { ...factors, memory: 1.2 } }, true],
  ['a new region without a limit', { a: factors, b: undefined }, true],
] as const)('a catalogue with %s is compared with the limits in use', (_, after, expected) => {
  expect(raisesOvercommit(selling({ a: factors }), selling(after))).toBe(expected)
})

test('without limits in use there is nothing to raise', () => {
  expect(raisesOvercommit(selling({ a: undefined }), selling({ a: factors, b: undefined }))).toBe(false)
})
