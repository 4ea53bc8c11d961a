/**
 * Signing in by QR (wire, "Login by QR") and what this product adds to it: a two-digit number beside the code, a code
 * that only the browser that shows it can take, and words back to the screen when a wallet turns it down.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Did, DidOrKeyId, Millis } from '../wire/fields.ts'
import type { AccountsFieldReason } from './field-reasons.ts'
import { SignedIn } from './users.ts'

const Secret = z.string().regex(/^[0-9a-f]{32}$/, 'signInSecret' satisfies AccountsFieldReason)
/** A key that a browser makes for one code and keeps to itself: whoever only saw the code does not have it. */
const BrowserKey = z.string().regex(/^[0-9a-f]{64}$/, 'browserKey' satisfies AccountsFieldReason)
/** Shown beside the code and never inside it. From 10, so that nobody drops a leading zero. */
export const MatchNumber = z.string().regex(/^[1-9][0-9]$/, 'twoDigits' satisfies AccountsFieldReason)

/** What the wallet signs of a code; extra fields are ignored, unsigned copies too. */
const SignedCode = z.looseObject({
  did: DidOrKeyId.optional(),
  secret: Secret,
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
 * What a wallet itself says of a sign-in, in the protected header of its signature. Not in the payload: of that,
 * wallets sign whatever fields the code has, so that whoever makes a code could put them there. LarePass says neither.
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
  auth: 'none',
  summary: 'The wallet delivers the signed sign-in code.',
  body: z.looseObject({
    /** Text when a code was scanned, a number when a device links itself; not read. */
    id: z.unknown().optional(),
    jws: z.string().min(1).max(8192),
    did: z.string().min(1).max(256),
  }),
})

/**
 * Why a code that is on a screen came to nothing, as that screen shows it. `wrongNumber` ends the code, the others do
 * not.
 */
export const codeRefusals = ['otherDid', 'declined', 'wrongNumber'] as const
export type CodeRefusal = (typeof codeRefusals)[number]

export const activeLogin = defineCall({
  name: 'activeLogin',
  path: '/v2/user/activeLogin',
  auth: 'none',
  summary: 'The console asks whether its code was approved; no userid until then, the session exactly once.',
  /**
   * `browser`: for a code that was opened with one (`openCode`); without, as existing clients ask, maybe with fields
   * of their own.
   */
  body: z.looseObject({ secret: Secret, browser: BrowserKey.optional() }),
  data: z.union([
    SignedIn,
    z.strictObject({
      /** A wallet read the code and has not answered yet. */
      scanned: z.literal(true).optional(),
      refused: z.enum(codeRefusals).optional(),
    }),
  ]),
})

/**
 * Sets the cookie `codeCookieName`, by which a wallet in the same browser is known. Repeating it gives the same
 * number.
 */
export const openCode = defineCall({
  name: 'openCode',
  path: '/v2/user/openCode',
  auth: 'none',
  summary: 'The console is about to show a code: binds it to this browser and gives the number to show beside it.',
  /**
   * `did`: whom the code is for, when a known account signs in again; whatever a wallet signs, nobody else can use it.
   */
  body: z.strictObject({ secret: Secret, browser: BrowserKey, did: Did.optional() }),
  data: z.object({ matchNumber: MatchNumber }),
})

export const readCode = defineCall({
  name: 'readCode',
  path: '/v2/user/readCode',
  auth: 'none',
  summary: 'A wallet has read a code: tells whether the browser that asks is the one that shows it.',
  body: z.strictObject({ secret: Secret }),
  data: z.object({
    /** No number need be typed: the code is on a page of this very browser. */
    here: z.boolean(),
  }),
})

export const declineCode = defineCall({
  name: 'declineCode',
  path: '/v2/user/declineCode',
  auth: 'none',
  summary: 'A wallet will not approve a code; the screen that shows it is told.',
  body: z.strictObject({ secret: Secret, reason: z.enum(['otherDid', 'declined']) }),
})

/** Names a browser to `readCode` and `login`; HttpOnly, sent to this site alone. */
export const codeCookieName = 'atollBrowser'
