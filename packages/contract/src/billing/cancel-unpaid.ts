import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { RequestId } from '../wire/fields.ts'
import { SubscriptionId } from './fields.ts'

export const cancelNoPaid = defineCall({
  name: 'cancelNoPaid',
  path: '/v1/bill/subscriptions/cancel/noPaid',
  reach: 'private',
  rate: 'change',
  topics: ['billing', 'cluster'],
  summary: 'Cancels the order of a cluster of the caller’s own that nobody has paid.',
  body: z.strictObject({ subscriptionId: SubscriptionId, requestId: RequestId.optional() }),
  /** `unpaid` while a card is being charged for it: it is canceled once that has ended, unless it paid. */
  data: z.object({ status: z.enum(['canceled', 'unpaid']) }),
})
