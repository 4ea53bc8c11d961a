import { type Generated, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { accountOfDid, didOfAccount } from '../../accounts/index.ts'
import { didOf, namesUnder } from '../../identity/index.ts'
import { isFinished } from './domain-state.ts'
import type { DomainRow } from './domain-store.ts'

interface ClusterHostsTable {
  /** Lower case, A-labels, without a dot at the end. */
  host: string
  /** The number of its domain. */
  domain: number
  cluster_id: string
  owner: string
  created_at: Generated<Date>
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    cluster_hosts: ClusterHostsTable
  }
}

/** Which cluster answers at a host of a custom domain. */
export interface CustomHost {
  clusterId: string
  /** The cluster's own name; `host` itself or what is one label above it. */
  clusterHost: string
  /** The number of its domain, as changes name it. */
  domainId: string
}

/** `host`: lower case, without a port. Undefined where no domain of a customer has it. */
export async function findCustomHost(db: Db, host: string): Promise<CustomHost | undefined> {
  const above = host.slice(host.indexOf('.') + 1)
  const row = await db
    .selectFrom('cluster_hosts')
    .select(['host', 'cluster_id', 'domain'])
    .where('host', 'in', [host, above])
    .orderBy(sql`length(host)`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { clusterId: row.cluster_id, clusterHost: row.host, domainId: String(row.domain) }
}

/** Of each of these clusters the host that leads to it now: its domain is linked, and points here. */
export async function listHostsOf(db: Db, clusterIds: readonly string[]): Promise<Map<string, string>> {
  if (clusterIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('cluster_hosts')
    .innerJoin('domains', 'domains.number', 'cluster_hosts.domain')
    .select(['cluster_id', 'host', 'domains.status', 'domains.problem', 'domains.released_at'])
    .where('cluster_id', 'in', clusterIds)
    .execute()
  return new Map(rows.filter(leadsHere).map((row) => [row.cluster_id, row.host]))
}

/** Whether hosts of a domain lead here, as far as is known. */
export function leadsHere({ status, problem, released_at }: Pick<DomainRow, 'status' | 'problem' | 'released_at'>) {
  return isFinished(status) && problem !== 'delegationLost' && problem !== 'noNameServers' && released_at === null
}

/** Every host of a customer's domain, with its cluster. */
export async function listAllHosts(db: Db): Promise<{ host: string; clusterId: string }[]> {
  return await db.selectFrom('cluster_hosts').select(['host', 'cluster_id as clusterId']).execute()
}

/** Hosts of the accounts of these DIDs under a domain, sorted. */
export async function listHostsUnder(db: Db | Trx, domain: number, dids: readonly string[]) {
  if (dids.length === 0) return []
  return await db
    .selectFrom('cluster_hosts')
    .select((from) => [didOfAccount(from.ref('owner')).as('did'), 'cluster_id as clusterId', 'host'])
    .where('domain', '=', domain)
    .where(
      'owner',
      'in',
      dids.map((did) => accountOfDid(did).$notNull()),
    )
    .orderBy('host')
    .execute()
}

/** Publishes a change of every cluster under a domain. */
export async function publishHostsUnder(trx: Trx, domain: number): Promise<void> {
  const rows = await trx
    .selectFrom('cluster_hosts')
    .select(['owner', 'cluster_id'])
    .where('domain', '=', domain)
    .execute()
  for (const row of rows) await publishChange(trx, { account: row.owner, topic: 'cluster', id: row.cluster_id })
}

/** The hosts of an account, by their cluster. */
export async function listOwnHosts(trx: Trx, owner: string, domain: number): Promise<Map<string, string>> {
  const rows = await trx
    .selectFrom('cluster_hosts')
    .select(['host', 'cluster_id'])
    .where('owner', '=', owner)
    .where('domain', '=', domain)
    .execute()
  return new Map(rows.map((row) => [row.cluster_id, row.host]))
}

/** False: somebody has the host. */
export async function insertHost(trx: Trx, row: Omit<ClusterHostsTable, 'created_at'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('cluster_hosts')
    .values(row)
    .onConflict((conflict) => conflict.column('host').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteHostsOf(trx: Trx, clusterIds: readonly string[]): Promise<void> {
  if (clusterIds.length === 0) return
  await trx.deleteFrom('cluster_hosts').where('cluster_id', 'in', clusterIds).execute()
}

export async function deleteHostsUnder(trx: Trx, domain: number): Promise<void> {
  await trx.deleteFrom('cluster_hosts').where('domain', '=', domain).execute()
}

/** Hosts directly under a domain: of every ID under it, and of the further clusters of those who have one. Sorted. */
export async function listHostNames(trx: Trx, domain: { number: number; name: string }): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select split_part(name, '@', 1) || '.' || ${domain.name} as host from ${namesUnder(domain.name)} named
    union select host from cluster_hosts where domain = ${domain.number}
    order by 1`.execute(trx)
  return rows.map(({ host }) => host)
}

/** The account of a host directly under a domain, or one label below: its cluster's owner, or the holder of its ID. */
export async function findHostAccount(
  db: Db | Trx,
  domain: { number: number; name: string },
  host: string,
): Promise<string | undefined> {
  const own =
    host
      .slice(0, -domain.name.length - 1)
      .split('.')
      .at(-1) ?? ''
  const { rows } = await sql<{ account: string | null }>`
    select owner as account from cluster_hosts
    where domain = ${domain.number} and host = ${`${own}.${domain.name}`}
    union all select ${accountOfDid(sql.ref('holder.did'))} from ${didOf(`${own}@${domain.name}`)} holder
    limit 1`.execute(db)
  return rows[0]?.account ?? undefined
}

/** The owners and clusters of every host. */
export async function listHostOwners(db: Db): Promise<{ owner: string; clusterId: string }[]> {
  const rows = await db.selectFrom('cluster_hosts').select(['owner', 'cluster_id']).execute()
  return rows.map((row) => ({ owner: row.owner, clusterId: row.cluster_id }))
}
