/**
 * Signing in by a code (wire, "Login by QR").
 *
 *   opened ──number right, or none sent──▶ approved ──▶ taken
 *     └────────number wrong──────────────▶ burnt
 *
 * `openSignIn` writes the first state, for a page of the console; other clients show a code without calling the server,
 * and its row begins with `approved`. `approveSignIn` writes `approved` and `burnt`, `takeSignIn` writes `taken` with
 * the session. Approving and taking may come in either order, and each happens at most once per secret, decided by the
 * row's key and its lock. The token is made when it is handed out, so it is never stored readable.
 *
 * A code can be read off a screen, photographed, or relayed: an attacker shows it to a victim who takes it for their
 * own. Against that there is a number beside the code, which is in no code and which the server compares with the
 * number that the wallet's owner typed and that is signed in the header, which no code can fill (one try: a wrong one
 * burns the code); and a key that the showing browser keeps, without which nobody is given the session (ADR 0013).
 */
import { randomInt } from 'node:crypto'
import { type CodeRefusal, LoginHeader, LoginPayload, type SignedIn } from '@atoll/contract/accounts'
import { deviceOf } from '@atoll/contract/device-of'
import { clockSkewMs, type Locale, ownBrowserCodeLifetimeMs, shorten, signInCodeLifetimeMs } from '@atoll/contract/wire'
import { didOfKeyId, minutesBetween } from '@atoll/did'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets, newId, randomToken, sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { readParameters } from '../../platform/parameters.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import { type Identity, verifySignedRequest } from '../identity/index.ts'
import { getUser, type QuotaOfPlan, type UserDeps } from './account-service.ts'
import { fixMarket, insertAccount, setLocale } from './stores/account-store.ts'
import { marketOf } from './stores/market.ts'
import { insertSession } from './stores/session-store.ts'
import {
  approveCode,
  burnCode,
  findCode,
  insertOpenedCode,
  lockCode,
  noteOnCode,
  type SignInCodeRow,
  takeApprovedCode,
} from './stores/sign-in-code-store.ts'

export interface SignInDeps {
  db: Db
  clock: Clock
  identity: Pick<Identity, 'findNameOfDid'>
  quotaOfPlan: QuotaOfPlan
  isAccessLimited: UserDeps['isAccessLimited']
  config: {
    /** How long a session lasts, ms. */
    sessionMs: number
    /** Given to accounts made from now on. */
    canCreateCluster: boolean
    /** Addresses of the API: a signature that names where it goes must name one of them. */
    publicUrl: string
    chinaUrl: string
    /** Where people whose wallet cannot send the number find one that can. */
    walletUrl: string
    /** Wallets that send no number are refused. */
    requireMatchNumber: boolean
  }
}

import { noteVisit } from './stores/visit-store.ts'

/** How old an approval can be and still be used, ms. */
const usableMs = signInCodeLifetimeMs + clockSkewMs

/**
 * The console's page is about to show a code: binds it to the browser that has `browser` (and `cookie`, when it could
 * be given one) and to `did`, when only that account may sign in, and returns the number to show beside it. The same
 * browser asking again is given the same number.
 */
export async function openSignIn(
  deps: Pick<SignInDeps, 'db' | 'clock'>,
  code: { secret: string; browser: string; cookie: string | undefined; did?: string | undefined },
): Promise<string> {
  // From 10: nobody drops a leading zero.
  const matchNumber = String(randomInt(10, 100))
  const browserHash = sha256Hex(code.browser)
  const row = await deps.db.transaction().execute((trx) =>
    insertOpenedCode(trx, {
      secretHash: sha256Hex(code.secret),
      browserHash,
      cookieHash: code.cookie === undefined ? null : sha256Hex(code.cookie),
      matchNumber,
      askedDid: code.did ?? null,
      at: deps.clock.now(),
    }),
  )
  requireBrowser(row, code.browser)
  // Approved before it was opened, by a wallet that asks for no number: whichever is shown, nobody will ask for it.
  return row.match_number ?? matchNumber
}

/**
 * A wallet has read a code, and its screen may say so. True when the wallet runs in the browser that shows the code,
 * so that there is nothing to compare; a code that is not ours, or that nobody opened, is not there.
 */
