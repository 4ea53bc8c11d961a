import { type Currency, money } from '@atoll/money'
import type { CouponFacts } from '../pricing/basket.ts'
import type { Redemption } from './coupon-store.ts'

/** What the engine is given of a coupon that an account may use. */
export function couponFacts({ coupon, endsAt }: Redemption, currency: Currency): CouponFacts {
  const { code, percentOff, amountOff, appliesTo } = coupon
  const amount = amountOff?.[currency]
  return {
    code,
    appliesTo,
    ...(percentOff !== undefined && { percentOff }),
    ...(amount !== undefined && { amountOff: money(amount, currency) }),
    ...(endsAt && { endsAt }),
  }
}
