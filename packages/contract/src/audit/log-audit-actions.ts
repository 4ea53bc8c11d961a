/** Actions that the audit log records about itself. */
export const logAuditActions = ['log.convert'] as const
