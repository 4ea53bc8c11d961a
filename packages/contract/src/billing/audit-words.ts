/** What the audit log says of money, in both languages. */
import { type AuditWords, words } from '../audit/audit-words.ts'
import type { BillingAuditAction, BillingAuditKind } from './audit.ts'

export const billingAuditWords = {
  kinds: { coupon: words('Coupons', '优惠码') },
  sentences: { 'coupon.redeem': words('Redeemed the coupon {name}', '兑换了优惠码 {name}') },
  facts: {},
  values: {},
} as const satisfies AuditWords<BillingAuditKind, BillingAuditAction>
