import type { MeteredProduct } from '@atoll/contract/billing'
import type { Meters } from '../index.ts'

/** What flowed at an instant, and since when the meters know of it. */
interface Flow {
  product: MeteredProduct
  at: Date
  gb: number
  knownAt: Date
}

/** Meters that return what a test sets, when it sets it; of what is stored, `gb` is the mean of any span. */
export function scriptedMeters(clock: { now(): Date }) {
  const flows: Flow[] = []
  let silentUntil = new Date(0)
  const meters: Meters = {
    async read(_, { productType, from, to }) {
      const known = flows.filter(
        ({ product, at, knownAt }) => product === productType && at >= from && at < to && knownAt <= clock.now(),
      )
      const used = known.reduce((sum, { gb }) => sum + BigInt(Math.round(gb * 1_000_000)), 0n)
      const complete = clock.now() >= silentUntil
      return { used, unitLabel: 'GB', asOf: to, complete, parts: [{ clusterId: 'cl_a', used }], digest: 'd' }
    },
  }
  return {
    meters,
    flow: (product: MeteredProduct, at: Date, gb: number, knownAt = at) => flows.push({ product, at, gb, knownAt }),
    /** They do not speak for whole spans until then. */
    beSilentUntil: (at: Date) => {
      silentUntil = at
    },
  }
}
