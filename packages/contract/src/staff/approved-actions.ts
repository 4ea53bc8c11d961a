import type { AuditAction } from '../audit/audit-labels.ts'
import { lookUp } from '../wire/read-open.ts'
import type { ApprovalAct } from './approvals.ts'

/** What stands in the audit log only with a signature over this act, unless a command of the operator's did it. */
const acts = {
  'account.makeSupport': 'staffChange',
  'account.makeOperator': 'staffChange',
  'account.endStaff': 'staffChange',
  'support.suspend': 'suspend',
  'support.release': 'release',
  'support.credit': 'credit',
  'support.refund': 'refund',
} as const satisfies Partial<Record<AuditAction, ApprovalAct>>

export function approvedActOf(action: string): ApprovalAct | undefined {
  return lookUp<string, ApprovalAct | undefined>(acts, action, undefined)
}