export async function noteSignInRead(
  { db, clock }: Pick<SignInDeps, 'db' | 'clock'>,
  code: { secret: string; cookie: string | undefined },
): Promise<boolean> {
  const secretHash = sha256Hex(code.secret)
  const row = await findCode(db, secretHash)
  await noteOnCode(db, secretHash, { scanned_at: clock.now() })
  return isSameBrowser(row, code.cookie)
}

/**
 * A wallet will not approve a code: its screen shows so. Unsigned, so it says no more than that somebody who read it
 * would not.
 */
export async function declineSignIn(
  { db }: Pick<SignInDeps, 'db'>,
  code: { secret: string; reason: 'otherDid' | 'declined' },
): Promise<void> {
  await noteOnCode(db, sha256Hex(code.secret), { refused: code.reason })
}

/**
 * A wallet delivers a signed code. Only the signature is trusted; the signer is the DID that its `kid` names. Each
 * fault is refused with its own entry of the error catalogue.
 */
export async function approveSignIn(
  deps: SignInDeps,
  request: { jws: string; locale: Locale; ip: string; cookie?: string | undefined },
): Promise<void> {
  const now = deps.clock.now()
  const { locale } = request
  const { did, payload, header } = await verifySignedRequest(request.jws, { now, locale })
  const code = readParameters(LoginPayload, payload, locale)
  const { match, aud } = readParameters(LoginHeader, header, locale)
  requireOurAudience(deps, aud)
  const secretHash = sha256Hex(code.secret)
  const opened = await findCode(deps.db, secretHash)
  requireFresh(code.time, now, isSameBrowser(opened, request.cookie) ? ownBrowserCodeLifetimeMs : signInCodeLifetimeMs)
  for (const asked of [opened?.asked_did, code.did]) {
    if (asked) await requireAsked(deps, asked, { did, secretHash })
  }
  const compared = await deps.db.transaction().execute(async (trx) => {
    const outcome = await compareNumber(trx, deps, { secretHash, match, cookie: request.cookie, now })
    if (outcome === 'wrong') return outcome
    const { canCreateCluster } = deps.config
    const { userid, isNew } = await insertAccount(trx, { did, canCreateCluster, at: now })
    if (isNew) {
      await recordAudit(trx, {
        actor: { userid, sessionId: null },
        ip: request.ip,
        action: 'account.create',
        object: { kind: 'account', id: userid, owner: userid },
        after: { canCreateCluster },
      })
    }
    if (!(await approveCode(trx, { secretHash, userid, at: now }))) refuse('codeUsed')
    return outcome
  })
  // Refused only now: a refusal inside would have rolled the burning back.
  if (compared === 'wrong') refuse('matchNumberWrong')
}

/**
 * A code that asks for somebody is no code for others; its screen shows so too. `asked` is a DID, bare or as a key id.
 */
async function requireAsked(
  deps: SignInDeps,
  asked: string,
  signer: { did: string; secretHash: string },
): Promise<void> {
  const askedDid = didOfKeyId(asked)
  if (askedDid === undefined) refuse('didMalformed')
  if (askedDid === signer.did) return
  await noteOnCode(deps.db, signer.secretHash, { refused: 'otherDid' })
  const name = await deps.identity.findNameOfDid(deps.db, askedDid)
  refuse('otherDidExpected', { did: name ?? shorten(askedDid) })
}

/**
 * Compares the number a wallet sent with the one on the screen, under the row's lock. A wrong one burns the code: with
 * one try, who guesses is right once in ninety codes.
 */
async function compareNumber(
  trx: Trx,
  { config }: Pick<SignInDeps, 'config'>,
  sent: { secretHash: string; match: string | undefined; cookie: string | undefined; now: Date },
): Promise<'right' | 'wrong' | 'none'> {
  const row = await lockCode(trx, sent.secretHash)
  if (row?.burnt_at) refuse('codeBurnt')
  if (row?.approved_at) refuse('codeUsed')
  if (sent.match === undefined) {
    if (config.requireMatchNumber && !isSameBrowser(row, sent.cookie))
      refuse('matchNumberMissing', { walletUrl: config.walletUrl })
    return 'none'
  }
  if (!row?.match_number) refuse('matchNumberUnknown')
  if (equalSecrets(row.match_number, sent.match)) return 'right'
  await burnCode(trx, sent.secretHash, sent.now)
  return 'wrong'
}

