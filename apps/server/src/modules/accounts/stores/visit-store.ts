import type { Currency } from '@atoll/money'
import { type SqlBool, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { drillOwnerFact, factOf } from '../../../platform/facts/index.ts'
import { nameOfDid } from '../../identity/index.ts'
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

/** The filters of customers by their account. */
export interface CustomerNarrowing {
  plan?: number | undefined
  currency?: Currency | undefined
}

/** The query of customers with what their accounts say, to be narrowed and ordered; whom drills belong to is none. */
export function customerAccounts(db: Db, { plan, currency }: CustomerNarrowing) {
  let query = db
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
    .where((from) => sql<SqlBool>`${from.ref('accounts.account_id')} is distinct from ${factOf(drillOwnerFact)}`)
  if (plan !== undefined) query = query.where('accounts.plan_level', '=', plan)
  if (currency !== undefined) query = query.where('accounts.currency', '=', currency)
  return query
}
