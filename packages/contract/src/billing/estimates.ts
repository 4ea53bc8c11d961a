/** The cost of an order before it is placed (design/billing). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, Currency, IsoTime, WireInt } from '../wire/fields.ts'
import { CouponCode } from './coupons.ts'
import { InvoiceItem } from './invoices.ts'

/** Amounts are minor units. */
export const Estimate = z.object({
  /** The amount of the invoice. */
  amount: z.int(),
  currency: Currency,
  items: z.array(
    InvoiceItem.pick({ amount: true, quantity: true, periodStart: true, periodEnd: true, proration: true }).extend({
      productName: z.string(),
    }),
  ),
  discount: z.int(),
  /** The coupon that takes it. */
  coupon: z.string().nullable(),
  fromPromo: z.int(),
  fromBalance: z.int(),
  /** With what was owed from before. */
  toCard: z.int(),
  /** Too little for a card: it stands on the next bill. */
  rolledOver: z.int(),
  /** From the next bill on, and when that is. */
  perMonth: z.int(),
  nextAt: IsoTime,
  /** From when on it costs so much a month, where a coupon of some months reduces the next bill. */
  afterCoupon: z.object({ code: z.string(), amount: z.int(), from: IsoTime }).nullable(),
  /** Until when an order with the token costs this. */
  validUntil: IsoTime,
  estimateToken: z.string(),
})
export type Estimate = z.infer<typeof Estimate>

export const getEstimatedAmount = defineCall({
  name: 'getEstimatedAmount',
  path: '/v1/bill/getEstimatedAmount',
  reach: 'private',
  reads: true,
  rate: 'costly',
  topics: ['billing'],
  summary: 'The price now of a new cluster, or of workers for one of the caller’s own.',
  body: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('cluster'), offering: z.string().max(40), couponCode: CouponCode.optional() }),
    z.strictObject({
      kind: z.literal('worker'),
      clusterId: ClusterId,
      offering: z.string().max(40),
      quantity: WireInt.pipe(z.int().min(1).max(64)).default(1),
      couponCode: CouponCode.optional(),
    }),
  ]),
  data: Estimate,
})
