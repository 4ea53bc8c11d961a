/** The reason why a statement does not hold, in words for the person who checks it. */
export class BadStatement extends Error {}

export function requireThat(holds: boolean, problem: () => string): asserts holds {
  if (!holds) throw new BadStatement(problem())
}

/** A whole number that is exact. */
export function requireWhole(value: unknown, what: string): asserts value is number {
  requireThat(Number.isSafeInteger(value), () => `${what} is no whole number.`)
}
