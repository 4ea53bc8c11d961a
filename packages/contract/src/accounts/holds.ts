/** Suspensions as their owner sees them: why, until when, and the answer (issue 33, point 6). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, WireBool } from '../wire/fields.ts'

export const holdReasons = ['disputed', 'abuse', 'unpaid', 'legal', 'asked'] as const
export const holdScopes = ['servers', 'visitors'] as const
export const HoldId = z.string().regex(/^hd_[a-z0-9]{8,40}$/)

/** A suspension of an account or of one of its clusters. */
export const Hold = z.object({
  holdId: HoldId,
  clusterId: ClusterId.nullable(),
  /** `servers`: stopped; `visitors`: they run, and visitors are turned away. */
  scope: z.enum(holdScopes),
  reason: z.enum(holdReasons),
  /** The reason as the customer reads it. */
  text: z.string(),
  since: IsoTime,
  answerBy: IsoTime.nullable(),
  /** Null: until it is released. */
  until: IsoTime.nullable(),
  answer: z.object({ text: z.string(), at: IsoTime }).nullable(),
})
export type Hold = z.infer<typeof Hold>

export const userSupportAsk = defineCall({
  name: 'userSupportAsk',
  path: '/v2/user/support-ask',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'Why support asks to look at this account, where the deployment has support ask first.',
  data: z.object({ reason: z.string().nullable() }),
})

export const userSupportAnswer = defineCall({
  name: 'userSupportAnswer',
  path: '/v2/user/support-answer',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Allows support to look at this account for a day, or not.',
  /** `reason`: the one that was read; another one that support gave since then is not answered by it. */
  body: z.strictObject({ allows: WireBool, reason: z.string().max(1000) }),
})

export const userHolds = defineCall({
  name: 'userHolds',
  path: '/v2/user/holds',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'Suspensions of this account and its clusters, with their reasons.',
  data: z.array(Hold),
})

export const userHoldAnswer = defineCall({
  name: 'userHoldAnswer',
  path: '/v2/user/holds/answer',
  reach: 'private',
  rate: 'change',
  topics: ['account'],
  summary: 'Answers a suspension of this account; a later answer takes the place of the one before.',
  body: z.strictObject({ holdId: HoldId, text: z.string().trim().min(1).max(2000) }),
})
