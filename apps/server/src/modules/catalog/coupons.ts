import { couponDurations, couponTargets } from '@atoll/contract/billing'
import { z } from 'zod'
import { Amount } from './prices.ts'

const Off = Amount.refine((minor) => minor > 0, 'must be above 0').optional()

export const Coupon = z
  .strictObject({
    /** Written in capitals; people may type it in any case. */
    code: z
      .string()
      .min(3)
      .max(32)
      .regex(/^[A-Z0-9][A-Z0-9-]*$/, 'must be capital letters, digits and hyphens'),
    percentOff: z.int().min(1).max(100).optional(),
    amountOff: z
      .strictObject({ usd: Off, cny: Off })
      .refine((amounts) => Object.keys(amounts).length > 0, 'must name a currency: usd, cny')
      .optional(),
    duration: z.enum(couponDurations),
    /**
     * Of `repeating`: for so many periods of what it reduces first, and of anything else that begins before they end.
     */
    months: z.int().min(1).max(120).optional(),
    appliesTo: z
      .array(z.enum(couponTargets))
      .min(1)
      .default([...couponTargets]),
    /** The last day that it can be redeemed on, in the zone of who redeems it. */
    redeemBy: z.iso.date('must be a day such as 2027-01-31').optional(),
    maxRedemptions: z.int().min(1).optional(),
    /** Whether it leaves nothing to pay only with a card on file; absent: yes, because identities are free. */
    needsCard: z.boolean().optional(),
  })
  .superRefine((coupon, context) => {
    const problem = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if ((coupon.percentOff === undefined) === (coupon.amountOff === undefined))
      problem('percentOff', 'exactly one of percentOff and amountOff must be given')
    if (coupon.duration === 'repeating' && coupon.months === undefined)
      problem('months', 'is needed for the duration repeating')
    if (coupon.duration !== 'repeating' && coupon.months !== undefined)
      problem('months', 'is only for the duration repeating')
  })
export type CatalogCoupon = z.output<typeof Coupon>
