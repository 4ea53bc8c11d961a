import type { AuditAction } from '../audit/audit-actions.ts'
import { lookUp } from '../wire/unknown-words/read-open.ts'
import type { ApprovalAct } from './approvals.ts'

/** Actions whose audit records need a signature over the act, unless an operator's command did it. */
const acts = {
  'support.rolloutStart': 'rolloutStart',
  'support.rolloutContinue': 'rolloutContinue',
  'support.rolloutBack': 'rolloutBack',
  'account.makeSupport': 'staffChange',
  'account.makeOperator': 'staffChange',
  'account.endStaff': 'staffChange',
  'support.suspend': 'suspend',
  'support.release': 'release',
  'support.erase': 'erase',
  'support.keep': 'keep',
  'support.stop': 'clusterCommand',
  'support.restart': 'clusterCommand',
  'support.repair': 'clusterCommand',
  'support.destroy': 'clusterCommand',
  'support.limits': 'limits',
  'support.drain': 'drain',
  'support.credit': 'credit',
  'support.refund': 'refund',
  'support.writeOff': 'writeOff',
  'support.adopt': 'adopt',
  'support.resolve': 'resolve',
  'support.dispute': 'dispute',
} as const satisfies Partial<Record<AuditAction, ApprovalAct>>

export function approvedActOf(action: string): ApprovalAct | undefined {
  return lookUp<string, ApprovalAct | undefined>(acts, action, undefined)
}
