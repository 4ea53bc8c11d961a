/**
 * How a figure came to be, so that anybody can work it out again: what was read, the quota, the rate, the exact result
 * as a fraction, and what it was rounded to. Large numbers are decimal text; amounts are minor units.
 */
import { z } from 'zod'

const Discount = z.object({
  code: z.string(),
  percentOff: z.int().optional(),
  amountOff: z.int().optional(),
  /** Of an amount that is taken once in each period: where that begins, and what earlier invoices took in it. */
  period: z.string().optional(),
  before: z.int().optional(),
  /** The coupon's deduction in total, or in that period, and the sum it is taken from. */
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
  /**
   * Of a flow whose plan was raised: the quota grew by the share of the period that was left. Absent on older bills, on
   * which each part had the whole of its quota.
   */
  quotaByTime: z.literal(true).optional(),
  parts: z.array(
    z.object({
      start: z.string(),
      seconds: z.int(),
      /** 10^-6 units. */
      used: z.string(),
      /** Of a whole period on that plan. */
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
  /** A correction of a period that was billed before, by what its meters have now. */
  correction: z.literal(true).optional(),
  /** Of that, what was charged on earlier bills, less what credit notes gave back of it. */
  charged: z.int().optional(),
  /** The amount that the cap left out. */
  waived: z.int().optional(),
  discount: Discount.optional(),
})
export const Explain = z.discriminatedUnion('rule', [Prepaid, Usage])
export type Explain = z.infer<typeof Explain>
