/** `/v1/bill/subscriptions`: what is charged month by month (spec §3, §7). Amounts are minor units. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, Currency, InstanceId, IsoTime } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { InvoiceId, inOrder, SubscriptionId, timeSpan } from './fields.ts'
import { InvoiceRow } from './invoices.ts'
import { subscriptionStates } from './kinds.ts'

const subscriptionKinds = ['cluster', 'plan'] as const

export const SubscriptionRow = z.object({
  subscriptionId: SubscriptionId,
  kind: z.enum(subscriptionKinds),
  /** The cluster's name, or the plan's. */
  name: z.string(),
  clusterId: ClusterId.optional(),
  status: z.enum(subscriptionStates),
  /** A month, all its items together. */
  amount: z.int(),
  currency: Currency,
  /** How many instances it has. */
  instances: z.int(),
  createAt: IsoTime,
  /** Seconds. */
  periodStart: z.int(),
  periodEnd: z.int(),
  /** Of one that is not paid yet: until when it can be. */
  validUntil: IsoTime.optional(),
  /** The invoice that waits to be paid for it. */
  openInvoiceId: InvoiceId.optional(),
})
export type SubscriptionRow = z.infer<typeof SubscriptionRow>

export const subscriptionsPage = defineCall({
  name: 'subscriptionsPage',
  path: '/v1/bill/subscriptions/page',
  reach: 'self',
  reads: true,
  topics: ['billing', 'cluster'],
  summary: "The account's subscriptions, the newest first. from and to are about when they were made.",
  body: inOrder(pageQuery({ status: z.enum(subscriptionStates).optional(), ...timeSpan })),
  data: pageOf({ subscriptions: z.array(SubscriptionRow) }),
})

export const SubscriptionItem = z.object({
  subscriptionItemId: z.string(),
  /** Its monthly price. */
  priceInfo: z.object({ productName: z.string(), amount: z.int(), currency: Currency }),
  quantity: z.int(),
  status: z.enum(subscriptionStates),
  createAt: IsoTime,
  /** Absent: the plan. */
  instance: z
    .object({
      instanceId: InstanceId,
      /** `master`, `worker-1`, … */
      name: z.string(),
      role: z.enum(['master', 'worker']),
    })
    .optional(),
})
export type SubscriptionItem = z.infer<typeof SubscriptionItem>

export const subscriptionsDetail = defineCall({
  name: 'subscriptionsDetail',
  path: '/v1/bill/subscriptions/detail',
  reach: 'private',
  reads: true,
  topics: ['billing', 'cluster'],
  summary: 'One subscription with its items and the invoices that stand on it.',
  body: z.strictObject({ subscriptionId: SubscriptionId }),
  data: SubscriptionRow.extend({
    /** Those that are charged; of one that is over, all it had. */
    subscriptionItemsInfo: z.array(SubscriptionItem),
    /** The plan from the end of this period on. */
    pending: z.object({ planLevel: z.int(), planName: z.string(), at: IsoTime }).optional(),
    /** The newest first, at most 20; `amount` is this subscription's part, after the discount. */
    invoices: z.array(
      InvoiceRow.pick({ invoiceId: true, number: true, createAt: true, summary: true, status: true, amount: true }),
    ),
    actions: z.array(z.enum(['pay', 'cancel'])),
  }),
})
