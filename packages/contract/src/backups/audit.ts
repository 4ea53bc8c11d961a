/** What the audit log records of backups. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const backupsAuditVerbs = {
  backup: [
    'create',
    'update',
    'pause',
    'resume',
    'run',
    'cancel',
    'restore',
    'unlock',
    'delete',
    'undelete',
    'unprune',
    'prove',
    'cancelProof',
    'damage',
    'alarm',
    'answerAlarm',
    'save',
    'stop',
    'grant',
    'look',
  ],
} as const
export type BackupsAuditKind = keyof typeof backupsAuditVerbs
export type BackupsAuditAction = AuditActionOf<typeof backupsAuditVerbs>
