/** Orders at the certification authority, and the challenges that are open for them. */
import type { HttpsProblem } from '@atoll/contract/domains'
import { type Generated, type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { ChallengeKind } from '../acme/ca.ts'

interface AcmeOrdersTable {
  id: string
  certificate: string
  names: string[]
  registrable: string
  is_renewal: Generated<boolean>
  /** The account whose clusters it is for. */
  account: Generated<string | null>
  url: string
  sealed_key: string
  zone_version: Generated<number | null>
  state: 'open' | 'issued' | 'failed'
  problem: Generated<HttpsProblem | null>
  created_at: Date
  ended_at: Generated<Date | null>
}
export type OrderRow = Selectable<AcmeOrdersTable>

interface AcmeChallengesTable {
  acme_order: string
  host: string
  kind: ChallengeKind
  token: string
  answer: string
  domain_name: string
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    acme_orders: AcmeOrdersTable
    acme_challenges: AcmeChallengesTable
  }
}

export async function findOpenOrder(db: Db, certificate: string): Promise<OrderRow | undefined> {
  return await db
    .selectFrom('acme_orders')
    .selectAll()
    .where('certificate', '=', certificate)
    .where('state', '=', 'open')
    .executeTakeFirst()
}

export async function insertOrder(trx: Trx, row: Insertable<AcmeOrdersTable>): Promise<void> {
  await trx.insertInto('acme_orders').values(row).execute()
}

/** Of certificates that are gone: nothing is open, and no key is kept; what was issued or failed counts on. */
export async function stripOrders(trx: Trx, certificates: readonly string[]): Promise<void> {
  if (certificates.length === 0) return
  await trx.deleteFrom('acme_orders').where('certificate', 'in', certificates).where('state', '=', 'open').execute()
  await trx.updateTable('acme_orders').set({ sealed_key: '' }).where('certificate', 'in', certificates).execute()
}

/** Ends the order that is open, with its challenges. */
export async function endOrder(
  trx: Trx,
  certificate: string,
  end: { state: 'issued' | 'failed'; problem: HttpsProblem | null; at: Date },
): Promise<void> {
  const ended = await trx
    .updateTable('acme_orders')
    .set({ state: end.state, problem: end.problem, ended_at: end.at })
    .where('certificate', '=', certificate)
    .where('state', '=', 'open')
    .returning('id')
    .execute()
  for (const { id } of ended) await trx.deleteFrom('acme_challenges').where('acme_order', '=', id).execute()
}

export async function insertChallenges(trx: Trx, rows: readonly Insertable<AcmeChallengesTable>[]): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('acme_challenges')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['acme_order', 'token']).doNothing())
    .execute()
}

export async function setZoneVersion(trx: Trx, order: string, version: number | null): Promise<void> {
  await trx.updateTable('acme_orders').set({ zone_version: version }).where('id', '=', order).execute()
}

export async function listChallenges(db: Db, order: string): Promise<{ token: string; host: string }[]> {
  return await db.selectFrom('acme_challenges').select(['token', 'host']).where('acme_order', '=', order).execute()
}

/** The answers to publish under `_acme-challenge` of a domain's hosts. */
export async function listDnsChallenges(trx: Trx, domainName: string): Promise<{ host: string; answer: string }[]> {
  return await trx
    .selectFrom('acme_challenges')
    .select(['host', 'answer'])
    .where('domain_name', '=', domainName)
    .where('kind', '=', 'dns-01')
    .orderBy('answer')
    .execute()
}

/** The answer of a host to the authority's request for `token` over HTTP. */
export async function findHttpAnswer(db: Db, host: string, token: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('acme_challenges')
    .select('answer')
    .where('token', '=', token)
    .where('host', '=', host)
    .where('kind', '=', 'http-01')
    .executeTakeFirst()
  return row?.answer
}

/** When orders for any of `names` failed since then, the first first. */
export async function listFailed(db: Db, names: readonly string[], since: Date): Promise<Date[]> {
  const query = ended(db, 'failed', since).where(sql<boolean>`names && ${names}::text[]`)
  return (await query.execute()).map(({ at }) => at)
}

/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const budgetLockClass = 7010

/** Until `trx` ends no other transaction decides whether one more is ordered under this registered domain. */
export async function lockBudget(trx: Trx, registrable: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${budgetLockClass}, hashtext(${registrable}))`.execute(trx)
}

/**
 * New certificates under a registered domain that were issued since then or are on order, with whose they are; the
 * first first. Renewals are none.
 */
export async function listTaken(
  db: Db,
  registrable: string,
  since: Date,
): Promise<{ at: Date; account: string | null }[]> {
  return await db
    .selectFrom('acme_orders')
    .select([sql<Date>`coalesce(ended_at, created_at)`.as('at'), 'account'])
    .where('registrable', '=', registrable)
    .where('is_renewal', '=', false)
    .where((from) =>
      from.or([from('state', '=', 'open'), from.and([from('state', '=', 'issued'), from('ended_at', '>', since)])]),
    )
    .orderBy('at')
    .execute()
}

const ended = (db: Db, state: OrderRow['state'], since: Date) =>
  db
    .selectFrom('acme_orders')
    .select(sql<Date>`ended_at`.as('at'))
    .where('state', '=', state)
    .where('ended_at', '>', since)
    .orderBy('ended_at')

export async function deleteOldOrders(db: Db, endedBefore: Date): Promise<void> {
  await db.deleteFrom('acme_orders').where('ended_at', '<', endedBefore).execute()
}
