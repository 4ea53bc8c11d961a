/** What the audit log records of cards. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const paymentsAuditVerbs = { card: ['add', 'replace', 'remove', 'setDefault'] } as const
export type PaymentsAuditKind = keyof typeof paymentsAuditVerbs
export type PaymentsAuditAction = AuditActionOf<typeof paymentsAuditVerbs>
