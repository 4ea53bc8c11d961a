/** Certificates as rows; each write counts the revision. */
import type { HttpsProblem } from '@atoll/contract/domains'
import { type Generated, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { notify } from '../../../platform/events/index.ts'
import type { ChallengeKind } from '../acme/ca.ts'
import { stripOrders } from './order-store.ts'

interface CertificatesTable {
  id: string
  /** The number of its domain. */
  domain: number
  domain_name: string
  names: string[]
  challenge: ChallengeKind
  visited_cluster: Generated<string | null>
  wanted: Generated<boolean>
  revision: Generated<number>
  chain: Generated<string | null>
  sealed_key: Generated<string | null>
  not_before: Generated<Date | null>
  not_after: Generated<Date | null>
  problem: Generated<HttpsProblem | null>
  problem_detail: Generated<string | null>
  problem_since: Generated<Date | null>
  failures: Generated<number>
  next_try_at: Date
  created_at: Date
}
export type CertificateRow = Selectable<CertificatesTable>
export type CertificateChanges = Updateable<CertificatesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    certificates: CertificatesTable
  }
}

/** Tells every edge which names have another certificate, or none: `{ names }`. */
export const certificateChannel = 'atoll_certificate'

/** Of notifications, bytes: PostgreSQL takes less than 8000. */
const namesAtOnce = 20

export async function notifyEdges(trx: Trx, names: readonly string[]): Promise<void> {
  for (let begin = 0; begin < names.length; begin += namesAtOnce)
    await notify(trx, certificateChannel, { names: names.slice(begin, begin + namesAtOnce) })
}

export async function findCertificate(db: Db, id: string): Promise<CertificateRow | undefined> {
  return await db.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst()
}

const listed = [
  ...(['id', 'names', 'visited_cluster', 'wanted', 'not_after'] as const),
  ...(['problem', 'problem_detail', 'problem_since', 'next_try_at'] as const),
] as const
/** Without chain and key: of a domain with many members they are megabytes. */
export type ListedCertificate = Pick<CertificateRow, (typeof listed)[number]>

export async function listCertificates(db: Db, domain: number): Promise<ListedCertificate[]> {
  return await db.selectFrom('certificates').select(listed).where('domain', '=', domain).orderBy('names').execute()
}

/** Adds those whose names no row has yet; gives the ids of what was added. */
export async function insertCertificates(trx: Trx, rows: readonly Insertable<CertificatesTable>[]): Promise<string[]> {
  if (rows.length === 0) return []
  const added = await trx
    .insertInto('certificates')
    .values(rows)
    .onConflict((conflict) => conflict.column('names').doNothing())
    .returning('id')
    .execute()
  return added.map(({ id }) => id)
}

/** Writes where the row is still as it was read; false: somebody was faster. */
export async function updateCertificate(
  trx: Trx,
  row: Pick<CertificateRow, 'id' | 'revision'>,
  changes: CertificateChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ ...changes, revision: row.revision + 1 })
    .where('id', '=', row.id)
    .where('revision', '=', row.revision)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Those of a domain that are wanted or not, by id. */
export async function setWanted(trx: Trx, ids: readonly string[], wanted: boolean): Promise<void> {
  if (ids.length === 0) return
  await trx.updateTable('certificates').set({ wanted, revision: sql`revision + 1` }).where('id', 'in', ids).execute()
}

/** Gives the names of what was deleted. Of its orders only what authorities count stays. */
export async function deleteCertificates(trx: Trx, where: { domain: number } | { id: string }): Promise<string[]> {
  const query = trx.deleteFrom('certificates').returning(['id', 'names'])
  const found = await ('id' in where
    ? query.where('id', '=', where.id)
    : query.where('domain', '=', where.domain)
  ).execute()
  await stripOrders(
    trx,
    found.map(({ id }) => id),
  )
  return found.flatMap(({ names }) => names)
}

/** Locks the certificate of a cluster's own host, proven by HTTP, so that visits are counted one by one. */
export async function lockVisitable(trx: Trx, id: string): Promise<CertificateRow | undefined> {
  return await trx
    .selectFrom('certificates')
    .selectAll()
    .where('id', '=', id)
    .where('challenge', '=', 'http-01')
    .where('wanted', '=', true)
    .forUpdate()
    .executeTakeFirst()
}

/** Has what is planned for later tried now; false: it is, or soon. */
export async function updateDue(trx: Trx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ next_try_at: now, revision: sql`revision + 1` })
    .where('id', '=', id)
    .where('problem', 'is', null)
    .where('next_try_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** How many certificates visits of a cluster have asked for. */
export async function countVisited(trx: Trx, clusterId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('certificates')
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('visited_cluster', '=', clusterId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Names under which a certificate covers `host`: itself, and the wildcard one label up (RFC 9525, 6.3). */
const coveringNames = (host: string) => [host, `*.${host.slice(host.indexOf('.') + 1)}`]

export interface ServedCertificate {
  id: string
  /** Null until the first was issued. */
  chain: string | null
  sealedKey: string | null
  notAfter: Date | null
  wanted: boolean
}

/** The certificates that cover `host`: the one to serve first, those that are yet to come last. */
export async function listCovering(db: Db, host: string): Promise<ServedCertificate[]> {
  const rows = await db
    .selectFrom('certificates')
    .select(['id', 'chain', 'sealed_key', 'not_after', 'wanted'])
    .where(sql<boolean>`names && ${coveringNames(host)}::text[]`)
    .orderBy(sql`not_after desc nulls last`)
    .execute()
  return rows.map(({ sealed_key: sealedKey, not_after: notAfter, ...row }) => ({ ...row, sealedKey, notAfter }))
}

/** Certificates whose next step is due since before `dueBefore`. */
export async function listDue(db: Db, dueBefore: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('certificates')
    .select('id')
    .where('next_try_at', '<=', dueBefore)
    .orderBy('next_try_at')
    .limit(500)
    .execute()
  return rows.map(({ id }) => id)
}
