/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const accountsFieldReasons = {
  signInSecret: words('must be 32 hex characters', '必须是 32 个十六进制字符'),
  browserKey: words('must be 64 hex characters', '必须是 64 个十六进制字符'),
  twoDigits: words('must be two digits', '必须是两位数字'),
} as const satisfies FieldReasons

export type AccountsFieldReason = keyof typeof accountsFieldReasons
