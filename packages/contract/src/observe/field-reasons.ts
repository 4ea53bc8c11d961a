/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const observeFieldReasons = {
  alertLevel: words('must be given for this rule', '此规则必须填写该值'),
  alertNoLevel: words('must be left out: this rule has no such level', '此规则没有该值，请勿填写'),
  alertClearBelow: words('must not be above the level at which it fires', '不能高于触发值'),
} as const satisfies FieldReasons

export type ObserveFieldReason = keyof typeof observeFieldReasons
