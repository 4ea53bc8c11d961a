import { expect, test } from 'vitest'
import { judgeDrill } from './judge-drill.ts'

const backed = { root: 'a'.repeat(64), files: 100, apart: 0 }
const truth = { root: backed.root, files: 100, warnings: 0 }

test('only an equal root of all files without a warning passes', () => {
  expect(judgeDrill(backed, truth)).toBeNull()
  expect(judgeDrill({ ...backed, apart: 5 }, truth)).toBeNull()
  expect(judgeDrill(backed, { ...truth, root: 'b'.repeat(64) })).toBe('drillDiffers')
  expect(judgeDrill(backed, { ...truth, root: null })).toBe('drillDiffers')
  expect(judgeDrill(backed, { ...truth, files: 99 })).toBe('drillDiffers')
  expect(judgeDrill(backed, { ...truth, warnings: 1 })).toBe('drillWarned')
  expect(judgeDrill({ ...backed, apart: 6 }, truth)).toBe('drillChanged')
  // Nothing equals nothing: that is no proof.
  expect(judgeDrill({ ...backed, files: 0 }, { ...truth, files: 0 })).toBe('drillNothing')
})
