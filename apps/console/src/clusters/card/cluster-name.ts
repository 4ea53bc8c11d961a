import { clusterNamePattern } from '@atoll/contract/wire'

/** Names of clusters: what may be one, and a good one to begin with. */

export type NameProblem = 'invalid' | 'taken'

/** What is wrong with `name` beside the names one has already; undefined: nothing. */
export function nameProblem(name: string, taken: readonly string[]): NameProblem | undefined {
  const trimmed = name.trim()
  if (!clusterNamePattern.test(trimmed)) return 'invalid'
  return taken.some((other) => other.toLowerCase() === trimmed.toLowerCase()) ? 'taken' : undefined
}

/** Atolls of the world. */
const atolls = ['Rangiroa', 'Fakarava', 'Aitutaki', 'Tikehau', 'Majuro', 'Funafuti', 'Palmyra', 'Aldabra']

/** The first atoll that is not taken; after those, numbered ones. */
export function suggestName(taken: readonly string[]): string {
  const free = (name: string) => nameProblem(name, taken) === undefined
  for (let round = 1; ; round++) {
    const found = atolls.map((name) => (round === 1 ? name : `${name} ${round}`)).find(free)
    if (found) return found
  }
}
