/** Signing in by QR as the wallet does it (wire, "Login by QR"): what it signs of a code, delivers and answers. */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { DidOrKeyId, Millis } from '../wire/fields.ts'
import type { AccountsFieldReason } from './field-reasons.ts'
import { SignInSecret } from './sign-in.ts'

/** The signed part of a code; extra fields and unsigned copies are ignored. */
const SignedCode = z.looseObject({
  did: DidOrKeyId.optional(),
  secret: SignInSecret,
  time: Millis,
  iss: z.string(),
  nbf: z.number().optional(),
  exp: z.number(),
})

/**
 * A signed sign-in code. LarePass signs no `event`; a code that was signed for something else says so, and its
 * signature must not open an account.
 */
export const LoginPayload = SignedCode.extend({ event: z.literal('login_cloud').optional() })

/**
 * Facts that a wallet adds about a sign-in in the protected header of its signature. They are not in the payload,
 * because wallets sign every field that the code has, so the maker of a code could put them there. LarePass sends
 * neither.
 */
export const LoginHeader = z.looseObject({
  /** The number the wallet's owner typed, right or wrong. */
  match: z
    .string()
    .regex(/^\d{2}$/, 'twoDigits' satisfies AccountsFieldReason)
    .optional(),
  /** The origin that the signature is sent to: nobody can hand it in elsewhere. */
  aud: z.string().max(300).optional(),
})
export type LoginHeader = z.infer<typeof LoginHeader>

/** A signed activation code; it always says what it is for. */
export const ActivationPayload = SignedCode.extend({ event: z.literal('activate_os') })

/**
 * Both body shapes: `{id, jws, did, ...sign_body}` and `{id, jws, did, body}`. Only `jws` is read: in the first, the
 * DID that the code asks for takes the place of the signer's.
 */
export const login = defineCall({
  name: 'login',
  path: '/v2/user/login',
  reach: 'anyone',
  origins: 'wallets',
  namesBrowser: true,
  rate: 'signIn',
  summary: 'The wallet delivers the signed sign-in code.',
  body: z.looseObject({
    /** Text when a code was scanned, a number when a device links itself; not read. */
    id: z.unknown().optional(),
    jws: z.string().min(1).max(8192),
    did: z.string().min(1).max(256),
  }),
})

export const readCode = defineCall({
  name: 'readCode',
  path: '/v2/user/readCode',
  reach: 'anyone',
  origins: 'wallets',
  namesBrowser: true,
  rate: 'signIn',
  summary: 'A wallet has read a code: tells whether the browser that asks is the one that shows it.',
  body: z.strictObject({ secret: SignInSecret }),
  data: z.object({
    /** No number need be typed: the code is on a page of this very browser. */
    here: z.boolean(),
  }),
})

export const declineCode = defineCall({
  name: 'declineCode',
  path: '/v2/user/declineCode',
  reach: 'anyone',
  origins: 'wallets',
  rate: 'signIn',
  summary: 'A wallet will not approve a code; the screen that shows it is told.',
  body: z.strictObject({ secret: SignInSecret, reason: z.enum(['otherDid', 'declined']) }),
})
