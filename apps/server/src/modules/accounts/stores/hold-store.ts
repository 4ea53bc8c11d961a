import type { Hold } from '@atoll/contract/accounts'
import { type Expression, type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Attention } from '../../../platform/attention/index.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'

/** Stops and starts what is held: enqueued with each change of a hold. */
export const holdsJob = 'staff.holds'

/** A suspension, which ends by being released; or that an account closes, which is held like one until it ends. */
interface AccountHoldsTable {
  id: string
  account_id: string
  /** Null: the whole account. */
  cluster_id: string | null
  scope: Hold['scope']
  reason: Hold['reason'] | 'closing'
  text: string
  answer_by: Date | null
  until: Date | null
  held_by: string
  held_at: Date
  released_by: Generated<string | null>
  released_at: Generated<Date | null>
  answer: Generated<string | null>
  answered_at: Generated<Date | null>
}
export type HoldRow = Selectable<AccountHoldsTable>
export type SuspensionRow = HoldRow & { reason: Hold['reason'] }

declare module '../../../platform/db/index.ts' {
  interface Tables {
    account_holds: AccountHoldsTable
  }
}

/**
 * For a query: how far what this owner has is suspended, `servers` before `visitors`; null: it is not. `clusterId`: of
 * this cluster, by a suspension of its own or of the account; absent: of the account as a whole. `servesUntilEnd`: of
 * these the closing of the account holds nothing.
 */
export function heldScopeOf(
  owner: Expression<unknown>,
  clusterId?: Expression<unknown>,
  { servesUntilEnd = sql`false` }: { servesUntilEnd?: Expression<unknown> } = {},
): RawBuilder<Hold['scope'] | null> {
  const range = clusterId
    ? sql`(held.cluster_id is null or held.cluster_id = ${clusterId})`
    : sql`held.cluster_id is null`
  return sql<Hold['scope'] | null>`(select min(held.scope) from account_holds held
    where held.account_id = ${owner} and held.released_at is null and ${range}
      and not (held.reason = 'closing' and ${servesUntilEnd}))`
}

/**
 * For a query: whether an owner's bill is not collected, as the account is held or one of these clusters, a list in
 * parentheses, and not because a bill is unpaid. Of an account that closes, what it still owes is collected.
 */
export function pausesBill(owner: Expression<unknown>, clusterIds: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from account_holds held where held.account_id = ${owner}
    and held.released_at is null and held.reason not in ('unpaid', 'closing')
    and (held.cluster_id is null or held.cluster_id in ${clusterIds}))`
}

/** For a query: whether anything of the account with this id is suspended, or all of it. */
export function isHeld(accountId: Expression<unknown>, { whole = false } = {}): RawBuilder<boolean> {
  return sql<boolean>`exists (select from account_holds where account_holds.account_id = ${accountId}
    and released_at is null and reason <> 'closing' and (not ${whole}::boolean or cluster_id is null))`
}

/** For a query: whether the account closes. */
export function isClosing(accountId: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from account_holds where account_holds.account_id = ${accountId}
    and released_at is null and reason = 'closing')`
}

/** For a query: when the account with this id ends, which is closing; null: it is not. */
export function closesAt(accountId: Expression<unknown>): RawBuilder<Date | null> {
  return sql<Date | null>`(select until from account_holds where account_holds.account_id = ${accountId}
    and released_at is null and reason = 'closing')`
}

/** The living suspensions of an account, without its closing. */
export async function listSuspensions(db: Db, accountId: string): Promise<SuspensionRow[]> {
  return (await listHolds(db, accountId)).filter(isSuspension)
}

function isSuspension(row: HoldRow): row is SuspensionRow {
  return row.reason !== 'closing'
}

/** Everything of an account that is held, by suspensions and by its closing, the oldest first. */
export async function listHolds(db: Db, accountId: string): Promise<HoldRow[]> {
  return await db
    .selectFrom('account_holds')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('released_at', 'is', null)
    .orderBy('held_at')
    .orderBy('id')
    .execute()
}

export async function insertHold(
  trx: Trx,
  row: Omit<HoldRow, 'released_by' | 'released_at' | 'answer' | 'answered_at'>,
): Promise<void> {
  await trx.insertInto('account_holds').values(row).execute()
}

export async function lockHold(trx: Trx, id: string): Promise<SuspensionRow | undefined> {
  const row = await trx
    .selectFrom('account_holds')
    .selectAll()
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && isSuspension(row) ? row : undefined
}

