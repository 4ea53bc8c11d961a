import { clusterNamePattern } from '@atoll/contract/wire'

export type NameProblem = 'invalid' | 'taken'

/** The fault of `name` beside the names one has already; undefined: none. */
export function nameProblem(name: string, taken: readonly string[]): NameProblem | undefined {
  const trimmed = name.trim()
  if (!clusterNamePattern.test(trimmed)) return 'invalid'
  return taken.some((other) => other.toLowerCase() === trimmed.toLowerCase()) ? 'taken' : undefined
}
