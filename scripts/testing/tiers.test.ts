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

describe('the tiers of tests', () => {
  it('hold every test file of this project between them, each file once', () => {
    const each = tiers.map(listFiles)
    expect(each.flat().toSorted()).toEqual(listFiles(undefined))
    for (const files of each) expect(files.length).toBeGreaterThan(0)
  })

  it('are told apart by the name of the file alone', () => {
    for (const tier of tiers)
      for (const file of listFiles(tier))
        expect([file, /\.(deep|whole)\./.exec(file)?.[1] ?? 'quick']).toEqual([file, tier])
  })

  it('are named by the environment, and another name is refused', () => {
    expect(tierOf({})).toBeUndefined()
    for (const tier of tiers) expect(tierOf({ ATOLL_TEST_TIER: tier })).toBe(tier)
    expect(() => tierOf({ ATOLL_TEST_TIER: 'slow' })).toThrow('ATOLL_TEST_TIER is slow: quick, deep, whole')
  })
})
