import type { Currency } from '@atoll/money'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { drillOwnerFact, factOf } from '../../../platform/facts/index.ts'
import { boundNames, namedLike, nameOfDid } from '../../identity/index.ts'
import './account-store.ts'
import { staffRoleOf } from './staff-store.ts'

interface AccountVisitsTable {
  userid: string
  last_seen_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    account_visits: AccountVisitsTable
  }
}

/** Notes that the account was in use at `at`; nothing when it is known to have been later. */
export async function noteVisit(db: Db | Trx, userid: string, at: Date): Promise<void> {
  await db
    .insertInto('account_visits')
    .values({ userid, last_seen_at: at })
    .onConflict((conflict) =>
      conflict.column('userid').doUpdateSet({ last_seen_at: at }).where('account_visits.last_seen_at', '<', at),
    )
    .execute()
}

/** The accounts of customers, as a query to be narrowed and ordered. */
export function customerAccounts(db: Db) {
  return db
    .selectFrom('account_visits as visit')
    .innerJoin('accounts', 'accounts.account_id', 'visit.userid')
    .select((from) => [
      'accounts.account_id',
      'accounts.did',
      'accounts.email',
      'accounts.plan_level',
      'accounts.currency',
      'accounts.zone',
      'accounts.locale',
      'accounts.role',
      'accounts.created_at',
      'visit.last_seen_at',
      nameOfDid(from.ref('accounts.did')).as('name'),
      staffRoleOf(from.ref('accounts.account_id')).as('staff'),
    ])
}

/** The filters of customers by their account; currency null: of those that nothing was ever charged to. */
export interface CustomerNarrowing {
  plan?: number | undefined
  currency?: Currency | null | undefined
}

/** The ids of customers, `visit.userid` of this query, without the account that owns the clusters of drills. */
export function customerIds(db: Db, { plan, currency }: CustomerNarrowing) {
  let query = db
    .selectFrom('account_visits as visit')
    .select('visit.userid as id')
    .where((from) => sql<SqlBool>`${from.ref('visit.userid')} is distinct from ${factOf(drillOwnerFact)}`)
  let accounts = db.selectFrom('accounts').select('account_id')
  if (plan !== undefined) accounts = accounts.where('plan_level', '=', plan)
  if (currency === null) accounts = accounts.where('currency', 'is', null)
  else if (currency !== undefined) accounts = accounts.where('currency', '=', currency)
  if (plan !== undefined || currency !== undefined) query = query.where('visit.userid', 'in', accounts)
  return query
}

/** The accounts whose ID, DID or email is like one of these patterns, as a query of their ids. */
export function accountsLike(like: { name: string; did: string; email?: string }): RawBuilder<string> {
  const email = like.email ?? null
  return sql<string>`(select account_id from accounts where did in ${namedLike(like.name)}
    union all select account_id from accounts where lower(did) like ${like.did}
    union all select account_id from accounts where lower(email) like ${email})`
}

/** The accounts that have an ID, as a table of another query: userid, name. */
export const accountNames = sql<{ userid: string; name: string }>`(select accounts.account_id as userid, bound.name
  from ${boundNames} bound join accounts on accounts.did = bound.did)`
