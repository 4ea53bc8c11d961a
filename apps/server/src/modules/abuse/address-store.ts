import { type Generated, type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../platform/db/index.ts'
import { valuesOf, withErased } from './asked-value.ts'

interface ClusterAddressesTable {
  number: Generated<number>
  value: string
  cluster_id: string
  account_id: string
  from_at: Date
  until_at: Date | null
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    cluster_addresses: ClusterAddressesTable
  }
}

export interface PresentAddress {
  value: string
  clusterId: string
  accountId: string
}

/** Notes who has what at `at`: what is new begins then, what is gone ends then. Repeating it changes nothing. */
export async function notePresent(trx: Trx, present: readonly PresentAddress[], at: Date): Promise<void> {
  const column = (key: keyof PresentAddress) => sql`${present.map((one) => one[key])}::text[]`
  const now = sql`unnest(${column('value')}, ${column('clusterId')}, ${column('accountId')})
    as now (value, cluster_id, account_id)`
  await sql`update cluster_addresses set until_at = ${at} where until_at is null
    and not exists (select from ${now} where now.value = cluster_addresses.value
      and now.cluster_id = cluster_addresses.cluster_id)`.execute(trx)
  await sql`insert into cluster_addresses (value, cluster_id, account_id, from_at)
    select distinct on (value, cluster_id) value, cluster_id, account_id, ${at}::timestamptz from ${now}
    on conflict (value, cluster_id) where until_at is null do nothing`.execute(trx)
}

/** The accounts whose clusters have this host or address now; nobody for what is an ID or email. */
export function holderOf(what: string): RawBuilder<string> {
  const values = what.includes('@') ? [] : valuesOf(what)
  return sql<string>`(select account_id from cluster_addresses where until_at is null
    and value = any(${values}::text[]))`
}

export async function forgetAddresses(trx: Trx, before: Date): Promise<void> {
  await trx.deleteFrom('cluster_addresses').where('until_at', '<', before).execute()
}

/** The clusters that had one of `values`, at `at` where it is given: the newest first. */
export async function listHolders(db: Db, values: readonly string[], at: Date | undefined) {
  let query = db
    .selectFrom('cluster_addresses')
    .selectAll()
    .where('value', '=', sql<string>`any(${withErased(values)}::text[])`)
  if (at)
    query = query
      .where('from_at', '<=', at)
      .where((where) => where.or([where('until_at', 'is', null), where('until_at', '>', at)]))
  return await query.orderBy('from_at', 'desc').orderBy('number', 'desc').limit(100).execute()
}
