/** What this module's own checks of fields say, by the key that its schemas carry as their message. */
import type { FieldReasons } from '../wire/field-reasons.ts'

export const observeFieldReasons = {
  alertLevel: { 'en-US': 'must be given for this rule', 'zh-CN': '此规则必须填写该值' },
  alertNoLevel: { 'en-US': 'must be left out: this rule has no such level', 'zh-CN': '此规则没有该值，请勿填写' },
  alertClearBelow: {
    'en-US': 'must not be above the level at which it fires',
    'zh-CN': '不能高于触发值',
  },
} as const satisfies FieldReasons

export type ObserveFieldReason = keyof typeof observeFieldReasons
