/**
 * Acts that move money or stop somebody are approved in the staff member's wallet: the page begins one, shows a code,
 * the wallet reads what is asked, signs exactly that, and the page sends the signature along with the act.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import type { WireFieldReason } from '../wire/field-reasons.ts'
import { CompactJws, Currency, Did, IsoTime, RequestId } from '../wire/fields.ts'
import { byOperator } from './who-calls.ts'

export const approvalActs = [
  'rolloutStart',
  'rolloutContinue',
  'rolloutBack',

  ...(['staffChange', 'suspend', 'release', 'erase', 'keep', 'clusterCommand', 'limits', 'drain'] as const),
  ...(['credit', 'refund', 'writeOff', 'adopt', 'resolve', 'dispute'] as const),
] as const
export type ApprovalAct = (typeof approvalActs)[number]

/** How long an approval may be asked for and used, ms. */
export const approvalLifetimeMs = 5 * 60_000

export const AccountId = z.string().regex(/^ac_[0-9a-f]{32}$/)
export const ApprovalNonce = z.string().regex(/^[0-9a-f]{32}$/)
export const ActReason = z.string().trim().min(4).max(500)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Fields of every act that has to be approved. */
export const actFields = { reason: ActReason, approval: CompactJws, requestId: RequestId.optional() }

/**
 * The signed statement. It names the customer by the account's id and a salted hash of the name, so that it can be
 * verified after the customer is erased; `terms` is the hash of all fields of the act.
 */
export const ApprovalStatement = z.strictObject({
  topic: z.literal('approve'),
  act: z.enum(approvalActs),
  object: z.string().max(128),
  customer: AccountId,
  nameHash: Sha256,
  /** Minor units. */
  amount: z.int().optional(),
  currency: Currency.optional(),
  reason: ActReason,
  terms: Sha256,
  nonce: ApprovalNonce,
  /** Seconds. */
  exp: z.int(),
})
export type ApprovalStatement = z.infer<typeof ApprovalStatement>

/** As it is signed: by whose key stands in it. */
export const SignedApproval = ApprovalStatement.extend({ iss: z.string() })

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

export const approvalBegin = defineCall({
  name: 'approvalBegin',
  path: '/v1/operator/approval/begin',
  ...byOperator,
  topics: [],
  summary: 'Asks the wallet of who calls to approve an act; 30 an hour.',
  body: z.strictObject({
    act: z.enum(approvalActs),
    /** The act’s own fields with the reason, as JSON. */
    parameters: z
      .string()
      .max(8000)
      .refine(isJsonObject, 'jsonObject' satisfies WireFieldReason),
  }),
  data: z.object({
    nonce: ApprovalNonce,
    /** The text of the code to scan. */
    code: z.string(),
    expireAt: IsoTime,
  }),
})

export const approvalStates = ['waiting', 'read', 'approved', 'declined', 'expired'] as const

export const approvalState = defineCall({
  name: 'approvalState',
  path: '/v1/operator/approval/state',
  reach: 'operator',
  reads: true,
  topics: [],
  summary: 'How an approval stands, and the signature once it is there.',
  body: z.strictObject({ nonce: ApprovalNonce }),
  data: z.object({ state: z.enum(approvalStates), approval: CompactJws.nullable() }),
})

export const approvalRead = defineCall({
  name: 'approvalRead',
  path: '/v1/approval/read',
  reach: 'anyone',
  origins: 'wallets',
  rate: 'signIn',
  summary: 'A wallet has read a code: what it is asked to sign, and the name behind the hash.',
  body: z.strictObject({ nonce: ApprovalNonce }),
  data: z.object({
    statement: ApprovalStatement,
    /** Whose wallet is asked. */
    did: Did,
    /** Of the customer; the DID, where no ID is bound. */
    name: z.string(),
    /** `nameHash` is SHA-256 over salt and name. */
    salt: z.string(),
  }),
})

export const approvalDeliver = defineCall({
  name: 'approvalDeliver',
  path: '/v1/approval/deliver',
  reach: 'anyone',
  origins: 'wallets',
  rate: 'signIn',
  summary: 'A wallet delivers the signed approval.',
  body: z.strictObject({ jws: CompactJws }),
})

export const approvalDecline = defineCall({
  name: 'approvalDecline',
  path: '/v1/approval/decline',
  reach: 'anyone',
  origins: 'wallets',
  rate: 'signIn',
  summary: 'A wallet will not approve; the page that asked is told.',
  body: z.strictObject({ nonce: ApprovalNonce }),
})
