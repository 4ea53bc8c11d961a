/**
 * Vitest setup file: how fast-check draws cases. The quick tier draws the same ones in each run, so that its failures
 * are those of the change before it; the deep tier draws others each time. In CI a failing property names its seed at
 * once: shrinking a case that works on a database takes longer than a test may, and the seed shrinks it elsewhere.
 */
import { configureGlobal } from 'fast-check'

configureGlobal({
  endOnFailure: process.env['CI'] === 'true',
  ...(process.env['ATOLL_TEST_TIER'] === 'quick' && { seed: 20_261_128 }),
})
