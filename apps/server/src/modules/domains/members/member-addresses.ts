import type { MemberAddress } from '@atoll/contract/domains'
import type { DomainDeps } from '../domain-deps.ts'
import type { DomainRow } from '../records/domain-store.ts'
import { listHostsUnder } from '../records/host-store.ts'

/** Where the clusters of each of these members are reached under a domain, by their DIDs. */
export async function listAddresses(
  { db, clusters, certificates }: Pick<DomainDeps, 'db' | 'clusters' | 'certificates'>,
  { number, method }: Pick<DomainRow, 'number' | 'method'>,
  dids: readonly string[],
): Promise<Map<string, MemberAddress[]>> {
  const rows = await listHostsUnder(db, number, dids)
  const ids = rows.map(({ clusterId }) => clusterId)
  const [named, ends] = await Promise.all([clusters.listNames(db, ids), certificates.listEnds(db, number)])
  const names = new Map(named.map(({ clusterId, clusterName }) => [clusterId, clusterName]))
  // While a domain moves from one way to the other a host has two certificates: the one that ends last serves.
  const endOf = (host: string) =>
    ends
      .flatMap(({ names: own, validUntil }) => (validUntil && own.some((name) => isFor(name, host)) ? validUntil : []))
      .toSorted((one, other) => other.getTime() - one.getTime())[0]
  const addresses = new Map<string, MemberAddress[]>()
  for (const { did, clusterId, host } of rows) {
    // By CNAME each name of an app has a certificate of its own, from its first visit on.
    const hosts = method === 'ns' ? [host, `*.${host}`] : [host]
    const own = hosts.map((one) => ({
      host: one,
      clusterId,
      clusterName: names.get(clusterId) ?? '',
      validUntil: endOf(one)?.toISOString() ?? null,
    }))
    addresses.set(did, [...(addresses.get(did) ?? []), ...own])
  }
  return addresses
}

/** Whether a certificate for `name` is one for `host` (RFC 6125, 6.4.3). */
function isFor(name: string, host: string): boolean {
  return name === host || name === `*.${host.slice(host.indexOf('.') + 1)}`
}
