/** Notices of an account about its plan's quotas until they change (spec §4, "Notice kinds"; design/usage). */
import { z } from 'zod'
import { defineCall } from '../../wire/call.ts'
import { IsoTime } from '../../wire/fields.ts'
import { MeteredProduct } from './products.ts'

export const noticeKinds = ['NORMAL', 'EXPIRED', 'SUCCESSFUL'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/**
 * - `usageNear`: 80 % of the quota are used.
 * - `usageCharged`: the quota is used up, and more is charged for.
 * - `usageLimited`: the quota is used up, and more is stopped.
 * - `usageOpen`: it was stopped, and goes on.
 */
export const noticeKeys = ['usageNear', 'usageCharged', 'usageLimited', 'usageOpen'] as const
export type NoticeKey = (typeof noticeKeys)[number]
export const noticeKindOf: Readonly<Record<NoticeKey, NoticeKind>> = {
  usageNear: 'NORMAL',
  usageCharged: 'EXPIRED',
  usageLimited: 'EXPIRED',
  usageOpen: 'SUCCESSFUL',
}

/** One a product: the next takes its place. */
export const Notice = z.object({
  kind: z.enum(noticeKinds),
  key: z.enum(noticeKeys),
  /** The product that the notice is about. */
  object: MeteredProduct,
  params: z.object({
    /** As `plan/usage` had it then, in `unitLabel`. */
    used: z.number(),
    quota: z.number(),
    unitLabel: z.string(),
    /** Major units, as decimal text, for each unit above the quota; null where the product stops there. */
    rate: z.string().nullable(),
    currency: z.string(),
  }),
  /** Since when it is so, wall clock; null: from before that was kept, or by a server that does not say. */
  since: IsoTime.nullable().default(null),
  /** After this it is not shown any more. */
  until: IsoTime,
})
export type Notice = z.infer<typeof Notice>

export const noticeSeen = defineCall({
  name: 'noticeSeen',
  path: '/v1/bill/notice/seen',
  reach: 'self',
  rate: 'change',
  topics: ['account'],
  summary: 'Puts away what went well; a notice of any other kind stays until its cause is gone.',
  body: z.strictObject({ object: MeteredProduct }),
})
