/** Baskets at random, for properties and for the oracle; as facts in JSON, from which both sides make theirs. */
import { type Money, money, type Period, parseRate, periodAt, type Zone, zones } from '@atoll/money'
import * as fc from 'fast-check'
import type { BasketFacts, BasketItem, CouponFacts } from '../pricing/basket.ts'

interface DrawnPart {
  /** Seconds from the period's start. */
  from: number
  to: number
  used: string
  quota: string
  /** Major units. */
  rate: string | null
}
type DrawnItem = { sub: string; anchor: string; month: number } & (
  | { kind: 'instance'; price: number }
  | { kind: 'plan'; price: number; instead: number | null }
  | { kind: 'usage'; measure: 'flow' | 'stock'; parts: DrawnPart[]; charged: number | null; cap: number | null }
)
interface DrawnCoupon {
  code: string
  percentOff: number | null
  amountOff: number | null
  appliesTo: BasketItem['kind'][]
  endsAt: string | null
  isOnce: boolean
  months: number | null
  begins: { sub: string; from: string } | null
  boundTo: string | null
  takes: { sub: string; starts: string; ends: string; minor: number }[]
}

/** Plain JSON: what the oracle reads. */
export interface DrawnBasket {
  currency: 'usd' | 'cny'
  zone: Zone
  at: string
  items: DrawnItem[]
  coupons: DrawnCoupon[]
  usageCap: number | null
  promo: number
  cash: number
  mayRoll: boolean
}

const anySub = fc.constantFrom('', 'sub_a', 'sub_b')
const kinds = ['instance', 'plan', 'usage'] as const
/** Month ends and leap days more often than others. */
const anyAnchor = fc.oneof(
  fc.constantFrom('2027-01-31T12:00:00.000Z', '2028-02-29T00:00:00.000Z', '2027-08-31T16:30:00.000Z'),
  fc
    .date({ min: new Date('2026-01-01Z'), max: new Date('2030-01-01Z'), noInvalidDate: true })
    .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000).toISOString()),
)
/** Odd amounts and round shares of a period meet exactly between two minor units. */
const anyPrice = fc.oneof(
  fc.constantFrom(0, 1, 3, 25, 99, 100, 333, 499, 500, 720, 1440),
  fc.integer({ min: 0, max: 100_000_000 }),
)
const anyShare = fc.oneof(fc.constantFrom(0, 0.25, 0.5, 0.75, 1), fc.double({ min: -0.2, max: 1.2, noNaN: true }))
const anyQuantity = fc.oneof(
  fc.integer({ min: 0, max: 8000 }).map((quarters) => quarters * 250_000),
  fc.integer({ min: 0, max: 2_000_000_000 }),
)
/** Of what a product costs: mostly none. */
const anyPart = fc.option(fc.integer({ min: 0, max: 20_000 }), { freq: 1 })
const anyRate = fc.option(fc.constantFrom('0.02', '0.05', '0.015', '0.0333', '0.14', '0.00000001', '1.00'), { freq: 6 })

function anyItem(anchor: string, month: number, zone: Zone): fc.Arbitrary<DrawnItem> {
  const place = fc.record({ sub: anySub, anchor: fc.constant(anchor), month: fc.constant(month) })
  const period = periodAt(new Date(anchor), month, zone)
  const seconds = (period.end.getTime() - period.start.getTime()) / 1000
  const parts = fc
    .uniqueArray(fc.integer({ min: 1, max: seconds - 1 }), { maxLength: 2 })
    .map((cuts) => [0, ...cuts.sort((a, b) => a - b), seconds])
    .chain((ends) =>
      fc.tuple(
        ...ends.slice(1).map((to, index) =>
          fc.record({
            from: fc.constant(ends[index] ?? 0),
            to: fc.constant(to),
            used: anyQuantity.map(String),
            quota: anyQuantity.map(String),
            rate: anyRate,
          }),
        ),
      ),
    )
  const item = fc.oneof(
    fc.record({ kind: fc.constant('instance' as const), price: anyPrice }),
    fc.record({ kind: fc.constant('plan' as const), price: anyPrice, instead: fc.option(anyPrice) }),
    fc.record({
      kind: fc.constant('usage' as const),
      measure: fc.constantFrom('flow', 'stock'),
      parts,
      charged: anyPart,
      cap: anyPart,
    }),
  )
  return fc.tuple(place, item).map(([where, what]) => ({ ...where, ...what }))
}

const anyCoupon: fc.Arbitrary<Pick<DrawnCoupon, 'percentOff' | 'amountOff' | 'appliesTo' | 'isOnce' | 'boundTo'>> = fc
  .record({
    percentOff: fc.option(fc.integer({ min: 1, max: 100 }), { freq: 3 }),
    amountOff: fc.integer({ min: 1, max: 5000 }),
    appliesTo: fc.subarray([...kinds], { minLength: 1 }),
    isOnce: fc.boolean(),
    boundTo: fc.option(anySub),
  })
  .map((coupon) => ({ ...coupon, amountOff: coupon.percentOff === null ? coupon.amountOff : null }))

