/** Actions that the audit log records about money. */
export const billingAuditActions = [
  'coupon.redeem',
  'invoice.pay',
  'invoice.credit',
  'invoice.giveUp',
  'plan.setCap',
  'plan.fall',
  'plan.change',
  'payment.charge',
  'payment.decline',
  'payment.dispute',
  'payment.adopt',
  'payment.refund',
  'payment.endRefund',
] as const
