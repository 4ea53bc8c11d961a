/**
 * Tests are in two tiers: `npm test` runs `quick`, all that a change can break; `npm run test:deep` runs `deep`, what
 * is slow and rarely fails: crash matrices, soaks, oracles, other browsers, LXD, machines of their own. A file with
 * `.deep.` in its name is deep, `x.deep.test.ts` as well as `x.deep.integration.test.ts`. This is the only place that
 * says so.
 */
export const tiers = ['quick', 'deep'] as const
export type Tier = (typeof tiers)[number]

/** Names the tier for a process of Vitest; where it is not set, as when Vitest is started directly, both are run. */
export const tierVariable = 'ATOLL_TEST_TIER'

const deepFiles = '**/*.deep.*'

/**
 * File patterns of a tier for Vitest, from the files that `include` (patterns whose last part begins with `*.`) names
 * and `exclude` does not; without a tier, all of them.
 */
export function filesOfTier(tier: Tier | undefined, include: readonly string[], exclude: readonly string[]) {
  return {
    include: tier === 'deep' ? include.map((pattern) => pattern.replace('/*.', '/*.deep{,.*}.')) : [...include],
    exclude: tier === 'quick' ? [...exclude, deepFiles] : [...exclude],
  }
}

/** The tier that the environment names. Throws when it names something else. */
export function tierOf(environment: Readonly<Record<string, string | undefined>>): Tier | undefined {
  const named = environment[tierVariable]
  const tier = tiers.find((one) => one === named)
  if (named !== undefined && tier === undefined) throw new Error(`${tierVariable} is ${named}: ${tiers.join(' or ')}`)
  return tier
}
