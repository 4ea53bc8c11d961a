/**
 * Tests are in three tiers: `npm test` runs `quick`, all that a change can break; `npm run test:deep` runs `deep`, what
 * is slow and rarely fails: crash matrices, soaks, oracles, other browsers, LXD, machines of their own;
 * `npm run test:whole` runs `whole`, what repeats such proofs for every page, language and version, before a release.
 * A file with `.deep.` or `.whole.` in its name is of that tier, `x.deep.test.ts` as well as
 * `x.deep.integration.test.ts`. This is the only place that says so.
 */
export const tiers = ['quick', 'deep', 'whole'] as const
export type Tier = (typeof tiers)[number]

/** Names the tier for a process of Vitest; where it is not set, as when Vitest is started directly, all are run. */
export const tierVariable = 'ATOLL_TEST_TIER'

const slowFiles = ['**/*.deep.*', '**/*.whole.*']

/**
 * File patterns of a tier for Vitest, from the files that `include` (patterns whose last part begins with `*.`) names
 * and `exclude` does not; without a tier, all of them.
 */
export function filesOfTier(tier: Tier | undefined, include: readonly string[], exclude: readonly string[]) {
  const isSlow = tier === 'deep' || tier === 'whole'
  return {
    include: isSlow ? include.map((pattern) => pattern.replace('/*.', `/*.${tier}{,.*}.`)) : [...include],
    exclude: tier === 'quick' ? [...exclude, ...slowFiles] : [...exclude],
  }
}

/** The tier that the environment names. Throws when it names something else. */
export function tierOf(environment: Readonly<Record<string, string | undefined>>): Tier | undefined {
  const named = environment[tierVariable]
  const tier = tiers.find((one) => one === named)
  if (named !== undefined && tier === undefined) throw new Error(`${tierVariable} is ${named}: ${tiers.join(', ')}`)
  return tier
}
