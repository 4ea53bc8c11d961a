/** The actions of the audit log: those of every module, joined. `@atoll/texts/audit` has their sentences. */
import { accountsAuditActions } from '../accounts/audit-actions.ts'
import { backupsAuditActions } from '../backups/audit-actions.ts'
import { billingAuditActions } from '../billing/audit-actions.ts'
import { clustersAuditActions } from '../clusters/audit-actions.ts'
import { domainsAuditActions } from '../domains/audit-actions.ts'
import { observeAuditActions } from '../observe/audit-actions.ts'
import { paymentsAuditActions } from '../payments/audit-actions.ts'
import { staffAuditActions } from '../staff/audit-actions.ts'
import { systemAuditActions } from '../staff/system-audit-actions.ts'
import type { AuditKind } from './audit.ts'
import { logAuditActions } from './log-audit-actions.ts'

/** An action on an object: `kind.verb`, such as `cluster.start`. */
export const auditActions = [
  ...clustersAuditActions,
  ...accountsAuditActions,
  ...backupsAuditActions,
  ...billingAuditActions,
  ...observeAuditActions,
  ...paymentsAuditActions,
  ...domainsAuditActions,
  ...logAuditActions,
  ...staffAuditActions,
  ...systemAuditActions,
] as const satisfies readonly `${AuditKind}.${string}`[]
export type AuditAction = (typeof auditActions)[number]
