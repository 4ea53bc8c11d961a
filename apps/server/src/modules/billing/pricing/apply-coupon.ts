import {
  allocate,
  type Currency,
  compareMoney,
  type Money,
  money,
  percentOfMoney,
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
  explain: DiscountExplain
}

/** One coupon an invoice: the one that takes the most; of two that take the same, the one redeemed first. */
export function applyCoupon(
  items: readonly GrossItem[],
  coupons: readonly CouponFacts[],
  currency: Currency,
): AppliedCoupon | undefined {
  return coupons
    .map((coupon) => applyOne(items, coupon, currency))
    .filter(({ total }) => total.minor > 0)
    .reduce<AppliedCoupon | undefined>(
      (best, next) => (best && compareMoney(best.total, next.total) >= 0 ? best : next),
      undefined,
    )
}

function applyOne(items: readonly GrossItem[], coupon: CouponFacts, currency: Currency): AppliedCoupon {
  const nothing = money(0, currency)
  const bases = items.map((item) => (isReduced(item, coupon) ? item.amount : nothing))
  const of = sumMoney(bases, currency)
  const { code, percentOff, amountOff } = coupon
  const off = percentOff === undefined ? (amountOff ?? nothing) : percentOfMoney(of, percentOff)
  const total = smallerMoney(off, of)
  return {
    code,
    total,
    shares: allocate(total, bases),
    explain: {
      code,
      ...(percentOff !== undefined && { percentOff }),
      ...(amountOff && { amountOff: amountOff.minor }),
      total: total.minor,
      of: of.minor,
    },
  }
}

function isReduced({ kind, begins }: GrossItem, { appliesTo, endsAt }: CouponFacts): boolean {
  return appliesTo.includes(kind) && (endsAt === undefined || begins < endsAt)
}
