/** The abuse desk: which cluster had a host or an address at a time, and the reports that came in. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { ClusterId, IsoTime, RequestId } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { StaffPerson } from './members.ts'
import { byStaff, readByStaff } from './who-calls.ts'

/** A host, an address, or a web address of it. */
const What = z.string().trim().min(3).max(500)
export const AbuseReportId = z.string().regex(/^ab_[a-z0-9]{8,40}$/)

export const AddressHolder = z.object({
  clusterId: ClusterId,
  clusterName: z.string(),
  person: StaffPerson,
  /** As it was found: what was asked for, or the host above it. */
  value: z.string(),
  from: IsoTime,
  /** Null: it has it still. */
  until: IsoTime.nullable(),
})
export type AddressHolder = z.infer<typeof AddressHolder>

export const abuseFind = defineCall({
  name: 'abuseFind',
  path: '/v1/operator/abuse/find',
  ...readByStaff,
  topics: [],
  summary: 'Which cluster had a host or an address at a time of the last 90 days, to the minute.',
  body: z.strictObject({
    what: What,
    /** Absent: at any time. */
    at: IsoTime.optional(),
  }),
  data: z.object({ holders: z.array(AddressHolder) }),
})

export const abuseOutcomes = ['suspended', 'warned', 'unfounded', 'notOurs'] as const
export type AbuseOutcome = (typeof abuseOutcomes)[number]

export const AbuseReport = z.object({
  reportId: AbuseReportId,
  what: z.string(),
  /** When it was seen. */
  seenAt: IsoTime,
  reporter: z.string(),
  text: z.string(),
  clusterId: ClusterId.nullable(),
  /** Whose cluster that was; null: nobody's here. */
  person: StaffPerson.nullable(),
  writtenAt: IsoTime,
  closed: z.object({ at: IsoTime, outcome: z.enum(abuseOutcomes), text: z.string() }).nullable(),
})
export type AbuseReport = z.infer<typeof AbuseReport>

export const abusePage = defineCall({
  name: 'abusePage',
  path: '/v1/operator/abuse/page',
  ...readByStaff,
  topics: ['account'],
  summary: 'Reports of abuse, those that are open first, the oldest of them first.',
  body: pageQuery({}),
  data: pageOf({ reports: z.array(AbuseReport) }),
})

export const abuseReport = defineCall({
  name: 'abuseReport',
  path: '/v1/operator/abuse/report',
  ...byStaff,
  topics: ['account'],
  summary: 'Writes a report of abuse down, with the customer whose cluster had that host or address then.',
  body: z.strictObject({
    what: What,
    seenAt: IsoTime,
    reporter: z.string().trim().min(2).max(200),
    text: z.string().trim().min(4).max(4000),
    requestId: RequestId.optional(),
  }),
  data: z.object({ reportId: AbuseReportId, person: StaffPerson.nullable() }),
})

export const abuseClose = defineCall({
  name: 'abuseClose',
  path: '/v1/operator/abuse/close',
  ...byStaff,
  topics: ['account'],
  summary: 'Closes a report: what came of it, and why.',
  body: z.strictObject({
    reportId: AbuseReportId,
    outcome: z.enum(abuseOutcomes),
    text: z.string().trim().min(4).max(2000),
    requestId: RequestId.optional(),
  }),
})
