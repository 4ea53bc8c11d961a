/** `/v1/audit`: who did what to which object, from which session and address, before and after. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Did, IsoTime, SessionId } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { AuditObjectId, auditKinds } from './audit.ts'
import { auditActions } from './audit-actions.ts'

/** Facts of an object: flat, and never a secret. */
export const AuditFacts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export type AuditFacts = z.infer<typeof AuditFacts>

export const AuditRecord = z.object({
  /** Position in the log of the deployment; each record is chained to the one before it. */
  seq: z.int(),
  at: IsoTime,
  /** Null: the system itself, or its operator; of an erased record, anybody. */
  actor: z.object({ userid: z.string(), terminusName: z.string().nullable() }).nullable(),
  /** The session it was done from; null where there was none. */
  sessionId: z.string().nullable(),
  /** Address of the client; null where there was none. */
  ip: z.string().nullable(),
  action: z.enum(auditActions),
  object: z.object({
    kind: z.enum(auditKinds),
    /** Null: erased. */
    id: z.string().nullable(),
    /** The object's display name; null without one. */
    name: z.string().nullable(),
    /** Null: the log's own, or of an account that is erased. */
    owner: z.object({ userid: z.string(), terminusName: z.string().nullable() }).nullable(),
  }),
  before: AuditFacts.nullable(),
  after: AuditFacts.nullable(),
  /** Its personal fields are deleted, because a person in it was erased. */
  isErased: z.boolean().default(false),
})
export type AuditRecord = z.infer<typeof AuditRecord>

/** Filters of the log; each one narrows. Times are inclusive below and exclusive above. */
const filters = {
  action: z.enum(auditActions).optional(),
  kind: z.enum(auditKinds).optional(),
  object: AuditObjectId.optional(),
  /** Userid of who did it. */
  actor: Did.optional(),
  sessionId: SessionId.optional(),
  from: IsoTime.optional(),
  to: IsoTime.optional(),
}
export const AuditFilter = z.strictObject(filters)
export type AuditFilter = z.infer<typeof AuditFilter>

export const auditPage = defineCall({
  name: 'auditPage',
  path: '/v1/audit/page',
  reach: 'list',
  reads: true,
  topics: ['cluster', 'account', 'session'],
  summary: 'Acts on the objects of this account and acts by it, newest first; an Admin sees all accounts.',
  body: pageQuery(filters),
  data: pageOf({ records: z.array(AuditRecord) }),
})

/** The same as CSV, streamed: POST with the fields of `AuditFilter`; a refusal is an envelope in JSON. */
export const auditExportPath = '/v1/audit/export'
