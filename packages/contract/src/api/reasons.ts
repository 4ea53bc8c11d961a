/**
 * Reasons for failures, as they are stored and sent: a key with parameters, and perhaps its cause. They are kept as
 * data, so that each reader gets them in their own language. Each module's keys stand with the module
 * (`<module>/reasons.ts`) and are joined here; `reasonText` of `@atoll/texts/reasons` has the sentences.
 */
import { z } from 'zod'
import { backupsReasons } from '../backups/reasons.ts'
import { clustersReasons } from '../clusters/reasons.ts'
import { paymentsReasons } from '../payments/reasons.ts'
import { wireReasons } from '../wire/reasons.ts'

export const reasonKeys = [...wireReasons, ...backupsReasons, ...clustersReasons, ...paymentsReasons] as const
export type ReasonKey = (typeof reasonKeys)[number]

const ReasonPart = z.object({
  key: z.enum(reasonKeys),
  params: z.record(z.string().max(40), z.union([z.string().max(600), z.number()])).optional(),
})
/** `cause` stands behind it: "It did not stop in time. The provider said last: 503." */
export const Reason = ReasonPart.extend({ cause: ReasonPart.optional() })
export type Reason = z.infer<typeof Reason>
