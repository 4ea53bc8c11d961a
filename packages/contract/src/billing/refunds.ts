/** The money that destroying would return, before it is done (design/billing). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, Currency, InstanceId, IsoTime } from '../wire/fields.ts'

/** Amounts are minor units. */
export const RefundEstimate = z.object({
  /** To the balance. */
  amount: z.int(),
  currency: Currency,
  /** Unused time, a line for each period that was charged. */
  items: z.array(
    z.object({
      instanceId: InstanceId,
      productName: z.string(),
      /** The refunded part: to the balance, off an open invoice, or as promotional credit. */
      amount: z.int(),
      quantity: z.int(),
      /** Seconds: what is unused of the time that was charged, which began at `chargedFrom`. */
      periodStart: z.int(),
      periodEnd: z.int(),
      chargedFrom: z.int(),
      /** Whether a part of it was used. */
      proration: z.boolean(),
    }),
  ),
  /** Promotional credit that is given back, with its old expiry: it counts as used first. */
  toPromo: z.int(),
  /** Invoices that are still owed and that the instances stand on: what is unused comes off them first. */
  owed: z.array(
    z.object({
      invoiceId: z.string(),
      number: z.string(),
      amount: z.int(),
      /** Once what is unused came off. */
      stillToPay: z.int(),
    }),
  ),
  /** Nothing is paid for a refund: zero. */
  fromBalance: z.int(),
  toCard: z.int(),
  /** Until when destroying with the token gives back exactly this. */
  validUntil: IsoTime,
  estimateToken: z.string(),
})
export type RefundEstimate = z.infer<typeof RefundEstimate>

export const getEstimatedRefundAmount = defineCall({
  name: 'getEstimatedRefundAmount',
  path: '/v1/bill/getEstimatedRefundAmount',
  reach: 'private',
  reads: true,
  rate: 'costly',
  topics: ['billing', 'cluster'],
  summary: 'The refund now for destroying a cluster of the caller’s own, or one worker of it.',
  body: z.strictObject({ clusterId: ClusterId, instanceId: InstanceId.optional() }),
  data: RefundEstimate,
})
