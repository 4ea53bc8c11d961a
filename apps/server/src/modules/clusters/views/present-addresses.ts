/** For the abuse desk: which cluster has which address now. */
import type { Db } from '../../../platform/db/index.ts'
import { endedStatuses } from '../instances/instance-store.ts'

/** Customers' clusters that are not gone: their label under the edge's domain, and addresses of theirs. */
export async function listPresentAddresses(db: Db) {
  const clusters = await db
    .selectFrom('clusters')
    .select(['id', 'host_label', 'direct_address', 'cloudflare_hostname', 'owner as accountId'])
    .where('status', 'not in', endedStatuses)
    .where('purpose', '=', 'user')
    .execute()
  const machines = await db
    .selectFrom('instances')
    .select(['cluster_id', 'host'])
    .where('status', 'not in', endedStatuses)
    .where('host', 'is not', null)
    .execute()
  const hosts = Map.groupBy(machines, ({ cluster_id }) => cluster_id)
  return clusters.flatMap(({ id: clusterId, host_label: label, accountId, ...named }) => {
    const own = (hosts.get(clusterId) ?? []).map(({ host }) => host)
    const given = named.direct_address?.replace(/^https?:\/\//, '').replace(/[:/].*$/, '') ?? null
    const all = [...own, given, named.cloudflare_hostname].filter((value) => value !== null && value !== '')
    return [{ clusterId, accountId, label, addresses: all as string[] }] // none of them is null
  })
}
