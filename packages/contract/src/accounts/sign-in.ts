/**
 * Signing in by QR (wire, "Login by QR") and what this product adds to it: a two-digit number beside the code, a code
 * that only the browser that shows it can take, and words back to the screen when a wallet turns it down.
 */
import { z } from 'zod'
import { defineCall } from '../wire/call.ts'
import { Did } from '../wire/fields.ts'
import type { AccountsFieldReason } from './field-reasons.ts'
import { SignedIn } from './users.ts'

export const SignInSecret = z.string().regex(/^[0-9a-f]{32}$/, 'signInSecret' satisfies AccountsFieldReason)
/**
 * A key that a browser makes for one code and never shows: a person who only photographed the code does not have it.
 */
const BrowserKey = z.string().regex(/^[0-9a-f]{64}$/, 'browserKey' satisfies AccountsFieldReason)
/** Shown beside the code and never inside it. From 10, so that nobody drops a leading zero. */
export const MatchNumber = z.string().regex(/^[1-9][0-9]$/, 'twoDigits' satisfies AccountsFieldReason)

/**
 * Why a code that is on a screen came to nothing, as that screen shows it. `wrongNumber` ends the code, the others do
 * not.
 */
export const codeRefusals = ['otherDid', 'declined', 'wrongNumber'] as const
export type CodeRefusal = (typeof codeRefusals)[number]

export const activeLogin = defineCall({
  name: 'activeLogin',
  path: '/v2/user/activeLogin',
  reach: 'anyone',
  origins: 'wallets',
  rate: 'signIn',
  summary: 'The console asks whether its code was approved; no userid until then, the session exactly once.',
  /**
   * `browser`: for a code that was opened with one (`openCode`); without, as existing clients ask, maybe with fields
   * of their own.
   */
  body: z.looseObject({ secret: SignInSecret, browser: BrowserKey.optional() }),
  data: z.union([
    SignedIn,
    z.object({
      /** With it the answer is a session, also one with words that its reader does not know yet. */
      userid: z.never().optional(),
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
  reach: 'anyone',
  origins: 'ownWallet',
  rate: 'signIn',
  summary: 'The console is about to show a code: binds it to this browser and gives the number to show beside it.',
  /**
   * `did`: whom the code is for, when a known account signs in again; whatever a wallet signs, nobody else can use it.
   */
  body: z.strictObject({ secret: SignInSecret, browser: BrowserKey, did: Did.optional() }),
  data: z.object({ matchNumber: MatchNumber }),
})

/** Names a browser to `readCode` and `login`; HttpOnly, sent to this site alone. */
export const codeCookieName = 'atollBrowser'
