import { it } from 'vitest'

/** Steps that build on one another: those after a failed one would only wait for what it did not do. */
export function inSteps() {
  let hasFailed = false
  return (name: string, walk: () => Promise<void>) =>
    it(name, { concurrent: false }, async ({ skip }) => {
      if (hasFailed) skip('an earlier step failed')
      hasFailed = true
      await walk()
      hasFailed = false
    })
}
