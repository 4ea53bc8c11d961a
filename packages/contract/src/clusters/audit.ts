/** What the audit log records of clusters, instances and operations: verbs by kind of object. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const clustersAuditVerbs = {
  cluster: [
    'create',
    'rename',
    'start',
    'stop',
    'restart',
    'retry',
    'askDestroy',
    'keep',
    'destroy',
    'repair',
    'cancel',
    'issueToken',
    'resetPassword',
    'activate',
    'setPassword',
    'suspend',
    'resume',
    'giveUp',
  ],
  instance: [
    'add',
    'start',
    'stop',
    'restart',
    'retry',
    'askDestroy',
    'keep',
    'destroy',
    'cancel',
    'repair',
    'join',
    'lose',
    'return',
    'vanish',
    'recover',
    'fail',
    'lapse',
  ],
  operation: ['cancel'],
} as const
export type ClustersAuditKind = keyof typeof clustersAuditVerbs
export type ClustersAuditAction = AuditActionOf<typeof clustersAuditVerbs>