/** Whether the code is on a page of the browser that has this cookie. */
function isSameBrowser(row: SignInCodeRow | undefined, cookie: string | undefined): boolean {
  return !!row?.cookie_hash && cookie !== undefined && equalSecrets(row.cookie_hash, sha256Hex(cookie))
}

/**
 * A code that a browser opened belongs to that browser; for one that no browser opened its secret is enough, as the
 * wire says.
 */
function requireBrowser(row: SignInCodeRow, browser: string | undefined): void {
  if (row.browser_hash === null) return
  if (browser === undefined || !equalSecrets(row.browser_hash, sha256Hex(browser))) refuse('codeOfOtherBrowser')
}

/** Our wallet signs the address that it sends the signature to. A signature for another site is refused. */
function requireOurAudience({ config }: Pick<SignInDeps, 'config'>, audience: string | undefined): void {
  if (audience === undefined) return
  const ours = [config.publicUrl, config.chinaUrl].map((url) => new URL(url).origin)
  if (!ours.includes(audience))
    refuse('otherAudience', { host: URL.canParse(audience) ? new URL(audience).host : audience.slice(0, 80) })
}

/** A code is usable for `lifetimeMs` from the moment its screen showed it; clocks may differ by 30 s. */
function requireFresh(time: number, now: Date, lifetimeMs: number): void {
  const age = now.getTime() - time
  if (age > lifetimeMs + clockSkewMs) refuse('codeExpired')
  if (age < -clockSkewMs) refuse('codeFromFuture', { minutes: minutesBetween(time, now.getTime()) })
}

/** The state of a code that its screen shows while there is no session to hand out. */
interface CodeNews {
  scanned?: true
  refused?: CodeRefusal
}

/**
 * The browser asks for its session. Until a wallet approved the code, and after the session was handed out, there is
 * only what its screen may show. Refuses a browser other than the one the code was opened for.
 */
export async function takeSignIn(
  deps: SignInDeps,
  code: { secret: string; browser?: string | undefined; userAgent: string; ip: string; host: string; locale: Locale },
): Promise<SignedIn | CodeNews> {
  const now = deps.clock.now()
  const secretHash = sha256Hex(code.secret)
  const row = await findCode(deps.db, secretHash)
  if (!row) return {}
  requireBrowser(row, code.browser)
  // Approved before it was opened, when it could not be known yet whom it is for.
  if (row.asked_did && row.did && row.did !== row.asked_did) return { refused: 'otherDid' }
  if (row.refused) return { refused: row.refused }
  if (!row.approved_at) return row.scanned_at ? { scanned: true } : {}
  const approvedSince = new Date(now.getTime() - usableMs)
  if (row.taken_at || row.approved_at <= approvedSince) return {}
  return await deps.db.transaction().execute(async (trx) => {
    const userid = await takeApprovedCode(trx, { secretHash, approvedSince }, now)
    if (userid === undefined) return {}
    const token = randomToken()
    const expiresAt = new Date(now.getTime() + deps.config.sessionMs)
    const { kind, browser, system } = deviceOf(code.userAgent)
    const sessionId = newId('ss')
    await insertSession(trx, {
      id: sessionId,
      userid,
      token_hash: sha256Hex(token),
      device_kind: kind,
      browser,
      system,
      ip: code.ip,
      created_at: now,
      last_seen_at: now,
      expires_at: expiresAt,
    })
    await noteVisit(trx, userid, now)
    await setLocale(trx, userid, code.locale)
    await fixMarket(trx, userid, marketOf(deps.config, code))
    await recordAudit(trx, {
      actor: { userid, sessionId },
      ip: code.ip,
      action: 'session.signIn',
      object: { kind: 'session', id: sessionId, owner: userid },
      after: { device: kind, browser, system },
    })
    // Shown where the account is signed in already. Not as this session's own change: that is what its end looks like.
    await publishChange(trx, { account: userid, topic: 'account', id: userid })
    return { ...(await getUser(deps, trx, userid)), token, expired: expiresAt.getTime() }
  })
}

/**
 * Before when no signature can still repeat an approval made at that time, and no wallet still answers: a code's `time`
 * may be `clockSkewMs` ahead and is good for its lifetime after; twice the difference leaves room for servers whose
 * clocks differ.
 */
export function forgettableBefore(now: Date): Date {
  return new Date(now.getTime() - ownBrowserCodeLifetimeMs - 4 * clockSkewMs)
}
