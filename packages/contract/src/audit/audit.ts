/** What can be done to which object, for the audit log (`audit-calls.ts`) and whoever names parts of it. */
import { z } from 'zod'
import { fieldReason } from '../wire/field-reasons.ts'

/** What can be done to each kind of object; an action on the wire is `kind.verb`, such as `cluster.start`. */
export const auditVerbs = {
  session: ['signIn', 'signOut', 'revoke'],
  account: [
    'create',
    'bindName',
    'setEmail',
    'removeEmail',
    'setAvatar',
    'grantAdmin',
    'revokeAdmin',
    'setQuota',
    'allowCreate',
    'forbidCreate',
  ],
  cluster: [
    'create',
    'rename',
    'start',
    'stop',
    'restart',
    'retry',
    'destroy',
    'repair',
    'cancel',
    'issueToken',
    'resetPassword',
    'activate',
    'setPassword',
  ],
  instance: [
    'add',
    'start',
    'stop',
    'restart',
    'retry',
    'destroy',
    'cancel',
    'repair',
    'join',
    'lose',
    'return',
    'vanish',
    'recover',
    'fail',
  ],
  operation: ['cancel'],
} as const
export type AuditKind = keyof typeof auditVerbs
export const auditKinds = Object.keys(auditVerbs) as [AuditKind, ...AuditKind[]]
export type AuditAction = { [Kind in AuditKind]: `${Kind}.${(typeof auditVerbs)[Kind][number]}` }[AuditKind]
/** Every action, grouped by kind. */
export const auditActions = auditKinds.flatMap((kind) => auditVerbs[kind].map((verb) => `${kind}.${verb}`)) as [
  AuditAction,
  ...AuditAction[],
]

/** Id of an object of any kind. */
export const AuditObjectId = z.string().regex(/^[\w:.-]{1,64}$/, fieldReason('objectId'))
