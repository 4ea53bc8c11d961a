/**
 * How a figure came to be, so that anybody can work it out again: what was read, the quota, the rate, the exact result
 * as a fraction, and what it was rounded to. Large numbers are decimal text; amounts are minor units.
 */
import { z } from 'zod'

const Discount = z.object({
  code: z.string(),
  percentOff: z.int().optional(),
  amountOff: z.int().optional(),
  /** What the coupon takes in all, and from which sum. */
  total: z.int(),
  of: z.int(),
})
const Prepaid = z.object({
  rule: z.literal('prepaid'),
  /** A month. */
  price: z.int(),
  /** Of the plan that was paid for before, a month. */
  instead: z.int().optional(),
  /** Seconds of the period, and from its start to where the charge begins. */
  periodSeconds: z.int(),
  fromSecond: z.int(),
  rounded: z.int(),
  discount: Discount.optional(),
})
const Usage = z.object({
  rule: z.literal('usage'),
  /** GB that flow, or GB-months that are stored. */
  measure: z.enum(['flow', 'stock']),
  periodSeconds: z.int(),
  parts: z.array(
    z.object({
      start: z.string(),
      seconds: z.int(),
      /** 10^-6 units. */
      used: z.string(),
      quota: z.string(),
      /** 10^-6 units times `periodSeconds`. */
      above: z.string(),
      /** Major units for a unit; null: what is above the quota costs nothing. */
      rate: z.string().nullable(),
    }),
  ),
  /** Minor units, as `numerator/denominator`. */
  exact: z.string(),
  rounded: z.int(),
  /** Of that, what was charged on an earlier bill: the rest came late. */
  charged: z.int().optional(),
  /** What the cap left out. */
  waived: z.int().optional(),
  discount: Discount.optional(),
})
export const Explain = z.discriminatedUnion('rule', [Prepaid, Usage])
export type Explain = z.infer<typeof Explain>
