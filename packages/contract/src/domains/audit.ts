/** What the audit log records of custom domains. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const domainsAuditVerbs = {
  domain: [
    'add',
    'prove',
    'delegate',
    'issue',
    'present',
    'serve',
    'allocate',
    'setRule',
    'setMethod',
    'restart',
    'lapse',
    'lose',
    'regain',
    'revoke',
    'claim',
    'contest',
    'defend',
    'refuse',
    'unclaim',
    'release',
    'remove',
    'invite',
    'renewInvite',
    'withdrawInvite',
    'join',
    'renewCredential',
    'offer',
    'signOffer',
    'withdrawOffer',
    'declineOffer',
    'handOver',
    'takeOver',
  ],
} as const
export type DomainsAuditKind = keyof typeof domainsAuditVerbs
export type DomainsAuditAction = AuditActionOf<typeof domainsAuditVerbs>
