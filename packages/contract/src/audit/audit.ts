/**
 * What can be done to which object, for the audit log (`audit-calls.ts`) and whoever names parts of it: the verbs of
 * every module, joined.
 */
import { z } from 'zod'
import { accountsAuditVerbs } from '../accounts/audit.ts'
import { backupsAuditVerbs } from '../backups/audit.ts'
import { billingAuditVerbs } from '../billing/audit.ts'
import { clustersAuditVerbs } from '../clusters/audit.ts'
import { domainsAuditVerbs } from '../domains/audit.ts'
import { observeAuditVerbs } from '../observe/audit.ts'
import { paymentsAuditVerbs } from '../payments/audit.ts'
import type { AuditActionOf } from './audit-verbs.ts'
import type { AuditFieldReason } from './field-reasons.ts'

/** What can be done to each kind of object; an action on the wire is `kind.verb`, such as `cluster.start`. */
export const auditVerbs = {
  ...accountsAuditVerbs,
  ...clustersAuditVerbs,
  ...backupsAuditVerbs,
  ...billingAuditVerbs,
  ...observeAuditVerbs,
  ...paymentsAuditVerbs,
  ...domainsAuditVerbs,
} as const
export type AuditKind = keyof typeof auditVerbs
export const auditKinds = Object.keys(auditVerbs) as [AuditKind, ...AuditKind[]]
export type AuditAction = AuditActionOf<typeof auditVerbs>
/** Every action, grouped by kind. */
export const auditActions = auditKinds.flatMap((kind) => auditVerbs[kind].map((verb) => `${kind}.${verb}`)) as [
  AuditAction,
  ...AuditAction[],
]

/** Id of an object of any kind. */
export const AuditObjectId = z.string().regex(/^[\w:.-]{1,64}$/, 'objectId' satisfies AuditFieldReason)
