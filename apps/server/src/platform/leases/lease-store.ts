/**
 * Leases: what one process holds at a time, named by kind and name.
 *   take      the newest holder counts; the one before finds out when it renews, or sooner when it is notified
 *   renew     one statement for all that a process holds; a lease that it does not return is lost
 *   release   by the holder, and only while it is the holder
 *   expire    a lease that was not renewed for a while belonged to a process that died; any process may clear it
 * A process that takes several locks them in the order of their names, so that no two wait for each other.
 * A write that only the holder may make carries `heldBy` as a condition: a newer holder then waits for its end. The
 * lease is locked before the row that is written. Times are the database's: processes need not agree on the hour.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/index.ts'

interface LeasesTable {
  kind: string
  name: string
  holder: string
  place: string | null
  renewed_at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    leases: LeasesTable
  }
}

export interface Lease {
  kind: string
  name: string
  holder: string
  /** Where other processes reach the holder; left out, they do not. */
  place?: string
}

const now = sql<Date>`clock_timestamp()`
const before = (ms: number) => sql<Date>`clock_timestamp() - ${ms} * interval '1 millisecond'`

/** Makes `holder` the one that holds the lease; gives who held it before, null: nobody that was seen. */
export async function takeLease(trx: Trx, lease: Lease): Promise<string | null> {
  const { kind, name, holder } = lease
  const seen = await trx
    .selectFrom('leases')
    .select('holder')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  const place = lease.place ?? null
  await trx
    .insertInto('leases')
    .values({ kind, name, holder, place, renewed_at: now })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet({ holder, place, renewed_at: now }))
    .execute()
  return seen?.holder ?? null
}

/** Takes the lease where nobody holds it: one that was taken meanwhile is newer, and stays. */
export async function reclaimLease(db: Db, { kind, name, holder, place }: Lease): Promise<void> {
  await db
    .insertInto('leases')
    .values({ kind, name, holder, place: place ?? null, renewed_at: now })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doNothing())
    .execute()
}

/** Notes that these holders live; gives those that still hold their lease. */
export async function renewLeases(db: Db, kind: string, holders: readonly string[]): Promise<string[]> {
  if (holders.length === 0) return []
  const rows = await db
    .updateTable('leases')
    .set({ renewed_at: now })
    .where('kind', '=', kind)
    .where('name', 'in', heldInOrder(db, kind, holders))
    .where('holder', 'in', holders)
    .returning('holder')
    .execute()
  return rows.map(({ holder }) => holder)
}

/** Gives the lease back; when it was renewed last, undefined: another holds it, or nobody. */
export async function releaseLease(trx: Trx, { kind, name, holder }: Lease): Promise<Date | undefined> {
  const row = await trx
    .deleteFrom('leases')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .where('holder', '=', holder)
    .returning('renewed_at')
    .executeTakeFirst()
  return row?.renewed_at
}

/** Gives back all that these holders hold. */
export async function releaseLeases(trx: Trx, kind: string, holders: readonly string[]): Promise<void> {
  if (holders.length === 0) return
  await trx
    .deleteFrom('leases')
    .where('kind', '=', kind)
    .where('name', 'in', heldInOrder(trx, kind, holders))
    .where('holder', 'in', holders)
    .execute()
}

/** The names that these hold, locked one after the other. */
function heldInOrder(db: Db, kind: string, holders: readonly string[]) {
  return db
    .selectFrom('leases')
    .select('name')
    .where('kind', '=', kind)
    .where('holder', 'in', holders)
    .orderBy('name')
    .forUpdate()
}

/** Clears leases of `kind` that nobody renewed for `silentMs`, at most `limit`; gives what was held. */
export async function expireLeases(
  trx: Trx,
  kind: string,
  { silentMs, limit }: { silentMs: number; limit: number },
): Promise<{ name: string; renewedAt: Date }[]> {
  const silent = trx
    .selectFrom('leases')
    .select('name')
    .where('kind', '=', kind)
    .where('renewed_at', '<', before(silentMs))
    .limit(limit)
    .forUpdate()
    .skipLocked()
  return await trx
    .deleteFrom('leases')
    .where('kind', '=', kind)
    .where('name', 'in', silent)
    .returning(['name', 'renewed_at as renewedAt'])
    .execute()
}

/** Deletes the named leases, whichever process holds them. */
export async function deleteLeases(trx: Trx, kind: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await trx.deleteFrom('leases').where('kind', '=', kind).where('name', 'in', names).execute()
}

/** The holder and its place; `silentMs`: only a holder that renewed it within so long. */
export async function findLease(
  db: Db,
  kind: string,
  name: string,
  silentMs?: number,
): Promise<{ holder: string; place: string | null } | undefined> {
  return await db
    .selectFrom('leases')
    .select(['holder', 'place'])
    .where('kind', '=', kind)
    .where('name', '=', name)
    .$if(silentMs !== undefined, (query) => query.where('renewed_at', '>', before(silentMs ?? 0)))
    .executeTakeFirst()
}

/** Whether anybody holds a lease of `kind` and renewed it within `silentMs`. */
export async function isAnyHeld(db: Db, kind: string, silentMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('leases')
    .select('name')
    .where('kind', '=', kind)
    .where('renewed_at', '>', before(silentMs))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The query of the leases of `kind`, to be joined by another: its `name`, and when it was renewed. */
export function leasesOf(db: Db, kind: string) {
  return db.selectFrom('leases').select(['name', 'renewed_at']).where('kind', '=', kind)
}

/** Condition of a query: somebody holds the lease that `name` names and renewed it within `silentMs`. */
export function isRenewed(kind: string, name: Expression<string>, silentMs: number): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from leases where kind = ${kind} and leases.name = ${name} and renewed_at > ${before(silentMs)})`
}

/** Condition of a write: `holder` holds the lease, and nobody takes it before the transaction ends. */
export function heldBy({ kind, name, holder }: Lease): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from leases where kind = ${kind} and name = ${name} and holder = ${holder} for share)`
}
