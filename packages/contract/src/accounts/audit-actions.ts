/** Actions that the audit log records about accounts, with those on sign-ins. */
import { sessionAuditActions } from './sessions.ts'

export const accountsAuditActions = [
  ...sessionAuditActions,
  'account.create',
  'account.export',
  'account.close',
  'account.keep',
  'account.erase',
  'account.bindName',
  'account.setEmail',
  'account.removeEmail',
  'account.setAvatar',
  'account.grantAdmin',
  'account.revokeAdmin',
  'account.makeSupport',
  'account.makeOperator',
  'account.endStaff',
  'account.setQuota',
  'account.allowCreate',
  'account.forbidCreate',
  'account.allowMail',
  'account.forbidMail',
  'account.credit',
  'account.debit',
  'account.travel',
  'account.grantPromo',
] as const
