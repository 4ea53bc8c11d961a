import type { Coupon } from '@atoll/contract/billing'
import type { Redemption } from '../../records/coupon-store.ts'
import { couponEnd } from './coupon-facts.ts'

export function couponJson(redemption: Pick<Redemption, 'coupon' | 'uses'>): Coupon {
  const endsAt = couponEnd(redemption)
  return { ...redemption.coupon, ...(endsAt && { endsAt: endsAt.toISOString() }) }
}
