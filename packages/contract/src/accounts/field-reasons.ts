/** What this module's own checks of fields say, by the key that its schemas carry as their message. */
import type { FieldReasons } from '../wire/field-reasons.ts'

export const accountsFieldReasons = {
  signInSecret: { 'en-US': 'must be 32 hex characters', 'zh-CN': '必须是 32 个十六进制字符' },
  browserKey: { 'en-US': 'must be 64 hex characters', 'zh-CN': '必须是 64 个十六进制字符' },
  twoDigits: { 'en-US': 'must be two digits', 'zh-CN': '必须是两位数字' },
} as const satisfies FieldReasons

export type AccountsFieldReason = keyof typeof accountsFieldReasons
