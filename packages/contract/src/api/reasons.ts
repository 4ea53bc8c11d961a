/**
 * Reasons for failures, as they are stored and sent: a key with parameters, and perhaps its cause. They are kept as
 * data, so that each reader gets them in their own language. Each module's rows stand with the module
 * (`<module>/reasons.ts`) and are joined here.
 */
import { z } from 'zod'
import { backupsReasons } from '../backups/reasons.ts'
import { operationKindTable } from '../clusters/operations.ts'
import { clustersReasons } from '../clusters/reasons.ts'
import { paymentsReasons } from '../payments/reasons.ts'
import type { Locale } from '../wire/constants.ts'
import { type Reasons, wireReasons } from '../wire/reasons.ts'
import { fillText, type ParamLabels } from './fill-text.ts'

export const reasonTexts = {
  ...wireReasons,
  ...backupsReasons,
  ...clustersReasons,
  ...paymentsReasons,
} as const satisfies Reasons
export type ReasonKey = keyof typeof reasonTexts
export const reasonKeys = Object.keys(reasonTexts) as [ReasonKey, ...ReasonKey[]]

const labels: ParamLabels = { kind: operationKindTable }

const ReasonPart = z.object({
  key: z.enum(reasonKeys),
  params: z.record(z.string().max(40), z.union([z.string().max(600), z.number()])).optional(),
})
/** `cause` stands behind it: "It did not stop in time. The provider said last: 503." */
export const Reason = ReasonPart.extend({ cause: ReasonPart.optional() })
export type Reason = z.infer<typeof Reason>

/** The sentence, or the two, of `reason` in `locale`. */
export function reasonText(reason: Reason, locale: Locale): string {
  const words = (part: z.infer<typeof ReasonPart>) =>
    fillText(reasonTexts[part.key][locale], locale, part.params ?? {}, labels)
  if (!reason.cause) return words(reason)
  return `${words(reason)}${locale === 'zh-CN' ? '' : ' '}${words(reason.cause)}`
}
