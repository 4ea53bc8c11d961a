/** For which names below a cluster's own host there are certificates: those that the cluster registers. */
import type { Db } from '../../../platform/db/index.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import type { CertificateRow } from '../stores/certificate-store.ts'

type Deps = Pick<CertificateDeps, 'clusters'> & { db: Db }

/** One that the owner of a domain, which is used by CNAME, has pointed here: it is no other's only name. */
export function isByAlias({ names, domain_name: domain }: Pick<CertificateRow, 'names' | 'domain_name'>): boolean {
  return names.length === 1 && names[0] === `*.${domain}`
}

/** The zone that answers the challenges of a certificate. */
export function zoneNameOf(
  { dns }: { dns: Pick<CertificateDeps['dns'], 'challenges'> },
  row: Pick<CertificateRow, 'names' | 'domain_name'>,
): string {
  return (isByAlias(row) ? dns.challenges?.zoneOf(row.domain_name) : undefined) ?? row.domain_name
}

const labelOf = (host: string) => host.slice(0, host.indexOf('.'))

/** Whether the first visit of `host`, one label below the cluster's own, has a certificate ordered. */
export async function mayBeOrdered({ db, clusters }: Deps, clusterId: string, host: string): Promise<boolean> {
  return (await clusters.listRegistered(db, clusterId))?.includes(labelOf(host)) ?? false
}

/**
 * Whether a certificate that a visit asked for is still for such a name. An agent that does not say what it registers
 * keeps what it has.
 */
export async function isRegistered(
  { db, clusters }: Deps,
  { visited_cluster: clusterId, names: [name = ''] }: Pick<CertificateRow, 'visited_cluster' | 'names'>,
): Promise<boolean> {
  const registered = clusterId === null ? null : await clusters.listRegistered(db, clusterId)
  return registered === null || registered.includes(labelOf(name))
}
