import {
  allocate,
  type Currency,
  compareMoney,
  type Money,
  money,
  percentOfMoney,
  secondsBetween,
  smallerMoney,
  sumMoney,
} from '@atoll/money'
import type { CouponFacts } from './basket.ts'
import type { DiscountExplain } from './explain.ts'
import type { GrossItem } from './gross-item.ts'

/** The coupon that takes the most, and what it takes from each item, in their order. */
export interface AppliedCoupon {
  code: string
  total: Money
  shares: Money[]
  /** Absent where it does not take from the item. */
  explains: (DiscountExplain | undefined)[]
}

/** One coupon an invoice: the one that takes the most; of two that take the same, the one redeemed first. */
export function applyCoupon(
  items: readonly GrossItem[],
  coupons: readonly CouponFacts[],
  currency: Currency,
): AppliedCoupon | undefined {
  return coupons
    .flatMap((coupon) => scopesOf(items, coupon).map((subscription) => applyOne(items, coupon, subscription, currency)))
    .filter(({ total }) => total.minor > 0)
    .reduce<AppliedCoupon | undefined>(
      (best, next) => (best && compareMoney(best.total, next.total) >= 0 ? best : next),
      undefined,
    )
}

/** The subscription that a coupon is bound to, or those it may be bound to by this invoice; undefined: to none. */
function scopesOf(items: readonly GrossItem[], coupon: CouponFacts): (string | undefined)[] {
  if (coupon.amountOff === undefined || coupon.isOnce) return [undefined]
  return coupon.boundTo === undefined ? [...new Set(items.map((item) => item.subscription))] : [coupon.boundTo]
}

/** Items that are discounted together, and the most that comes off them. */
interface Group {
  /** Whether each item is one of it. */
  holds: boolean[]
  off(of: Money): Money
  explain: Pick<DiscountExplain, 'percentOff' | 'amountOff' | 'period' | 'before'>
}

function applyOne(
  items: readonly GrossItem[],
  coupon: CouponFacts,
  subscription: string | undefined,
  currency: Currency,
): AppliedCoupon {
  const nothing = money(0, currency)
  const isWithin = countOf(items, coupon)
  const reduced = items.map(
    (item) =>
      coupon.appliesTo.includes(item.kind) &&
      (subscription === undefined || item.subscription === subscription) &&
      isWithin(item),
  )
  const shares = items.map(() => nothing)
  const explains: AppliedCoupon['explains'] = items.map(() => undefined)
  for (const { holds, off, explain } of groupsOf(items, coupon, reduced, nothing)) {
    const bases = items.map(({ amount }, place) => (holds[place] ? amount : nothing))
    const of = sumMoney(bases, currency)
    const total = smallerMoney(off(of), of)
    for (const [place, share] of allocate(total, bases).entries()) {
      if (!holds[place]) continue
      shares[place] = share
      explains[place] = { code: coupon.code, ...explain, total: total.minor, of: of.minor }
    }
  }
  const taken = sumMoney(shares, currency)
  return { code: coupon.code, total: isTaken(items, coupon, reduced, taken) ? taken : nothing, shares, explains }
}

/**
 * Whether an item begins within the months of a coupon: those that are counted, or that this invoice begins to count.
 */
function countOf(items: readonly GrossItem[], coupon: CouponFacts): (item: GrossItem) => boolean {
  const { endsAt, months, appliesTo } = coupon
  const first =
    months === undefined ? undefined : items.find((one) => appliesTo.includes(one.kind) && one.amount.minor > 0)
  const begins = first ? { subscription: first.subscription, from: first.whole.start } : coupon.begins
  // An invoice reaches one period beyond its first at most.
  const ends = first && months === 1 ? first.whole.end : endsAt
  return ({ subscription, whole }) =>
    (ends === undefined || whole.start < ends) && (begins?.subscription !== subscription || whole.start >= begins.from)
}

/**
 * All that is reduced, but an amount that is taken in each period of its subscription: those of each, and there what
 * earlier invoices of that period left of it.
 */
function groupsOf(items: readonly GrossItem[], coupon: CouponFacts, reduced: boolean[], nothing: Money): Group[] {
  const { percentOff, amountOff = nothing } = coupon
  if (percentOff !== undefined)
    return [{ holds: reduced, off: (of) => percentOfMoney(of, percentOff), explain: { percentOff } }]
  if (coupon.isOnce) return [{ holds: reduced, off: () => amountOff, explain: { amountOff: amountOff.minor } }]
  const starts = new Map(items.flatMap((item, place) => (reduced[place] ? [[item.whole.start.getTime(), item]] : [])))
  return [...starts].map(([start, item]) => {
    const before = takenBefore(coupon, item)
    return {
      holds: items.map((one, place) => reduced[place] === true && one.whole.start.getTime() === start),
      off: () => money(Math.max(amountOff.minor - before, 0), amountOff.currency),
      explain: {
        amountOff: amountOff.minor,
        period: item.whole.start.toISOString(),
        ...(before > 0 && { before }),
      },
    }
  })
}

/**
 * The discount so far in the item's period: of its own subscription, and of an earlier one in whose period this period
 * begins.
 */
function takenBefore({ takes = [] }: CouponFacts, { subscription, whole }: GrossItem): number {
  return takes
    .filter(({ period, ...take }) =>
      take.subscription === subscription
        ? period.start.getTime() === whole.start.getTime()
        : period.start <= whole.start && whole.start < period.end,
    )
    .reduce((sum, { minor }) => sum + minor, 0)
}

/**
 * One that is used once stays where it would take under a tenth of its amount, or a percentage of under a tenth of a
 * month; and one that may not leaves something to pay.
 */
function isTaken(items: readonly GrossItem[], coupon: CouponFacts, reduced: boolean[], taken: Money): boolean {
  const { isOnce, amountOff, leavesSomething } = coupon
  const gross = sumMoney(
    items.map(({ amount }) => amount),
    taken.currency,
  )
  if (leavesSomething && taken.minor === gross.minor) return false
  if (!isOnce) return true
  if (amountOff) return taken.minor * 10 >= amountOff.minor
  return items.some(({ amount, period, whole }, place) => {
    const seconds = ({ start, end }: typeof whole) => secondsBetween(start, end)
    return reduced[place] === true && amount.minor > 0 && seconds(period) * 10 >= seconds(whole)
  })
}
