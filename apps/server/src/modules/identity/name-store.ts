import { type Expression, type Generated, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import { advisoryLockClass } from '../../platform/db/migrations/migrate.ts'

interface DidsTable {
  did: string
  registered_at: Date
}

interface NamesTable {
  /** `name@domain` */
  name: string
  did: string
  bound_at: Date
}

interface NameHistoryTable {
  name: string
  did: string
  released_at: Date
  /** The owner of the domain ended it: it is kept from everybody. */
  is_removal: Generated<boolean>
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    dids: DidsTable
    names: NamesTable
    name_history: NameHistoryTable
  }
}

/** Second half of the advisory lock that names are bound under; 0 is the migrations'. */
const namesLock = 1

/** Held until the transaction ends: only the holder decides about names, in all processes. */
export async function lockNames(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLockClass}, ${namesLock})`.execute(trx)
}

/** Registers `did`; again changes nothing. */
export async function insertDid(db: Db, did: string, at: Date): Promise<void> {
  await db
    .insertInto('dids')
    .values({ did, registered_at: at })
    .onConflict((conflict) => conflict.column('did').doNothing())
    .execute()
}

export async function isRegistered(db: Db, did: string): Promise<boolean> {
  return (await db.selectFrom('dids').select('did').where('did', '=', did).executeTakeFirst()) !== undefined
}

export async function insertName(trx: Trx, row: NamesTable): Promise<void> {
  await trx.insertInto('names').values(row).execute()
}

/** The account of a DID; undefined: it has none here. */
export async function findAccountOf(db: Db, did: string): Promise<string | undefined> {
  const query = db.selectFrom('account_dids').select('account_id').where('did', '=', did)
  return (await query.executeTakeFirst())?.account_id
}

/** The `name@domain` bound to `did`; null without one. */
export async function findNameOfDid(db: Db, did: string): Promise<string | null> {
  const row = await db.selectFrom('names').select('name').where('did', '=', did).executeTakeFirst()
  return row?.name ?? null
}

/** The name bound to the DID in a column, for another module's query: one round trip instead of two. */
export function nameOfDid(did: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`(select names.name from names where names.did = ${did})`
}

/** The DID that `name` (`name@domain`) is bound to; null when it is free. */
export async function findDidOf(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('names').select('did').where('name', '=', name).executeTakeFirst()
  return row?.did ?? null
}

/** The same as a table of another query, with the one column `did`. */
export function didOf(name: string): RawBuilder<unknown> {
  return sql`(select did from names where name = ${name})`
}

/** The names (`name@domain`) under `domain`, as a table of another query. */
export function namesUnder(domain: string): RawBuilder<unknown> {
  return sql`(select name, did from names where split_part(name, '@', 2) = ${domain})`
}

/** Frees the names under `domain`, noting whose they were; gives the DIDs. */
export async function deleteNamesUnder(trx: Trx, domain: string, at: Date): Promise<string[]> {
  const freed = await trx
    .deleteFrom('names')
    .where(sql`split_part(name, '@', 2)`, '=', domain)
    .returning(['name', 'did'])
    .execute()
  if (freed.length > 0)
    await trx
      .insertInto('name_history')
      .values(freed.map((row) => ({ ...row, released_at: at })))
      .execute()
  return freed.map(({ did }) => did)
}

/** Frees one name that its domain's owner ended, noting its owner; false: `did` no longer has it. */
export async function deleteRemovedName(trx: Trx, { name, did }: { name: string; did: string }, at: Date) {
  const { numDeletedRows } = await trx
    .deleteFrom('names')
    .where('name', '=', name)
    .where('did', '=', did)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await trx.insertInto('name_history').values({ name, did, released_at: at, is_removal: true }).execute()
  return true
}

/** Nothing is kept any more of who had names under `domain`. */
export async function forgetNamesUnder(trx: Trx, domain: string): Promise<void> {
  await trx.deleteFrom('name_history').where(sql`split_part(name, '@', 2)`, '=', domain).execute()
}

/** The last former holder of `name`, and when their holding ended. */
export async function findLastHolder(
  db: Db,
  name: string,
): Promise<{ did: string; released_at: Date; is_removal: boolean } | undefined> {
  return await db
    .selectFrom('name_history')
    .select(['did', 'released_at', 'is_removal'])
    .where('name', '=', name)
    .orderBy('released_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Names that ended of which `did` was the last holder and nobody is the next, and when each ended last. */
export async function listFormerNames(db: Db, did: string): Promise<{ name: string; releasedAt: Date }[]> {
  const { rows } = await sql<{ name: string; releasedAt: Date }>`
    select own.name, max(own.released_at) as "releasedAt" from name_history own where own.did = ${did}
      and not exists (select from names where names.name = own.name)
      and not exists (select from name_history later where later.name = own.name and later.did <> own.did
        and later.released_at > own.released_at)
    group by own.name`.execute(db)
  return rows
}

/** The DIDs whose IDs match a pattern of `like`, as a table of another query. */
export function namedLike(pattern: string): RawBuilder<string> {
  return sql<string>`(select did from names where name like ${pattern})`
}

/** The names that are bound, as a table of another query: name, did. */
export const boundNames = sql`(select name, did from names)`
