/** What this module's own checks of fields say, by the key that its schemas carry as their message. */
import type { FieldReasons } from '../wire/field-reasons.ts'

export const auditFieldReasons = {
  objectId: { 'en-US': 'must be the id of an object', 'zh-CN': '必须是对象的 ID' },
} as const satisfies FieldReasons

export type AuditFieldReason = keyof typeof auditFieldReasons
