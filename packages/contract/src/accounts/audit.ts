/** What the audit log records of accounts and sign-ins: verbs by kind of object. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const accountsAuditVerbs = {
  session: ['signIn', 'signOut', 'revoke'],
  account: [
    'create',
    'bindName',
    'setEmail',
    'removeEmail',
    'setAvatar',
    'grantAdmin',
    'revokeAdmin',
    'setQuota',
    'allowCreate',
    'forbidCreate',
    'credit',
    'debit',
    'grantPromo',
    'travel',
  ],
} as const
export type AccountsAuditKind = keyof typeof accountsAuditVerbs
export type AccountsAuditAction = AuditActionOf<typeof accountsAuditVerbs>
