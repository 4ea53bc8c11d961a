import type { Coupon } from '@atoll/contract/billing'
import type { Redemption } from './coupon-store.ts'

export function couponJson({ coupon, endsAt }: Pick<Redemption, 'coupon' | 'endsAt'>): Coupon {
  return { ...coupon, ...(endsAt && { endsAt: endsAt.toISOString() }) }
}
