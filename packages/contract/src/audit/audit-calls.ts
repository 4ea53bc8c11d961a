/** `/v1/audit`: who did what to which object, from which session and address, before and after. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { IsoTime } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { auditActions, auditKinds } from './audit.ts'
import { auditFilters } from './audit-filter.ts'

/** Facts of an object: flat, and never a secret. */
export const AuditFacts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
export type AuditFacts = z.infer<typeof AuditFacts>

export const AuditRecord = z.object({
  /** Position in the log of the deployment; each record is chained to the one before it. */
  seq: z.int(),
  at: IsoTime,
  /** Null: the system itself, or its operator. */
  actor: z.object({ userid: z.string(), terminusName: z.string().nullable() }).nullable(),
  /** The session it was done from; null where there was none. */
  sessionId: z.string().nullable(),
  /** Address of the client; null where there was none. */
  ip: z.string().nullable(),
  action: z.enum(auditActions),
  object: z.object({
    kind: z.enum(auditKinds),
    id: z.string(),
    /** What people call it; null where it has no name. */
    name: z.string().nullable(),
    owner: z.object({ userid: z.string(), terminusName: z.string().nullable() }),
  }),
  before: AuditFacts.nullable(),
  after: AuditFacts.nullable(),
})
export type AuditRecord = z.infer<typeof AuditRecord>

export const auditPage = defineCall({
  name: 'auditPage',
  path: '/v1/audit/page',
  topics: ['cluster', 'account', 'session'],
  summary: 'What was done to the objects of this account and by it, newest first; an Admin sees all accounts.',
  body: pageQuery(auditFilters),
  data: pageOf({ records: z.array(AuditRecord) }),
})

/** The same as CSV, streamed: POST with the fields of `AuditFilter`; a refusal is an envelope in JSON. */
export const auditExportPath = '/v1/audit/export'
