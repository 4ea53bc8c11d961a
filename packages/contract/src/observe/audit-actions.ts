/** Actions that the audit log records about alerts and about access to measurements. */
export const observeAuditActions = [
  'alertRule.change',
  'alertRule.changeAll',
  'metricsToken.make',
  'metricsToken.revoke',
] as const
