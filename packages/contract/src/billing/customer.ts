/** `/v1/bill/customerInfo`: what the account pays in, has and owes (spec §3). Amounts are minor units. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, Currency, IsoTime } from '../wire/fields.ts'
import { Coupon } from './coupons.ts'
import { InvoiceId } from './fields.ts'
import { invoiceKinds } from './kinds.ts'

/**
 * `unpaid`: an invoice waits to be paid. `overdue`: one was not paid in time; nothing can be created until it is.
 */
export const accountStandings = ['clear', 'unpaid', 'overdue'] as const

export const CustomerInfo = z.object({
  /** Below zero: the customer's credit. Above: what stands on the next bill. */
  cashBalance: z.int(),
  currency: Currency,
  defaultPayMethod: z.object({ id: z.string(), cardBrand: z.string(), cardLast4: z.string() }).nullable(),
  /**
   * A payment's amount that a bank has taken back and not yet decided on: it cannot be spent, and nothing that costs
   * money is sold.
   */
  disputed: z.object({ amount: z.int() }).optional(),
  /** Zero or more. */
  promoBalance: z.int(),
  /** Of the account's months and days. */
  zone: z.enum(['UTC', 'UTC+8']),
  standing: z.enum(accountStandings),
  /** The invoice to pay first: the one that is overdue longest, or else the next to lapse. */
  openInvoice: z
    .object({
      invoiceId: InvoiceId,
      number: z.string(),
      kind: z.enum(invoiceKinds),
      /** The unpaid part of it. */
      amount: z.int(),
      createAt: IsoTime,
      /** Of an order: it is void then. */
      validUntil: IsoTime.optional(),
    })
    .optional(),
  /** The coupon that was redeemed last, while it can take from a bill. */
  coupon: Coupon.optional(),
  /** The limit of usage charges in a period of the plan. */
  spendCap: z.object({ amount: z.int() }).optional(),
  /** Time of the account: the wall's and `clockOffset`. */
  now: IsoTime,
  /** Milliseconds. */
  clockOffset: z.int(),
  /** Whether the account may move its clock forward. */
  canTravel: z.boolean(),
  /** While the clock is not where it was sent: on its way, or stopped an hour before these would be destroyed. */
  travel: z
    .object({ to: IsoTime, stoppedBefore: z.array(z.object({ clusterId: ClusterId, name: z.string() })) })
    .optional(),
})
export type CustomerInfo = z.infer<typeof CustomerInfo>

export const customerInfo = defineCall({
  name: 'customerInfo',
  path: '/v1/bill/customerInfo',
  reach: 'self',
  reads: true,
  topics: ['billing'],
  summary: 'The account’s currency, balance and debt.',
  data: CustomerInfo,
})
