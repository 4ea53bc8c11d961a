/** Coupons: what they take, and redeeming one by its code (spec §3, §7). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime, RequestId } from '../wire/fields.ts'

export const couponDurations = ['once', 'forever', 'repeating'] as const
/** Charges that a coupon can reduce. */
export const couponTargets = ['instance', 'plan', 'usage'] as const
export type CouponTarget = (typeof couponTargets)[number]

/** As a person types it, in any case. */
export const CouponCode = z.string().trim().min(1).max(64)

export const Coupon = z.object({
  code: z.string(),
  percentOff: z.int().optional(),
  /** Minor units, for each currency. */
  amountOff: z.object({ usd: z.int().optional(), cny: z.int().optional() }).optional(),
  duration: z.enum(couponDurations),
  /** Of `repeating`: for so many periods of what it reduces first, and of anything else that begins before they end. */
  months: z.int().optional(),
  appliesTo: z.array(z.enum(couponTargets)),
  /** The last day on which it can be redeemed. */
  redeemBy: z.string().optional(),
  maxRedemptions: z.int().optional(),
  /** Of `repeating`: when its months are over; absent until the first period that it reduces. */
  endsAt: IsoTime.optional(),
})
export type Coupon = z.infer<typeof Coupon>

export const couponRedeem = defineCall({
  name: 'couponRedeem',
  path: '/v1/resource/coupon/redeem',
  reach: 'self',
  rate: 'change',
  topics: ['billing'],
  summary: 'Redeems a coupon for the account, once; its code in any case.',
  body: z.strictObject({ code: CouponCode, requestId: RequestId.optional() }),
  data: z.object({ coupon: Coupon }),
})
