/** `/v1/domain/member…`: who has an ID under a custom domain, and who is invited to one (design/domains, "Members"). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { CompactJws, IsoTime, RequestId } from '../wire/fields.ts'
import { pageOf, pageQuery } from '../wire/paging.ts'

/** In front of the @; as typed, the server says what is wrong with it. */
const MemberName = z.string().min(1).max(260)
const Domain = z.string().max(1000)

/** `invited`: nobody has it yet. `lapsed`: nor can anybody, until the one-time password is renewed. */
export const memberStates = ['joined', 'invited', 'lapsed'] as const
export type MemberState = (typeof memberStates)[number]

/** `delete` takes an invitation back, `remove` ends the ID of who has joined. */
export const memberActions = ['renew', 'mail', 'delete', 'remove'] as const

/** Where a member's cluster is reached under the domain; `*.` stands for the names of its apps. */
const MemberAddress = z.object({
  host: z.string(),
  clusterId: z.string(),
  clusterName: z.string(),
  /** Until when it has HTTPS; null: it has none yet. */
  validUntil: IsoTime.nullable(),
})
export type MemberAddress = z.infer<typeof MemberAddress>

export const DomainMember = z.object({
  name: z.string(),
  /** `name@domain`. */
  terminusName: z.string(),
  /** Whose ID it is; null while nobody has it. */
  userid: z.string().nullable(),
  /** The domain's owner. */
  isAdmin: z.boolean(),
  email: z.string().nullable(),
  state: z.enum(memberStates),
  /** Until when the one-time password works; null where there is none. */
  expireAt: IsoTime.nullable(),
  joinedAt: IsoTime.nullable(),
  createAt: IsoTime,
  actions: z.array(z.enum(memberActions)),
  addresses: z.array(MemberAddress),
})
export type DomainMember = z.infer<typeof DomainMember>

/** Answered once: only a hash of the password is kept. */
const Invited = z.object({
  member: DomainMember,
  oneTimePassword: z.string(),
  /** Whether it was mailed too. */
  mailed: z.boolean(),
})
export type Invited = z.infer<typeof Invited>

const one = { domain: Domain, name: MemberName }

export const domainMembers = defineCall({
  name: 'domainMembers',
  path: '/v1/domain/members',
  reach: 'private',
  reads: true,
  topics: ['domain', 'account', 'cluster'],
  summary:
    'People with an ID under the domain, with the addresses of their clusters, then those who are invited to one.',
  body: pageQuery({ domain: Domain }),
  data: pageOf({
    members: z.array(DomainMember),
    /** Why nobody can be invited now. */
    refused: z.string().optional(),
  }),
})

export const memberAdd = defineCall({
  name: 'memberAdd',
  path: '/v1/domain/member/add',
  reach: 'private',
  rate: 'mail',
  topics: ['domain'],
  summary: 'Invites somebody to an ID; the one-time password is told once, and mailed where an email is given.',
  body: z.strictObject({ ...one, email: z.string().max(320).optional(), requestId: RequestId.optional() }),
  data: Invited,
})

export const memberPassword = defineCall({
  name: 'memberPassword',
  path: '/v1/domain/member/password',
  reach: 'private',
  rate: 'mail',
  topics: ['domain'],
  summary: 'Makes another one-time password; the one before no longer works.',
  body: z.strictObject(one),
  data: Invited,
})

export const memberEmail = defineCall({
  name: 'memberEmail',
  path: '/v1/domain/member/email',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: 'Mails an invitation, with another one-time password.',
  body: z.strictObject({ ...one, email: z.string().max(320) }),
  data: Invited,
})

export const memberDelete = defineCall({
  name: 'memberDelete',
  path: '/v1/domain/member/delete',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: 'Takes an invitation back, or ends the ID of a member who has joined, which is typed as `confirm`.',
  body: z.strictObject({ ...one, confirm: z.string().max(1000).optional() }),
})

export const memberJoin = defineCall({
  name: 'memberJoin',
  path: '/v1/domain/member/join',
  reach: 'self',
  rate: 'name',
  topics: ['domain', 'account'],
  summary:
    "Takes an ID under somebody's domain: with the one-time password, or with an email that the domain's rule names.",
  body: z.strictObject({ jws: CompactJws }),
  data: z.object({ terminus_name: z.string() }),
})

/**
 * The statement that a wallet signs to join (wire, "Domains: what wallets do"). Without a password it joins by its
 * account's email, which only `member/join` knows. Times in seconds.
 */
export const JoinPayload = z.looseObject({
  member_name: MemberName,
  member_password: z.string().max(100).default(''),
  org_domain: z.string().min(1).max(1000),
})