/** An instant about the period that `anchor` begins. */
export const anyBasket: fc.Arbitrary<DrawnBasket> = fc
  .record({ zone: fc.constantFrom(...zones), anchor: anyAnchor, month: fc.integer({ min: 0, max: 36 }) })
  .chain(({ zone, anchor, month }) => {
    const { start, end } = periodAt(new Date(anchor), month, zone)
    const atShare = (share: number) =>
      new Date(start.getTime() + Math.floor(((end.getTime() - start.getTime()) / 1000) * share) * 1000).toISOString()
    const next = periodAt(new Date(anchor), month + 1, zone)
    // Of either period, and of another subscription's within the first.
    const takenIn = [{ start, end }, next, { start: new Date(atShare(-0.1)), end: new Date(atShare(0.9)) }]
    const anyTakes = fc.array(
      fc
        .record({ sub: anySub, place: fc.nat(2), minor: fc.integer({ min: 1, max: 3000 }) })
        .map(({ sub, place, minor }) => {
          const of = takenIn[place] ?? next
          return { sub, starts: of.start.toISOString(), ends: of.end.toISOString(), minor }
        }),
      { maxLength: 3 },
    )
    const anyCount = fc.constantFrom(
      { months: null, begins: null },
      { months: 1, begins: null },
      { months: 3, begins: null },
      ...['', 'sub_a'].map((sub) => ({ months: null, begins: { sub, from: start.toISOString() } })),
      ...['', 'sub_a'].map((sub) => ({ months: null, begins: { sub, from: next.start.toISOString() } })),
    )
    return fc.record({
      currency: fc.constantFrom('usd', 'cny'),
      zone: fc.constant(zone),
      at: anyShare.map(atShare),
      // Some of the period after, as a plan that was paid ahead has.
      items: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: anyItem(anchor, month, zone) },
          { weight: 1, arbitrary: anyItem(anchor, month + 1, zone) },
        ),
        { minLength: 1, maxLength: 6 },
      ),
      coupons: fc
        .array(fc.tuple(anyCoupon, fc.option(anyShare.map(atShare)), anyCount, anyTakes), { maxLength: 3 })
        .map((drawn) =>
          drawn.map(([coupon, endsAt, count, takes], index) => {
            return { ...coupon, endsAt, ...count, takes, code: `CODE${index}` }
          }),
        ),
      usageCap: fc.option(fc.integer({ min: 0, max: 20_000 }), { freq: 2 }),
      promo: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
      cash: fc.oneof(fc.constant(0), fc.integer({ min: -20_000, max: 400 })),
      mayRoll: fc.boolean(),
    })
  })

/** The facts that the engine is given. */
export function factsOf(drawn: DrawnBasket): BasketFacts {
  const { currency, items, coupons, usageCap, promo, cash, mayRoll } = drawn
  const amount = (minor: number): Money => money(minor, currency)
  return {
    currency,
    items: items.map((item, index) => {
      return { ...itemOf(item, `item ${index}`, periodOf(drawn, item), amount), subscription: item.sub }
    }),
    coupons: coupons.map(
      ({ code, percentOff, amountOff, appliesTo, endsAt, isOnce, months, begins, boundTo, takes }): CouponFacts => ({
        code,
        appliesTo,
        ...(percentOff !== null && { percentOff }),
        ...(amountOff !== null && { amountOff: amount(amountOff) }),
        ...(endsAt !== null && { endsAt: new Date(endsAt) }),
        ...(isOnce && { isOnce }),
        ...(months !== null && { months }),
        ...(begins !== null && { begins: { subscription: begins.sub, from: new Date(begins.from) } }),
        ...(boundTo !== null && { boundTo }),
        takes: takes.map(({ sub: subscription, starts, ends, minor }) => {
          return { subscription, period: { start: new Date(starts), end: new Date(ends) }, minor }
        }),
      }),
    ),
    ...(usageCap !== null && { usageCap: amount(usageCap) }),
    means: { promo: amount(promo), cash: amount(cash), mayRoll },
  }

  function itemOf(item: DrawnItem, key: string, period: Period, of: (minor: number) => Money): BasketItem {
    if (item.kind === 'instance') return { kind: item.kind, key, price: of(item.price), period }
    if (item.kind === 'plan') {
      const { kind, price, instead } = item
      return { kind, key, price: of(price), period, ...(instead !== null && { instead: of(instead) }) }
    }
    const { kind, measure, charged, cap } = item
    const instant = (second: number) => new Date(period.start.getTime() + second * 1000)
    const parts = item.parts.map(({ from, to, used, quota, rate }) => {
      const parsed = rate === null ? undefined : parseRate(rate, currency)
      return {
        part: { start: instant(from), end: instant(to) },
        used: BigInt(used),
        quota: BigInt(quota),
        ...(parsed && { rate: parsed }),
      }
    })
    const before = { ...(charged !== null && { charged: of(charged) }), ...(cap !== null && { cap: of(cap) }) }
    return { kind, key, period, measure, parts, ...before }
  }
}

function periodOf({ zone }: DrawnBasket, { anchor, month }: DrawnItem): Period {
  return periodAt(new Date(anchor), month, zone)
}
