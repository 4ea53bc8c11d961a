/** Certificates as rows; each write counts the revision. */
import type { HttpsFault, HttpsProblem } from '@atoll/contract/domains'
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
  /** When such a name was visited last, to the day. */
  visited_at: Generated<Date | null>
  wanted: Generated<boolean>
  revision: Generated<number>
  chain: Generated<string | null>
  sealed_key: Generated<string | null>
  not_before: Generated<Date | null>
  not_after: Generated<Date | null>
  problem: Generated<HttpsProblem | null>
  problem_detail: Generated<string | null>
  problem_since: Generated<Date | null>
  problem_fault: Generated<HttpsFault | null>
  /** When the domain's owner had mail about its failure, and about its end. */
  failing_mailed_at: Generated<Date | null>
  ending_mailed_at: Generated<Date | null>
  failures: Generated<number>
  /** Chosen in the time that the authority suggests; null: our own rule. */
  renew_at: Generated<Date | null>
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

/** The deployment’s own: domains of customers are numbered from 1. */
export const ownDomain = 0

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
  ...(['id', 'names', 'challenge', 'visited_cluster', 'visited_at', 'wanted', 'not_after'] as const),
  ...(['problem', 'problem_detail', 'problem_since', 'problem_fault', 'next_try_at'] as const),
] as const
/** Without chain and key: of a domain with many members they are megabytes. */
export type ListedCertificate = Pick<CertificateRow, (typeof listed)[number]>

export function certificatesUnder(db: Db | Trx, domain: number) {
  return db.selectFrom('certificates').select(listed).where('domain', '=', domain).orderBy('names')
}

export async function listCertificates(db: Db | Trx, domain: number): Promise<ListedCertificate[]> {
  return await certificatesUnder(db, domain).execute()
}

/** Has all that changes certificates of a domain wait for the caller's transaction. */
export async function lockCertificates(trx: Trx, domain: number): Promise<void> {
  await trx.selectFrom('certificates').select('id').where('domain', '=', domain).orderBy('id').forUpdate().execute()
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

/**
 * Locks the certificate of a cluster's own host where none covers all below it, so that visits are counted one by one.
 */
export async function lockVisitable(trx: Trx, clusterHost: string): Promise<CertificateRow | undefined> {
  return await trx
    .selectFrom('certificates')
    .selectAll()
    .where((from) =>
      from.or([
        from.and([sql<boolean>`names = ${[clusterHost]}::text[]`, from('challenge', '=', 'http-01')]),
        // All hosts of a domain in one, by its owner's CNAME; by delegation the domain's own name stands with it.
        sql<boolean>`names = ${coveringNames(clusterHost).slice(1)}::text[]`,
      ]),
    )
    .where('wanted', '=', true)
    .forUpdate()
    .executeTakeFirst()
}

/** A visit counts once in so long, ms. */
export const visitCountedMs = 24 * 60 * 60_000
/** Names that are not visited for so long are not renewed, ms. */
export const unvisitedMs = 30 * 24 * 60 * 60_000

/** Notes that a name was visited; false: it was noted a moment ago, or no visit ordered it. */
export async function updateVisited(trx: Trx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('certificates')
    .set({ visited_at: now })
    .where('id', '=', id)
    .where('visited_at', '<=', new Date(now.getTime() - visitCountedMs))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A name that a visit asked for and that nobody visits any more. */
export function isUnvisited({ visited_at: at }: Pick<CertificateRow, 'visited_at'>, now: Date): boolean {
  return at !== null && now.getTime() - at.getTime() >= unvisitedMs
}

/** The certificate of a domain that is for `name`, alone or among others. */
export async function findNamed(trx: Trx, domain: number, name: string): Promise<CertificateRow | undefined> {
  return await trx
    .selectFrom('certificates')
    .selectAll()
    .where('domain', '=', domain)
    .where(sql<boolean>`names && ${[name]}::text[]`)
    .executeTakeFirst()
}

/** Certificates of clusters' own hosts under a registered domain that are yet to be ordered. */
export async function listOwnAwaited(db: Db, registrable: string): Promise<Pick<CertificateRow, 'domain' | 'names'>[]> {
  return await db
    .selectFrom('certificates')
    .select(['domain', 'names'])
    .where('wanted', '=', true)
    .where('chain', 'is', null)
    .where('visited_cluster', 'is', null)
    .where((from) =>
      from.or([
        from('domain_name', '=', registrable),
        from(sql`right(domain_name, ${registrable.length + 1})`, '=', `.${registrable}`),
      ]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('acme_orders')
            .select('acme_orders.id')
            .whereRef('acme_orders.certificate', '=', 'certificates.id')
            .where('acme_orders.state', '=', 'open'),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(50)
    .execute()
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

/** Problems that end at a time of their own, whatever is mended. */
export const limitProblems: readonly HttpsProblem[] = ['caLimited', 'orderLimit']

/** Has every certificate of a domain that failed tried now; gives their ids, and those that wait for the domain. */
export async function updateFailedDue(trx: Trx, domain: number, now: Date): Promise<string[]> {
  await trx
    .updateTable('certificates')
    .set({ next_try_at: now, revision: sql`revision + 1` })
    .where('domain', '=', domain)
    .where('wanted', '=', true)
    .where('problem', 'is not', null)
    .where('problem', 'not in', limitProblems)
    .where('next_try_at', '>', now)
    .execute()
  const due = await trx
    .selectFrom('certificates')
    .select('id')
    .where('domain', '=', domain)
    .where('wanted', '=', true)
    .where('next_try_at', '<=', now)
    .execute()
  return due.map(({ id }) => id)
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
  /** When a name that a visit asked for was visited last; null: no visit did. */
  visitedAt: Date | null
}

/** The certificates that cover `host`: the one to serve first, those that are yet to come last. */
export async function listCovering(db: Db, host: string): Promise<ServedCertificate[]> {
  const rows = await db
    .selectFrom('certificates')
    .select(['id', 'chain', 'sealed_key', 'not_after', 'wanted', 'visited_at'])
    .where(sql<boolean>`names && ${coveringNames(host)}::text[]`)
    .orderBy(sql`not_after desc nulls last`)
    .execute()
  return rows.map(({ sealed_key: sealedKey, not_after: notAfter, visited_at: visitedAt, ...row }) => ({
    ...row,
    sealedKey,
    notAfter,
    visitedAt,
  }))
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
