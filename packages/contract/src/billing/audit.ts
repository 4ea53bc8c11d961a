/** What the audit log records of money: verbs by kind of object. */
import type { AuditActionOf } from '../audit/audit-verbs.ts'

export const billingAuditVerbs = {
  coupon: ['redeem'],
  invoice: ['pay', 'credit', 'giveUp'],
  plan: ['change', 'setCap', 'fall'],
  payment: ['refund'],
} as const
export type BillingAuditKind = keyof typeof billingAuditVerbs
export type BillingAuditAction = AuditActionOf<typeof billingAuditVerbs>
