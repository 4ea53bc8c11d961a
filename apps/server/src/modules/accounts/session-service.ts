import type { Role } from '@atoll/contract'
import { refuse } from '../../http/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets, sha256Hex } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { publishChange } from '../../platform/events/index.ts'
import { deleteExpiredSessions, deleteSession, listSessionsByToken } from './session-store.ts'

export interface SessionDeps {
  db: Db
  clock: Clock
}

/** Who a request comes from. */
export interface Authenticated {
  userid: string
  sessionId: string
  /** As it is now, not as it was when the session began. */
  role: Role
  /** From this moment on the session is over. */
  expiresAt: Date
}

/** Longest token or userid that is looked at, characters; ours are shorter. */
const longestCredential = 256

/** Who `token` belongs to, if it is valid now and was given to `userid`. Refuses with `signedOut`, whatever is wrong. */
export async function authenticate({ db, clock }: SessionDeps, userid: string, token: string): Promise<Authenticated> {
  if (token === '' || userid.length > longestCredential || token.length > longestCredential) refuse('signedOut')
  // Looked up by hash: how long the search takes says nothing about a token that is nearly right.
  const [session] = await listSessionsByToken(db, sha256Hex(token))
  if (!session || !equalSecrets(session.userid, userid) || session.expires_at <= clock.now()) refuse('signedOut')
  return { userid: session.userid, sessionId: session.id, role: session.role, expiresAt: session.expires_at }
}

/** Ends a session at once, in every process: streams held open by it hear of it. Safe to repeat. */
export async function endSession({ db }: SessionDeps, session: { userid: string; sessionId: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const ended = await deleteSession(trx, { id: session.sessionId, userid: session.userid })
    if (ended) await publishChange(trx, { account: session.userid, topic: 'session', id: session.sessionId })
  })
}

/** Sessions removed in one transaction; keeps a large backlog from holding many rows at once. */
const sweepBatch = 500

/** Removes sessions that have expired and tells whoever still holds one; gives how many. Safe to repeat. */
export async function removeExpiredSessions({ db, clock }: SessionDeps): Promise<number> {
  const now = clock.now()
  let removed = 0
  for (;;) {
    const batch = await db.transaction().execute(async (trx) => {
      const sessions = await deleteExpiredSessions(trx, now, sweepBatch)
      for (const { id, userid } of sessions) await publishChange(trx, { account: userid, topic: 'session', id })
      return sessions.length
    })
    removed += batch
    if (batch < sweepBatch) return removed
  }
}
