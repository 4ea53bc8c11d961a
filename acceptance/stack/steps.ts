import { it } from 'vitest'

/** Steps that build on one another: those after a failed one would only wait for what it did not do. */
export function inSteps() {
  let failed: string | undefined
  return (name: string, walk: () => Promise<void>) =>
    it(name, { concurrent: false }, async ({ skip }) => {
      // Its own second try is one.
      if (failed !== undefined && failed !== name) skip('an earlier step failed')
      failed = name
      await walk()
      failed = undefined
    })
}
