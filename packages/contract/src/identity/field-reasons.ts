/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const identityFieldReasons = {
  scannedCode: words('a scanned code cannot bind a name', '扫描得到的二维码不能用来绑定名称'),
} as const satisfies FieldReasons

export type IdentityFieldReason = keyof typeof identityFieldReasons
