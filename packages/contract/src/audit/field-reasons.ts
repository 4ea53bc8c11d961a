/** Keys of this module's own field checks, each the message of a schema. */
export const auditFieldReasons = ['objectId'] as const

export type AuditFieldReason = (typeof auditFieldReasons)[number]
