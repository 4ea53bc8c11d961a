/** What the audit log records of what is watched, and of who may read measurements. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const observeAuditVerbs = { alertRule: ['change', 'changeAll'], metricsToken: ['make', 'revoke'] } as const
export type ObserveAuditKind = keyof typeof observeAuditVerbs
export type ObserveAuditAction = AuditActionOf<typeof observeAuditVerbs>
