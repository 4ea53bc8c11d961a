export const createSteps = ['flavour', 'hardware', 'version', 'review'] as const
export type CreateStep = (typeof createSteps)[number]

/** What was chosen so far; it lives in the address, so that back, reload and a link keep it. */
export interface CreateSearch {
  step?: CreateStep
  cloud?: string
  region?: string
  offering?: string
  version?: string
  name?: string
}

const fields = ['cloud', 'region', 'offering', 'version', 'name'] as const

/** Reads the search of `/create`; what is unknown or too long is dropped. */
export function createSearch(search: Record<string, unknown>): CreateSearch {
  const chosen: CreateSearch = {}
  const step = createSteps.find((known) => known === search.step)
  if (step) chosen.step = step
  for (const field of fields) {
    const value = search[field]
    // The router reads a name such as 2026 as a number.
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text !== '' && text.length <= 64) chosen[field] = text
  }
  return chosen
}
