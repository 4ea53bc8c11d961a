/** Acts of operators on customers; each is approved in the wallet. */
import { z } from 'zod'
import { HoldId, holdReasons, holdScopes } from '../accounts/holds.ts'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, WireBool, WireInt } from '../wire/fields.ts'
import { AccountId, actFields } from './approvals.ts'
import { byOperator, byOperatorOnCustomer, byStaff } from './who-calls.ts'

/** Minor units; more than anybody is given or paid at once. */
const Amount = WireInt.pipe(z.int().min(1).max(100_000_000))

export const customerSuspend = defineCall({
  name: 'customerSuspend',
  path: '/v1/operator/customers/suspend',
  ...byOperatorOnCustomer,
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
  ...byOperatorOnCustomer,
  summary: 'Ends a suspension: what it stopped is started again.',
  body: z.strictObject({
    holdId: HoldId,
    /** It was our mistake: what was paid for the time that it stopped is given back. */
    isMistake: WireBool.optional(),
    ...actFields,
  }),
})

/** Their own request is `userClose`; this is for one that came by mail. */
export const customerErase = defineCall({
  name: 'customerErase',
  path: '/v1/operator/customers/erase',
  ...byOperatorOnCustomer,
  summary: 'Closes an account for its owner, who asked by mail: it is erased after 14 days.',
  body: z.strictObject({ accountId: AccountId, ...actFields }),
  data: z.object({ until: IsoTime }),
})

export const customerKeep = defineCall({
  name: 'customerKeep',
  path: '/v1/operator/customers/keep',
  ...byOperatorOnCustomer,
  summary: 'Stops the closing of an account: it goes on.',
  body: z.strictObject({ accountId: AccountId, ...actFields }),
})

export const creditKinds = ['cash', 'promo'] as const

export const customerCredit = defineCall({
  name: 'customerCredit',
  path: '/v1/operator/customers/credit',
  ...byOperatorOnCustomer,
  summary: 'Gives credit: to the balance, or as promotional credit that does not expire.',
  body: z.strictObject({ accountId: AccountId, amount: Amount, kind: z.enum(creditKinds), ...actFields }),
})

const ObjectId = z.string().trim().min(4).max(90)
export const refundWays = ['card', 'balance', 'payout'] as const

export const customerRefund = defineCall({
  name: 'customerRefund',
  path: '/v1/operator/customers/refund',
  ...byOperatorOnCustomer,
  summary:
    'Gives money of a payment back with a credit note, to its card or the balance; or sends what the balance holds to that card.',
  body: z.strictObject({ paymentId: ObjectId, amount: Amount, way: z.enum(refundWays), ...actFields }),
})

export const invoiceWriteOff = defineCall({
  name: 'invoiceWriteOff',
  path: '/v1/operator/money/write-off',
  ...byOperatorOnCustomer,
  summary: 'Gives up a bill that is owed: it stops nothing any more, and may still be paid.',
  body: z.strictObject({ invoiceId: ObjectId, ...actFields }),
})

export const captureWays = ['credit', 'back'] as const

export const captureAdopt = defineCall({
  name: 'captureAdopt',
  path: '/v1/operator/money/adopt',
  ...byOperatorOnCustomer,
  summary:
    'Takes over what the gateway took and nothing here stands for: as credit of an account, or back to the card.',
  body: z.strictObject({ ref: ObjectId, accountId: AccountId, way: z.enum(captureWays), ...actFields }),
})

export const paymentOutcomes = ['charged', 'notCharged'] as const

export const paymentResolve = defineCall({
  name: 'paymentResolve',
  path: '/v1/operator/money/resolve',
  ...byOperatorOnCustomer,
  summary: 'Ends a payment whose outcome the gateway does not tell, by what an operator saw there.',
  body: z.strictObject({
    paymentId: ObjectId,
    outcome: z.enum(paymentOutcomes),
    /** The gateway’s id of the charge. */
    ref: ObjectId.optional(),
    ...actFields,
  }),
})

export const disputeWays = ['evidence', 'accept'] as const

export const disputeAnswer = defineCall({
  name: 'disputeAnswer',
  path: '/v1/operator/money/disputes/answer',
  ...byOperator,
  topics: [],
  summary: 'Answers a bank about a dispute, once: with evidence, or by accepting it.',
  body: z.strictObject({
    disputeId: ObjectId,
    way: z.enum(disputeWays),
    /** In the operator’s words; of evidence alone. */
    text: z.string().trim().max(5000).default(''),
    ...actFields,
  }),
})

export const paymentAsk = defineCall({
  name: 'paymentAsk',
  path: '/v1/operator/money/ask',
  ...byStaff,
  topics: [],
  summary: 'Has the gateway asked now how a payment ended.',
  body: z.strictObject({ paymentId: ObjectId }),
})
