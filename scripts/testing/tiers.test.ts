import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../project.ts'
import { filesOfTier, tierOf, tiers } from './tiers.ts'

const tests = ['{packages,apps,scripts}/**/*.test.{ts,tsx}', 'acceptance/**/*.test.ts']
const ignored = ['**/node_modules/**', '**/dist/**']

/** The files of a tier, as Vitest looks for them. */
function listFiles(tier: (typeof tiers)[number] | undefined): string[] {
  const { include, exclude } = filesOfTier(tier, tests, ignored)
  return globSync(include, { cwd: projectRoot, exclude }).toSorted()
}

describe('the two tiers of tests', () => {
  it('hold every test file of this project between them, each file once', () => {
    const [quick, deep] = [listFiles('quick'), listFiles('deep')]
    expect([...quick, ...deep].toSorted()).toEqual(listFiles(undefined))
    expect(deep.length).toBeGreaterThan(0)
  })

  it('are told apart by the name of the file alone', () => {
    for (const tier of tiers)
      for (const file of listFiles(tier)) expect([file, file.includes('.deep.')]).toEqual([file, tier === 'deep'])
  })

  it('are named by the environment, and a name that is neither is refused', () => {
    expect([tierOf({}), tierOf({ ATOLL_TEST_TIER: 'quick' }), tierOf({ ATOLL_TEST_TIER: 'deep' })]).toEqual([
      undefined,
      'quick',
      'deep',
    ])
    expect(() => tierOf({ ATOLL_TEST_TIER: 'slow' })).toThrow('ATOLL_TEST_TIER is slow: quick or deep')
  })
})
