/** Names of clusters: what may be one, and a good one to begin with. */

/** The rule of the server's `clusterNameMalformed`. */
const shape = /^[\p{L}\p{N}][\p{L}\p{N} -]{1,31}$/u

export type NameProblem = 'invalid' | 'taken'

/** What is wrong with `name` beside the names one has already; undefined: nothing. */
export function nameProblem(name: string, taken: readonly string[]): NameProblem | undefined {
  const trimmed = name.trim()
  if (!shape.test(trimmed)) return 'invalid'
  return taken.some((other) => other.toLowerCase() === trimmed.toLowerCase()) ? 'taken' : undefined
}

/** Atolls of the world. */
const atolls = [
  'Rangiroa',
  'Fakarava',
  'Tikehau',
  'Aitutaki',
  'Bikini',
  'Palmyra',
  'Tarawa',
  'Nukuoro',
  'Aldabra',
  'Makemo',
]

/** The first atoll that is not taken; after those, numbered ones. */
export function suggestName(taken: readonly string[]): string {
  const free = (name: string) => nameProblem(name, taken) === undefined
  for (let round = 1; ; round++) {
    const found = atolls.map((name) => (round === 1 ? name : `${name} ${round}`)).find(free)
    if (found) return found
  }
}
