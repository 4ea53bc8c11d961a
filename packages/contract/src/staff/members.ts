/** `/v1/operator/staff`: who runs the deployment for others. */
import { z } from 'zod'
import { auditActions } from '../audit/audit-actions.ts'
import { defineCall } from '../wire/call.ts'
import { staffRoles } from '../wire/enums.ts'
import { IsoTime } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'
import { actFields } from './approvals.ts'
import { byOperatorOnCustomer, readByStaff } from './who-calls.ts'

/** A person as staff see one: by the account's own id, which outlives the DID. */
export const StaffPerson = z.object({
  accountId: z.string(),
  userid: z.string(),
  terminusName: z.string().nullable(),
})
export type StaffPerson = z.infer<typeof StaffPerson>

export const StaffMember = z.object({
  person: StaffPerson,
  role: z.enum(staffRoles),
  since: IsoTime,
  /** Null: the operator's command. */
  grantedBy: StaffPerson.nullable(),
  /** The newest record of what they did; null: nothing yet. */
  lastAct: z.object({ at: IsoTime, action: z.enum(auditActions), objectName: z.string().nullable() }).nullable(),
})
export type StaffMember = z.infer<typeof StaffMember>

export const staffPage = defineCall({
  name: 'staffPage',
  path: '/v1/operator/staff/page',
  ...readByStaff,
  topics: ['account'],
  summary: 'People with a staff role, since when and by whom, operators first.',
  body: pageQuery({}),
  data: pageOf({ members: z.array(StaffMember) }),
})

export const staffChange = defineCall({
  name: 'staffChange',
  path: '/v1/operator/staff/change',
  ...byOperatorOnCustomer,
  summary: 'Gives somebody a staff role, or ends it; approved in the wallet.',
  body: z.strictObject({
    /** An ID (`name@domain`) or a DID. */
    who: z.string().trim().min(3).max(256),
    role: z.enum([...staffRoles, 'end']),
    ...actFields,
  }),
})
