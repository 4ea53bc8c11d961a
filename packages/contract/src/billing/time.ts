/**
 * The account's expected charges under present conditions, and its own clock (design/billing). Amounts are minor units.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, WireInt } from '../wire/fields.ts'
import { Estimate } from './estimates.ts'
import { invoiceKinds, invoiceStates } from './kinds.ts'
import { MeteredProduct } from './usage/products.ts'
import { Quantity } from './usage/spending.ts'

/** An invoice that is not there yet. */
export const ForecastInvoice = Estimate.omit({
  perMonth: true,
  nextAt: true,
  afterCoupon: true,
  validUntil: true,
  estimateToken: true,
}).extend({
  /** When it is issued, by the account's clock. */
  at: IsoTime,
  kind: z.enum(invoiceKinds),
})
export type ForecastInvoice = z.infer<typeof ForecastInvoice>

/** Subjects of mails about money. */
export const billingMailKinds = [
  ...(['receipt', 'renewalSoon', 'failed', 'approve', 'orderLapses', 'stopped', 'daysLeft', 'destroyed'] as const),
  ...(['restored', 'cardExpires', 'plan', 'cap', 'usage', 'refund', 'refundReturned', 'refundDone'] as const),
] as const
export type BillingMailKind = (typeof billingMailKinds)[number]

/** A mail that is not written yet. */
export const ForecastMail = z.object({
  /** By the account's clock. */
  at: IsoTime,
  kind: z.enum(billingMailKinds),
  /** The account's address, as things are. */
  to: z.string(),
})
export type ForecastMail = z.infer<typeof ForecastMail>

export const upcomingInvoice = defineCall({
  name: 'upcomingInvoice',
  path: '/v1/bill/upcomingInvoice',
  reach: 'self',
  reads: true,
  rate: 'costly',
  topics: ['billing'],
  summary: 'The next bill as things are; null where none comes.',
  data: z.object({ upcoming: ForecastInvoice.nullable() }),
})

export const forecast = defineCall({
  name: 'forecast',
  path: '/v1/bill/forecast',
  reach: 'self',
  reads: true,
  rate: 'costly',
  topics: ['billing'],
  summary: 'The bills and mails of the months to come as things are, if every card pays or none does.',
  body: z.strictObject({
    months: WireInt.pipe(z.int().min(1).max(24)),
    cards: z.enum(['pay', 'decline']).default('pay'),
    /**
     * Assumed usage from now on, in GB, by product: traffic in 30 days, or data stored all the time. A product that is
     * left out counts as 0.
     */
    usage: z.partialRecord(MeteredProduct, Quantity).default({}),
  }),
  data: z.object({
    documents: z.array(
      ForecastInvoice.extend({
        /** At the end of those months, and since when. */
        state: z.enum(invoiceStates),
        closedAt: IsoTime.nullable(),
      }),
    ),
    /** In the order in which they come; none for an account without an address. */
    mails: z.array(ForecastMail),
  }),
})

export const timeTravel = defineCall({
  name: 'timeTravel',
  path: '/v1/bill/timeTravel',
  reach: 'self',
  rate: 'costly',
  topics: ['billing'],
  summary: 'Moves the clock of a sandbox account forward, through all that is due until then.',
  body: z.strictObject({
    to: IsoTime,
    /** Clusters that may be destroyed on the way; the clock stops an hour before it would be another one. */
    destroy: z.array(ClusterId).max(100).default([]),
  }),
  data: z.object({
    /** By the account's clock, when this was answered. */
    now: IsoTime,
    /** False: it is still on its way, which the topic `billing` publishes, or has stopped. */
    arrived: z.boolean(),
    /** Clusters that would be destroyed within the hour. */
    stoppedBefore: z.array(z.object({ clusterId: ClusterId, name: z.string() })),
  }),
})