export async function updateHold(
  trx: Trx,
  id: string,
  facts: Partial<Pick<HoldRow, 'released_by' | 'released_at' | 'answer' | 'answered_at'>>,
): Promise<void> {
  await trx.updateTable('account_holds').set(facts).where('id', '=', id).execute()
}

/** Accounts that close by `before`, the one that ends first before the others. */
export async function listClosings(db: Db, before: Date): Promise<HoldRow[]> {
  return await db
    .selectFrom('account_holds')
    .selectAll()
    .where('reason', '=', 'closing')
    .where('released_at', 'is', null)
    .where('until', '<=', before)
    .orderBy('until')
    .execute()
}

/** Suspensions whose end has come. */
export async function listOverdueHolds(db: Db, now: Date): Promise<HoldRow[]> {
  return await db
    .selectFrom('account_holds')
    .selectAll()
    .where('released_at', 'is', null)
    .where('reason', '<>', 'closing')
    .where('until', '<=', now)
    .orderBy('until')
    .limit(100)
    .execute()
}

/** Suspensions that wait for staff: answered by their owner, or past the date without an answer; the oldest first. */
export async function findHoldsToDecide(db: Db, now: Date): Promise<Attention[]> {
  const { rows } = await sql<{ owner: string; since: Date; count: string }>`
    select held.account_id as owner, coalesce(held.answered_at, held.answer_by) as since, count(*) over () as count
    from account_holds held where held.released_at is null and held.reason <> 'closing'
      and (held.answered_at is not null or held.answer_by < ${now})
    order by since limit 1`.execute(db)
  return rows.map(({ owner, since, count }) => ({
    severity: 'warning',
    since,
    facts: { count: Number(count) },
    object: owner,
  }))
}

/** How far this cluster is suspended, or without one the account as a whole; undefined: it is not. */
export async function findHeldScope(
  db: Db,
  owner: string,
  clusterId: string | undefined,
): Promise<Hold['scope'] | undefined> {
  const id = clusterId === undefined ? undefined : sql`${clusterId}`
  const { rows } = await sql<{ held: Hold['scope'] | null }>`select ${heldScopeOf(sql`${owner}`, id)} as held`.execute(
    db,
  )
  return rows[0]?.held ?? undefined
}

export function toHold(row: SuspensionRow): Hold {
  const { answer, answered_at } = row
  return {
    holdId: row.id,
    clusterId: row.cluster_id,
    scope: row.scope,
    reason: row.reason,
    text: row.text,
    since: row.held_at.toISOString(),
    answerBy: row.answer_by?.toISOString() ?? null,
    until: row.until?.toISOString() ?? null,
    answer: answer === null || answered_at === null ? null : { text: answer, at: answered_at.toISOString() },
  }
}

/** Everything that is held with this scope. */
export async function listLivingHolds(db: Db, scope: Hold['scope']): Promise<HoldRow[]> {
  return await db
    .selectFrom('account_holds')
    .selectAll()
    .where('released_at', 'is', null)
    .where('scope', '=', scope)
    .orderBy('held_at')
    .execute()
}

/** A suspension that is over and had stopped the servers of a cluster, or of the whole account. */
export type Stop = Pick<HoldRow, 'cluster_id' | 'held_at' | 'released_at'>

/** All of an account, the earliest first; not those for what is unpaid: that is collected on. */
export async function listStops(db: Db, owner: string): Promise<Stop[]> {
  return await db
    .selectFrom('account_holds')
    .select(['cluster_id', 'held_at', 'released_at'])
    .where('account_id', '=', owner)
    .where('scope', '=', 'servers')
    .where('reason', '<>', 'unpaid')
    .where('released_at', 'is not', null)
    .orderBy('held_at')
    .execute()
}

/**
 * Until when these kept a cluster, or with null what is no cluster's, stopped from before `at` on: others that overlap
 * one count with it. Undefined: none did.
 */
export function stoppedUntil(
  stops: readonly Stop[],
  { clusterId, at }: { clusterId: string | null; at: Date },
): Date | undefined {
  return stops.reduce<Date | undefined>((until, { cluster_id, held_at: from, released_at: to }) => {
    const isMeant = cluster_id === null || cluster_id === clusterId
    return isMeant && from <= (until ?? at) && to && to > (until ?? at) ? to : until
  }, undefined)
}
