/**
 * Signing in by a code (wire, "Login by QR"). A code lives through: shown by the browser (we know nothing) → approved by
 * a wallet (a row) → taken by the browser (`taken_at`, a session). `approveSignIn` writes the first, `takeSignIn` the
 * second; either may come first, and each happens at most once per secret, decided by the row's key and its lock.
 * The token is made when it is handed out, so there is no moment at which it must be kept readable.
 */
import { clockSkewMs, type Locale, LoginPayload, type SignedIn, shorten, signInCodeLifetimeMs } from '@atoll/contract'
import { didOfKeyId, minutesBetween } from '@atoll/did'
import { readParameters } from '../../http/bad-parameter.ts'
import { refuse } from '../../http/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId, randomToken, sha256Hex } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { type Identity, verifySignedRequest } from '../identity/index.ts'
import { getUser } from './account-service.ts'
import { insertAccount } from './account-store.ts'
import { insertSession } from './session-store.ts'
import { insertApprovedCode, isCodeWaiting, takeApprovedCode } from './sign-in-code-store.ts'

export interface SignInDeps {
  db: Db
  clock: Clock
  identity: Pick<Identity, 'findNameOf'>
  config: {
    /** How long a session lasts, ms. */
    sessionMs: number
    /** Given to accounts made from now on. */
    canCreateCluster: boolean
    vCpuQuota: number
  }
}

/** How old a code or an approval can be and still be used, ms. */
const usableMs = signInCodeLifetimeMs + clockSkewMs

/**
 * A wallet delivers a signed code. Only the signed payload is believed; `signer` is who the sender says signed it, and
 * must have. Refuses each way to be wrong with its own entry of the error catalogue.
 */
export async function approveSignIn(
  deps: SignInDeps,
  request: { jws: string; signer: string; locale: Locale },
): Promise<void> {
  const now = deps.clock.now()
  const { did, payload } = await verifySignedRequest(request.jws, { did: request.signer, now, locale: request.locale })
  const code = readParameters(LoginPayload, payload, request.locale)
  requireFresh(code.time, now)
  const askedDid = code.did === undefined ? did : didOfKeyId(code.did)
  if (askedDid === undefined) refuse('didMalformed')
  if (askedDid !== did) {
    const name = await deps.identity.findNameOf(deps.db, askedDid)
    refuse('otherDidExpected', { did: name ?? shorten(askedDid) })
  }
  await deps.db.transaction().execute(async (trx) => {
    const { canCreateCluster, vCpuQuota } = deps.config
    await insertAccount(trx, { userid: did, canCreateCluster, vCpuQuota, at: now })
    const first = await insertApprovedCode(trx, { secretHash: sha256Hex(code.secret), userid: did, at: now })
    if (!first) refuse('codeUsed')
  })
}

/** A code is usable for 120 s from the moment its screen showed it; clocks may differ by 30 s. */
function requireFresh(time: number, now: Date): void {
  const age = now.getTime() - time
  if (age > usableMs) refuse('codeExpired')
  if (age < -clockSkewMs) refuse('codeFromFuture', { minutes: minutesBetween(time, now.getTime()) })
}

/** The browser asks for its session: undefined until a wallet approved the code, and after it was handed out. */
export async function takeSignIn(deps: SignInDeps, secret: string): Promise<SignedIn | undefined> {
  const now = deps.clock.now()
  const code = { secretHash: sha256Hex(secret), approvedSince: new Date(now.getTime() - usableMs) }
  if (!(await isCodeWaiting(deps.db, code))) return undefined
  return await deps.db.transaction().execute(async (trx) => {
    const userid = await takeApprovedCode(trx, code, now)
    if (userid === undefined) return undefined
    const token = randomToken()
    const expiresAt = new Date(now.getTime() + deps.config.sessionMs)
    await insertSession(trx, {
      id: newId('ss'),
      userid,
      token_hash: sha256Hex(token),
      created_at: now,
      expires_at: expiresAt,
    })
    return { ...(await getUser(trx, userid)), token, expired: expiresAt.getTime() }
  })
}

/**
 * Before when no signature can still repeat an approval made at that time: a code's `time` may be `clockSkewMs` ahead of
 * its approval and is good for `usableMs` after; twice that leaves room for servers whose clocks differ.
 */
export function forgettableBefore(now: Date): Date {
  return new Date(now.getTime() - 2 * (usableMs + clockSkewMs))
}
