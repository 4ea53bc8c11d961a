import type { Device } from '@atoll/contract/accounts'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { everStaff, staffRoleOf } from './staff-store.ts'

interface SessionsTable {
  /** `ss_…` */
  id: string
  userid: string
  /** SHA-256 of the token, hex; the token itself is not kept. */
  token_hash: string
  device_kind: Device['kind']
  browser: string | null
  system: string | null
  /** Address it was last seen at. */
  ip: string | null
  created_at: Date
  /** To the minute, see `touchSession`. */
  last_seen_at: Date
  expires_at: Date
}
export type SessionRow = Selectable<SessionsTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    sessions: SessionsTable
  }
}

export async function insertSession(trx: Trx, session: SessionRow): Promise<void> {
  await trx.insertInto('sessions').values(session).execute()
}

/** The session of a token's hash with its account's role, expired or not. Asked with every request of an account. */
export async function findSessionByToken(db: Db, tokenHash: string) {
  return await sessionByToken(db, tokenHash).executeTakeFirst()
}

export async function findSessionStart(db: Db, id: string): Promise<Date | undefined> {
  return (await db.selectFrom('sessions').select('created_at').where('id', '=', id).executeTakeFirst())?.created_at
}

/** The query behind it; the bench runs it bare. */
export function sessionByToken(db: Db, tokenHash: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.account_id', 'sessions.userid')
    .select((from) => [
      'sessions.id',
      'sessions.userid',
      'sessions.token_hash',
      'sessions.created_at',
      'sessions.expires_at',
      'sessions.last_seen_at',
      'sessions.ip',
      'accounts.did',
      'accounts.role',
      staffRoleOf(from.ref('accounts.account_id')).as('staff'),
      everStaff.as('has_staff'),
    ])
    .where('sessions.token_hash', '=', tokenHash)
}

/** The sessions of `userid` that last beyond `at`, the one seen last first. */
export async function listSessions(db: Db, userid: string, at: Date): Promise<SessionRow[]> {
  return await db
    .selectFrom('sessions')
    .selectAll()
    .where('userid', '=', userid)
    .where('expires_at', '>', at)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Notes that a session was in use at `at`, from `ip`; nothing when it is known to have been in use later. */
export async function touchSession(db: Db, session: { id: string; ip: string; at: Date }): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: session.at, ip: session.ip })
    .where('id', '=', session.id)
    .where('last_seen_at', '<', session.at)
    .execute()
}

/** Ends every session of `userid` but `keep`; gives those that were ended. */
export async function deleteOtherSessions(trx: Trx, userid: string, keep: string): Promise<SessionRow[]> {
  return await trx.deleteFrom('sessions').where('userid', '=', userid).where('id', '<>', keep).returningAll().execute()
}

/** Ends a session of `userid`; false when there was none. */
export async function deleteSession(trx: Trx, session: { id: string; userid: string }): Promise<boolean> {
  const result = await trx
    .deleteFrom('sessions')
    .where('id', '=', session.id)
    .where('userid', '=', session.userid)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Removes at most `limit` sessions that expired by `at`, and gives them. */
export async function deleteExpiredSessions(
  trx: Trx,
  at: Date,
  limit: number,
): Promise<Pick<SessionRow, 'id' | 'userid'>[]> {
  return await trx
    .deleteFrom('sessions')
    .where(
      'id',
      'in',
      trx.selectFrom('sessions').select('id').where('expires_at', '<=', at).limit(limit).forUpdate().skipLocked(),
    )
    .returning(['id', 'userid'])
    .execute()
}
