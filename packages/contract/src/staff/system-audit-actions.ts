/** Actions that the audit log records of acts of staff on the deployment itself. */
export const systemAuditActions = [
  'system.retryJob',
  'system.discardJob',
  'system.resendMail',
  'system.applyCatalog',
  'system.openOrders',
  'system.closeOrders',
  'system.stopDrain',
  'system.backUp',
] as const
