/** Acts of operators on customers; each is approved in the wallet. */
import { z } from 'zod'
import { HoldId, holdReasons, holdScopes } from '../accounts/holds.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, WireInt } from '../wire/fields.ts'
import { AccountId, actFields } from './approvals.ts'

/** Minor units; more than anybody is given or paid at once. */
const Amount = WireInt.pipe(z.int().min(1).max(100_000_000))

export const customerSuspend = defineCall({
  name: 'customerSuspend',
  path: '/v1/operator/customers/suspend',
  reach: 'operator',
  rate: 'change',
  topics: ['account'],
  summary: 'Suspends an account or one of its clusters, until it is released or a time.',
  body: z.strictObject({
    accountId: AccountId,
    /** Absent: the whole account. */
    clusterId: ClusterId.optional(),
    scope: z.enum(holdScopes),
    why: z.enum(holdReasons),
    /** The text that the customer reads. */
    text: z.string().trim().min(4).max(1000),
    answerBy: IsoTime.optional(),
    until: IsoTime.optional(),
    ...actFields,
  }),
  data: z.object({ holdId: HoldId }),
})

/** The object of a suspension's approval: its scope and, for one cluster alone, the cluster. */
export function suspendedObject({ scope, clusterId }: { scope: string; clusterId?: string | undefined }): string {
  return clusterId ? `${scope} ${clusterId}` : scope
}

export const customerRelease = defineCall({
  name: 'customerRelease',
  path: '/v1/operator/customers/release',
  reach: 'operator',
  rate: 'change',
  topics: ['account'],
  summary: 'Ends a suspension: what it stopped is started again.',
  body: z.strictObject({ holdId: HoldId, ...actFields }),
})

export const creditKinds = ['cash', 'promo'] as const

export const customerCredit = defineCall({
  name: 'customerCredit',
  path: '/v1/operator/customers/credit',
  reach: 'operator',
  rate: 'change',
  topics: ['account'],
  summary: 'Gives credit: to the balance, or as promotional credit that does not expire.',
  body: z.strictObject({ accountId: AccountId, amount: Amount, kind: z.enum(creditKinds), ...actFields }),
})

export const customerRefund = defineCall({
  name: 'customerRefund',
  path: '/v1/operator/customers/refund',
  reach: 'operator',
  rate: 'change',
  topics: ['account'],
  summary: 'Sends a part of the balance back to the card of a payment: never above what that card paid.',
  body: z.strictObject({ paymentId: z.string().min(4).max(64), amount: Amount, ...actFields }),
})
