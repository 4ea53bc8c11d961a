/** `/v2/user`: the account, and the end of its session (spec §3; design/api). Signing in is `sign-in.ts`. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { roles, staffRoles } from '../wire/enums.ts'
import { Did, IsoTime, Millis } from '../wire/fields.ts'

/** The account as clients see it (spec §3). */
export const User = z.object({
  userid: Did,
  /** `name@domain`; null while no ID is bound. */
  terminusName: z.string().nullable(),
  /** Address of the picture; null: the one made from the DID. */
  avatar: z.string().nullable(),
  email: z.string().nullable(),
  canCreateCluster: z.boolean(),
  vCpuQuota: z.int(),
  planLevel: z.int(),
  planLevelStr: z.string(),
  accessLimit: z.boolean(),
  /** An Admin, granted by the operator, sees every user's clusters. Accounts stored by older versions name none. */
  role: z.enum(roles).default('User'),
  /** The role in the operator's area; null for a customer. */
  staff: z.enum(staffRoles).nullable().default(null),
  /** Something of it is suspended, or support asks to look at it: `userHolds` and `userSupportAsk` say why. */
  isHeld: z.boolean().default(false),
  /** When the account ends that is closing; null: it is not. */
  closesAt: IsoTime.nullable().default(null),
  /** IANA name of the zone its deadlines are written in; null: not known yet. */
  timeZone: z.string().nullable().default(null),
})
export type User = z.infer<typeof User>

/** An account with its session, given exactly once per approved code. `expired` in ms. */
export const SignedIn = User.extend({ token: z.string(), expired: Millis })
export type SignedIn = z.infer<typeof SignedIn>

export const userInfo = defineCall({
  name: 'userInfo',
  path: '/v2/user/info',
  reach: 'self',
  reads: true,
  topics: ['account'],
  summary: 'The account that is signed in.',
  data: User,
})

export const logout = defineCall({
  name: 'logout',
  path: '/v2/user/logout',
  reach: 'self',
  rate: 'change',
  topics: ['session'],
  summary: 'Ends this session.',
})
