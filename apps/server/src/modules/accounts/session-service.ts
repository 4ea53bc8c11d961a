import type { Session } from '@atoll/contract/accounts'
import type { Role, StaffRole } from '@atoll/contract/wire'
import type { Caller } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets, sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { recordAudit } from '../audit/index.ts'
import { placeOf } from './session-place.ts'
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  findSessionByToken,
  findSessionStart,
  listSessions,
  type SessionRow,
  touchSession,
} from './stores/session-store.ts'
import { noteVisit } from './stores/visit-store.ts'

export interface SessionDeps {
  db: Db
  clock: Clock
}

/** The account and session of a request. */
export interface Authenticated {
  /** The id of the account, as tables and logs have it. */
  userid: string
  did: string
  sessionId: string
  /** As it is now, not as it was when the session began. */
  role: Role
  /** Its role in the operator's area, as it is now. */
  staff?: StaffRole
  hasStaff?: true
  /** From this moment on the session is over. */
  expiresAt: Date
}

/** Longest token or userid that is checked, characters; ours are shorter. */
const longestCredential = 256
/** How often the moment and the place of a session's use are written down, ms: not with every request. */
const touchEveryMs = 60_000
/** How long after its beginning a session may take out what is of many people, ms. */
const freshMs = 15 * 60_000

/**
 * The session of `token`, if it is valid now and was given to the account of `did`. Refuses every fault with
 * `signedOut`. `ip` is noted as where the session was last seen.
 */
export async function authenticate(
  { db, clock }: SessionDeps,
  did: string,
  token: string,
  ip: string,
): Promise<Authenticated> {
  if (token === '' || did.length > longestCredential || token.length > longestCredential) refuse('signedOut')
  // Looked up by hash: how long the search takes says nothing about a token that is nearly right.
  const session = await findSessionByToken(db, sha256Hex(token))
  if (!session || !equalSecrets(session.did, did) || session.expires_at <= clock.now()) refuse('signedOut')
  const at = clock.now()
  if (at.getTime() - session.last_seen_at.getTime() >= touchEveryMs) {
    await touchSession(db, { id: session.id, ip, at })
    await noteVisit(db, session.userid, at)
  }
  const { userid, id: sessionId, role, staff, has_staff: hasStaff, expires_at: expiresAt } = session
  return { userid, did, sessionId, role, ...(staff && { staff }), ...(hasStaff && { hasStaff }), expiresAt }
}

/** Refuses a session that began more than a quarter of an hour ago: what it asks for needs a person who is there. */
export async function requireFreshSession({ db, clock }: SessionDeps, { sessionId }: Caller): Promise<void> {
  const begunAt = await findSessionStart(db, sessionId)
  if (!begunAt || clock.now().getTime() - begunAt.getTime() > freshMs) refuse('sessionTooOld')
}

/** Ends the caller's own session at once, in every process: its open streams end too. Safe to repeat. */
export async function endSession({ db }: SessionDeps, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await deleteSession(trx, { id: caller.sessionId, userid: caller.userid })
    if (ended) await noteEnded(trx, caller, 'session.signOut', caller.sessionId)
  })
}

async function noteEnded(
  trx: Trx,
  caller: Caller,
  action: 'session.signOut' | 'session.revoke',
  id: string,
): Promise<void> {
  const object = { kind: 'session' as const, id, owner: caller.userid }
  await recordAudit(trx, { actor: caller, ip: caller.ip, action, object })
  await publishChange(trx, { account: caller.userid, topic: 'session', id })
}

/** Where the account of `caller` is signed in: this session first, then those seen last. */
export async function describeSessions({ db, clock }: SessionDeps, caller: Caller): Promise<Session[]> {
  const rows = await listSessions(db, caller.userid, clock.now())
  const isCurrent = (row: SessionRow) => row.id === caller.sessionId
  // The session that asks is known better than to the minute.
  const current = rows.filter(isCurrent).map((row) => ({ ...row, ip: caller.ip, last_seen_at: clock.now() }))
  return [...current, ...rows.filter((row) => !isCurrent(row))].map((row) => ({
    id: row.id,
    current: isCurrent(row),
    device: { kind: row.device_kind, browser: row.browser, system: row.system },
    place: placeOf(row.ip, caller.ip),
    ip: row.ip,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }))
}

/** Ends one session of the caller's account, in every process at once. Refuses when there is none with this id. */
export async function revokeSession({ db }: SessionDeps, caller: Caller, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await deleteSession(trx, { id, userid: caller.userid })
    if (!ended) refuse('notFound', { object: 'session' })
    await noteEnded(trx, caller, 'session.revoke', id)
  })
}

/** Ends every session of the caller's account but this one; gives how many. Safe to repeat. */
export async function revokeOtherSessions({ db }: SessionDeps, caller: Caller): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const ended = await deleteOtherSessions(trx, caller.userid, caller.sessionId)
    for (const { id } of ended) await noteEnded(trx, caller, 'session.revoke', id)
    return ended.length
  })
}

/** Ends every session of an account whose holder asked staff for it; gives how many. The caller records it. */
export async function endAllSessions(trx: Trx, userid: string): Promise<number> {
  const ended = await deleteOtherSessions(trx, userid, '')
  for (const { id } of ended) await publishChange(trx, { account: userid, topic: 'session', id })
  return ended.length
}

/** Where an account is signed in, for staff: the last seen first, without what signs in. */
export async function listSignedIn(db: Db, userid: string, at: Date) {
  const rows = await listSessions(db, userid, at)
  return rows.map(({ id, browser, system, device_kind: kind, ip, created_at, last_seen_at }) => ({
    id,
    browser,
    system,
    kind,
    ip,
    createAt: created_at.toISOString(),
    lastSeenAt: last_seen_at.toISOString(),
  }))
}

/** Sessions removed in one transaction; keeps a large backlog from holding many rows at once. */
const sweepBatch = 500

/** How long the row of a session is kept that has expired, ms: should the clock be wrong, its token works again. */
const expiredKeptMs = 7 * 24 * 60 * 60_000

/**
 * Removes sessions that expired a week ago, publishes the change to their holders, and returns the count. Safe to
 * repeat.
 */
export async function removeExpiredSessions({ db, clock }: SessionDeps): Promise<number> {
  const before = new Date(clock.now().getTime() - expiredKeptMs)
  let removed = 0
  for (;;) {
    const batch = await db.transaction().execute(async (trx) => {
      const sessions = await deleteExpiredSessions(trx, before, sweepBatch)
      for (const { id, userid } of sessions) await publishChange(trx, { account: userid, topic: 'session', id })
      return sessions.length
    })
    removed += batch
    if (batch < sweepBatch) return removed
  }
}
