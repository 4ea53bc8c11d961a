/** `/v1/domain/transfer…`: a domain in use is handed on to a member; both sign (design/domains, "Steps"). */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { CompactJws, DidOrKeyId, IsoTime } from '../wire/fields.ts'

const TypedDomain = z.string().max(1000)

export const DomainTransfer = z.object({
  id: z.string(),
  domain: z.string(),
  /** How the domain is shown. */
  shown: z.string(),
  /** `name@domain` of the present owner. */
  from: z.string(),
  to: z.string(),
  toUserid: z.string(),
  /** The present owner has signed: it can be accepted. */
  isSigned: z.boolean(),
  until: IsoTime,
})
export type DomainTransfer = z.infer<typeof DomainTransfer>

/** The statement that the present owner signs. `time` in ms. */
export const TransferPayload = z.looseObject({
  transfer: z.string().min(1).max(100),
  domain: z.string().min(1).max(300),
  /** Whose it becomes. */
  to: DidOrKeyId,
  time: z.number(),
})

export const domainTransfer = defineCall({
  name: 'domainTransfer',
  path: '/v1/domain/transfer',
  reach: 'private',
  rate: 'mail',
  topics: ['domain'],
  summary: 'Offers a domain in use to one of its members, for a day. Nothing changes until both have signed.',
  body: z.strictObject({
    domain: TypedDomain,
    /** The member's name, with the domain or without. */
    to: z.string().min(1).max(260),
  }),
  data: DomainTransfer,
})

export const domainTransferSign = defineCall({
  name: 'domainTransferSign',
  path: '/v1/domain/transfer/sign',
  reach: 'private',
  origins: 'ownWallet',
  rate: 'change',
  topics: ['domain'],
  summary: 'Takes the signature of the owner who hands the domain on.',
  body: z.strictObject({ domain: TypedDomain, jws: CompactJws }),
  data: DomainTransfer,
})

export const domainTransferAccept = defineCall({
  name: 'domainTransferAccept',
  path: '/v1/domain/transfer/accept',
  reach: 'self',
  origins: 'ownWallet',
  rate: 'change',
  topics: ['domain', 'account'],
  summary: 'Takes a domain over with an application for its credential: the old one is revoked, a new one issued.',
  body: z.strictObject({ domain: TypedDomain, jws: CompactJws }),
  data: z.object({
    credential_response: z.looseObject({}),
    verifiableCredentials: z.array(z.string()),
    responseJwt: z.string(),
  }),
})

export const domainTransferDelete = defineCall({
  name: 'domainTransferDelete',
  path: '/v1/domain/transfer/delete',
  reach: 'private',
  rate: 'change',
  topics: ['domain'],
  summary: 'Takes the offer back, or, asked by the one it was made to, declines it.',
  body: z.strictObject({ domain: TypedDomain }),
})
