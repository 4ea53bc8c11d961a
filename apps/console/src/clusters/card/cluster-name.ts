import { clusterNamePattern } from '@atoll/contract/wire'

export type NameProblem = 'invalid' | 'taken'

/** What is wrong with `name` beside the names one has already; undefined: nothing. */
export function nameProblem(name: string, taken: readonly string[]): NameProblem | undefined {
  const trimmed = name.trim()
  if (!clusterNamePattern.test(trimmed)) return 'invalid'
  return taken.some((other) => other.toLowerCase() === trimmed.toLowerCase()) ? 'taken' : undefined
}
