import { randomInt } from 'node:crypto'
import { type Generated, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'

/** Bits of a status list: fewer would reveal who it is about (BitstringStatusList §4). */
export const statusListBits = 131_072
/** A list that is so full is left; places stay easy to find, and reveal nothing of their order. */
const fullAt = statusListBits / 2

interface CredentialsTable {
  id: string
  domain: number
  userid: string
  issuer: string
  list: number
  list_index: number
  issued_at: Date
  expires_at: Date
  application_id: Generated<string | null>
  response_id: Generated<string | null>
  revoked_at: Generated<Date | null>
}
export type CredentialRow = Selectable<CredentialsTable>

interface PresentationNoncesTable {
  holder: string
  nonce: string
  presentation_hash: string
  at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    credentials: CredentialsTable
    presentation_nonces: PresentationNoncesTable
  }
}

/**
 * Keeps a credential at a free place of its issuer's newest status list: an issuer signs the lists of its own alone.
 */
export async function insertCredential(
  trx: Trx,
  row: Omit<CredentialRow, 'list' | 'list_index' | 'revoked_at'>,
): Promise<CredentialRow> {
  const { rows } = await sql<{ list: number; used: number }>`
    select list, count(*)::int as used from credentials
    where list = (select max(list) from credentials where issuer = ${row.issuer}) group by list`.execute(trx)
  const [newest] = rows
  const list = newest && newest.used < fullAt ? newest.list : await newList(trx)
  // Half of the places are free, so that this ends after two tries on average.
  for (;;) {
    const kept = await trx
      .insertInto('credentials')
      .values({ ...row, list, list_index: randomInt(statusListBits) })
      .onConflict((conflict) => conflict.constraint('credentials_list_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (kept) return kept
  }
}

/** The number of a list that nobody's credentials are in. */
async function newList(trx: Trx): Promise<number> {
  const row = await trx
    .selectFrom('credentials')
    .select((from) => from.fn.max('list').as('last'))
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}

export async function findCredential(db: Db | Trx, id: string): Promise<CredentialRow | undefined> {
  return await db.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The answer to an application, the last of it. */
export async function findAnswer(
  db: Db,
  applicationId: string,
): Promise<{ responseId: string; applicationId: string } | undefined> {
  const row = await db
    .selectFrom('credentials')
    .select('response_id')
    .where('application_id', '=', applicationId)
    .where('response_id', 'is not', null)
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.response_id ? { responseId: row.response_id, applicationId } : undefined
}

/** Claims whose last credential that is not revoked ends before `before`; of one claim alone with `number`. */
export async function listEnding(db: Db | Trx, before: Date, number?: number): Promise<number[]> {
  const rows = await db
    .selectFrom('credentials')
    .select('domain')
    .where('revoked_at', 'is', null)
    .$if(number !== undefined, (query) => query.where('domain', '=', number ?? 0))
    .groupBy('domain')
    .having((from) => from.fn.max('expires_at'), '<', before)
    .execute()
  return rows.map(({ domain }) => domain)
}

/** When the last credential of a claim ends that is not revoked. */
export async function findEnd(db: Db | Trx, number: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('credentials')
    .select('expires_at')
    .where('domain', '=', number)
    .where('revoked_at', 'is', null)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.expires_at
}

/** Revokes what was issued for a domain; again changes nothing. */
export async function revokeCredentials(trx: Trx, domain: number, at: Date): Promise<void> {
  await trx
    .updateTable('credentials')
    .set({ revoked_at: at })
    .where('domain', '=', domain)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Whose credentials a list is about, and the places that are revoked; undefined for a list that there is not. */
export async function findList(db: Db, list: number): Promise<{ issuer: string; revoked: number[] } | undefined> {
  const rows = await db
    .selectFrom('credentials')
    .select('list_index')
    .where('list', '=', list)
    .where('revoked_at', 'is not', null)
    .execute()
  const newest = await db
    .selectFrom('credentials')
    .select('issuer')
    .where('list', '=', list)
    .orderBy('issued_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && { issuer: newest.issuer, revoked: rows.map((row) => row.list_index) }
}

/** `first`: never seen; `same`: this very presentation was; `other`: another with this nonce was. */
export async function keepNonce(trx: Trx, row: PresentationNoncesTable): Promise<'first' | 'same' | 'other'> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('presentation_nonces')
    .values(row)
    .onConflict((conflict) => conflict.columns(['holder', 'nonce']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) return 'first'
  const kept = await trx
    .selectFrom('presentation_nonces')
    .select('presentation_hash')
    .where('holder', '=', row.holder)
    .where('nonce', '=', row.nonce)
    .executeTakeFirst()
  return kept?.presentation_hash === row.presentation_hash ? 'same' : 'other'
}

export async function deleteNonces(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('presentation_nonces').where('at', '<', before).execute()
}

/** Credentials of a claim that are not revoked. */
export async function findValidCredentials(trx: Trx, domain: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('credentials')
    .select('id')
    .where('domain', '=', domain)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
