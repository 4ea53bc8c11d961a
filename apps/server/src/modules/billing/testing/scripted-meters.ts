import type { MeteredProduct } from '@atoll/contract/billing'
import type { MeterCuts, Meters } from '../index.ts'

/** An amount that flowed at an instant, and the time since when the meters know of it. */
interface Flow {
  product: MeteredProduct
  at: Date
  gb: number
  knownAt: Date
  clusterId: string
}

const microsOf = ({ gb }: Flow) => BigInt(Math.round(gb * 1_000_000))
const sumOf = (flows: readonly Flow[]) => flows.reduce((sum, flow) => sum + microsOf(flow), 0n)

/** Meters that return what a test sets, when it sets it; of what is stored, `gb` is the mean of any span. */
export function scriptedMeters(clock: { now(): Date }) {
  const flows: Flow[] = []
  let silentUntil = new Date(0)
  const meters: Meters = {
    async read(_, { productType, from, to }) {
      const known = flows.filter(
        ({ product, at, knownAt }) => product === productType && at >= from && at < to && knownAt <= clock.now(),
      )
      const used = sumOf(known)
      const complete = clock.now() >= silentUntil
      const own = [...Map.groupBy(known, ({ clusterId }) => clusterId)]
      const parts = own.map(([clusterId, some]) => ({ clusterId, used: sumOf(some) }))
      return { used, unitLabel: 'GB', asOf: to, complete, parts, digest: 'd' }
    },
  }
  const cuts: MeterCuts = {
    async readCuts(_, { productType, cuts: times, knownBy = clock.now() }) {
      return times.slice(0, -1).flatMap((from, cut) => {
        const to = times[cut + 1] ?? from
        const within = flows.filter(
          ({ product, at, knownAt }) => product === productType && at >= from && at < to && knownAt <= knownBy,
        )
        const own = [...Map.groupBy(within, ({ clusterId }) => clusterId)]
        return own.map(([clusterId, some]) => ({ cut, clusterId, used: sumOf(some) }))
      })
    },
  }
  return {
    meters,
    /** The dependencies for `openDesk`. */
    given: { meters, cuts },
    flow: (product: MeteredProduct, at: Date, gb: number, knownAt = at, clusterId = 'cl_a') =>
      flows.push({ product, at, gb, knownAt, clusterId }),
    /** They do not speak for whole spans until then. */
    beSilentUntil: (at: Date) => {
      silentUntil = at
    },
  }
}
