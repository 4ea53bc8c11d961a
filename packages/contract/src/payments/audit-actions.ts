/** Actions that the audit log records about cards. */
export const paymentsAuditActions = ['card.add', 'card.replace', 'card.remove', 'card.setDefault'] as const
