/** What `/v1/audit` is asked for. Apart from its answers, so that a page's address can be read without them. */
import { z } from 'zod'
import { Did, IsoTime, SessionId } from '../wire/fields.ts'
import { AuditObjectId, auditActions, auditKinds } from './audit.ts'

/** What of the log is asked for; every field narrows. Times are inclusive below and exclusive above. */
export const auditFilters = {
  action: z.enum(auditActions).optional(),
  kind: z.enum(auditKinds).optional(),
  object: AuditObjectId.optional(),
  /** Userid of who did it. */
  actor: Did.optional(),
  sessionId: SessionId.optional(),
  from: IsoTime.optional(),
  to: IsoTime.optional(),
}
export const AuditFilter = z.strictObject(auditFilters)
export type AuditFilter = z.infer<typeof AuditFilter>
