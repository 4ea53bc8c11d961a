/** The audit log: who did what to which object, from which session and address, before and after (ADR 0010). */
export { type AuditEntry, type AuditSource, recordAudit } from './record-audit.ts'
