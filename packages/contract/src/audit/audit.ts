/** Kinds of objects whose changes the audit log records, and their ids. The actions are in `audit-actions.ts`. */
import { z } from 'zod'
import type { AuditFieldReason } from './field-reasons.ts'

export const auditKinds = [
  'session',
  'account',
  'cluster',
  'instance',
  'operation',
  'backup',
  'coupon',
  'invoice',
  'plan',
  'payment',
  'alertRule',
  'metricsToken',
  'card',
  'domain',
  'log',
  'support',
  'system',
] as const
export type AuditKind = (typeof auditKinds)[number]

/** Id of an object of any kind. */
export const AuditObjectId = z.string().regex(/^[\w:.-]{1,64}$/, 'objectId' satisfies AuditFieldReason)
