/** Texts of this module's own field checks, by the key that a schema carries as its message. */
import type { FieldReasons } from '../wire/field-reasons.ts'
import { words } from '../wire/words.ts'

export const auditFieldReasons = {
  objectId: words('must be the id of an object', '必须是对象的 ID'),
} as const satisfies FieldReasons

export type AuditFieldReason = keyof typeof auditFieldReasons
