/** Lives of an account at random, three years long: what people, banks and meters do, as JSON. */
import type { MeteredProduct } from '@atoll/contract/billing'
import { addMonths, type Zone, zones } from '@atoll/money'
import * as fc from 'fast-check'

export type LifeAction =
  /** A new cluster, or workers for the one of that number that still stands. */
  | { do: 'order'; cluster: number | null; prices: number[] }
  | { do: 'destroy'; cluster: number; instance: number | null; hasRun: boolean }
  | { do: 'plan'; level: number }
  /** How each card is answered from then on; none: there is no card. */
  | { do: 'card'; card: 'pay' | 'decline' | 'none' }
  /** All that is owed, the oldest first. */
  | { do: 'pay' }
  | { do: 'coupon'; coupon: DrawnCoupon }
  | { do: 'credit'; minor: number }
  | { do: 'grant'; minor: number; days: number | null }
  /** The meters learn of it so many hours later, and hours after that of a part that was not. */
  | { do: 'use'; product: MeteredProduct; gb: number; lateHours: number; fall: { share: number; hours: number } | null }
  | { do: 'cap'; minor: number | null }

export interface DrawnCoupon {
  percentOff: number | null
  amountOff: number | null
  duration: 'once' | 'forever' | 'repeating'
  months: number
  appliesTo: ('instance' | 'plan' | 'usage')[]
}

export interface Life {
  zone: Zone
  start: string
  until: string
  /** In their order. */
  actions: (LifeAction & { at: string })[]
}

const months = 36
const anyPrice = fc.oneof(fc.constantFrom(1, 25, 99, 333, 720, 1440), fc.integer({ min: 1, max: 20_000 }))
const anyPrices = fc.array(anyPrice, { minLength: 1, maxLength: 3 })
const anyCoupon: fc.Arbitrary<DrawnCoupon> = fc
  .record({
    percentOff: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 }),
    amountOff: fc.integer({ min: 1, max: 3000 }),
    duration: fc.constantFrom('once', 'forever', 'repeating'),
    months: fc.integer({ min: 1, max: 14 }),
    appliesTo: fc.subarray(['instance', 'plan', 'usage'] as const, { minLength: 1 }),
  })
  .map((coupon) => ({ ...coupon, amountOff: coupon.percentOff === null ? coupon.amountOff : null }))

const clusterNumber = fc.integer({ min: 0, max: 3 })
const does = <const Name extends LifeAction['do']>(name: Name) => fc.constant(name)
const anyAction: fc.Arbitrary<LifeAction> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: does('order'), cluster: fc.constant(null), prices: anyPrices }) },
  { weight: 4, arbitrary: fc.record({ do: does('order'), cluster: clusterNumber, prices: anyPrices }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: does('destroy'),
      cluster: clusterNumber,
      instance: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 4 }),
      hasRun: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: does('plan'), level: fc.integer({ min: 0, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: does('card'), card: fc.constantFrom('decline', 'none') }) },
  { weight: 4, arbitrary: fc.record({ do: does('card'), card: fc.constant('pay') }) },
  { weight: 3, arbitrary: fc.record({ do: does('pay') }) },
  { weight: 2, arbitrary: fc.record({ do: does('coupon'), coupon: anyCoupon }) },
  { weight: 2, arbitrary: fc.record({ do: does('credit'), minor: fc.integer({ min: 1, max: 6000 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: does('grant'),
      minor: fc.integer({ min: 1, max: 4000 }),
      days: fc.option(fc.integer({ min: 1, max: 200 }), { freq: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: does('use'),
      product: fc.constantFrom('cloud_traffic', 'cloud_storage'),
      gb: fc.integer({ min: 1, max: 8000 }).map((quarters) => quarters / 4),
      lateHours: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 }), fc.integer({ min: 900, max: 2600 })),
      fall: fc.option(fc.record({ share: fc.constantFrom(0.25, 0.5, 1), hours: fc.integer({ min: 1, max: 2400 }) })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does('cap'), minor: fc.option(fc.integer({ min: 0, max: 3000 })) }) },
)

/** Month ends, and a leap year within the three. */
const anyStart = fc.oneof(
  fc.constantFrom('2027-01-31T12:00:00.000Z', '2026-08-31T16:30:00.000Z', '2027-12-30T23:59:59.000Z'),
  fc
    .date({ min: new Date('2026-01-01Z'), max: new Date('2028-01-01Z'), noInvalidDate: true })
    .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString()),
)

/** Anywhere, and more often within half a day of where periods of the first order end. */
function anyInstant(start: Date, zone: Zone): fc.Arbitrary<Date> {
  const length = (addMonths(start, months, zone).getTime() - start.getTime()) / 1000
  const after = (from: Date, second: number) => new Date(Math.max(start.getTime(), from.getTime() + second * 1000))
  return fc.oneof(
    fc.integer({ min: 0, max: length - 1 }).map((second) => after(start, second)),
    fc
      .tuple(fc.integer({ min: 0, max: months - 1 }), fc.integer({ min: -43_200, max: 43_200 }))
      .map(([month, second]) => after(addMonths(start, month, zone), second)),
  )
}

export const anyLife: fc.Arbitrary<Life> = fc
  .record({ zone: fc.constantFrom(...zones), start: anyStart, prices: anyPrices })
  .chain(({ zone, start, prices }) => {
    const from = new Date(start)
    const timed = fc
      .tuple(anyInstant(from, zone), anyAction)
      .map(([at, action]) => ({ at: at.toISOString(), ...action }))
    return fc.array(timed, { minLength: 10, maxLength: 60, size: 'max' }).map((actions) => ({
      zone,
      start,
      until: addMonths(from, months, zone).toISOString(),
      actions: [
        { at: start, do: 'order' as const, cluster: null, prices },
        ...actions.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))),
      ],
    }))
  })
