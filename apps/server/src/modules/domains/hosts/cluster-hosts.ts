/**
 * Hosts of clusters under custom domains: the first cluster of the holder of the ID `lena@cloud.lagoon.example` answers
 * at `lena.cloud.lagoon.example`, further ones at `lena-2.` and so on. IDs have no hyphen, so nobody else's host is
 * taken. Rows are written in the transaction of the cluster or of the ID, under the row of the domain: removing the
 * domain leaves none.
 */
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { renewZone, type ZoneDeps } from '../lifecycle/awaited.ts'
import { type DomainRow, findProvenDomain, lockProvenDomain } from '../records/domain-store.ts'
import { deleteHostsOf, insertHost, listOwnHosts } from '../records/host-store.ts'

/** The longest DNS label (63) without room for `-` and a number. */
const longestBase = 56

/**
 * Gives each living cluster of `owner` its host under the domain of their ID, and takes those of ended clusters away;
 * has DNS and HTTPS follow. Safe to repeat; nothing happens where the ID is under no custom domain.
 */
export async function nameHosts(
  deps: ZoneDeps & Pick<DomainDeps, 'clusters' | 'findNameOf'>,
  trx: Trx,
  owner: string,
): Promise<void> {
  const [label = '', domain = ''] = (await deps.findNameOf(trx, owner))?.split('@') ?? []
  if (deps.config.nameDomains.includes(domain) || !(await findProvenDomain(trx, domain))) return
  const row = await lockProvenDomain(trx, domain)
  // The ID may have been ended while the row was waited for.
  if (!row || (await deps.findNameOf(trx, owner)) !== `${label}@${domain}`) return
  const living = await deps.clusters.listOf(trx, owner)
  const hosts = await listOwnHosts(trx, owner, row.number)
  const ended = [...hosts.keys()].filter((clusterId) => !living.includes(clusterId))
  await deleteHostsOf(trx, ended)
  for (const clusterId of ended) hosts.delete(clusterId)
  const used = new Set(hosts.values())
  for (const clusterId of living) {
    if (hosts.has(clusterId)) continue
    const host = freeHost(label, domain, used)
    used.add(host)
    const isOurs = await insertHost(trx, { host, domain: row.number, cluster_id: clusterId, owner })
    if (!isOurs) throw new Error(`The host ${host} belongs to somebody else`)
    await publishChange(trx, { account: owner, topic: 'cluster', id: clusterId })
  }
  await renewZone(deps, trx, row)
}

/** Takes the hosts of `owner` away, whose ID under the domain has ended; DNS and HTTPS follow. `trx` holds the row. */
export async function endHosts(deps: DomainDeps, trx: Trx, row: DomainRow, owner: string): Promise<void> {
  const clusterIds = [...(await listOwnHosts(trx, owner, row.number)).keys()]
  await deleteHostsOf(trx, clusterIds)
  for (const id of clusterIds) await publishChange(trx, { account: owner, topic: 'cluster', id })
  await renewZone(deps, trx, row)
}

function freeHost(label: string, domain: string, used: ReadonlySet<string>): string {
  if (!used.has(`${label}.${domain}`)) return `${label}.${domain}`
  let number = 2
  while (used.has(`${label.slice(0, longestBase)}-${number}.${domain}`)) number += 1
  return `${label.slice(0, longestBase)}-${number}.${domain}`
}
