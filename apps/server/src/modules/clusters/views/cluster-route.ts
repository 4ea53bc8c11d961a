/** Where the edge sends what visitors of a host ask for. */
import type { Db } from '../../../platform/db/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { isTransitioning, servedStatus } from '../lifecycle/cluster-state.ts'
import { ingressOf } from '../network/public-address.ts'
import { findServing } from './cluster-views.ts'

/** `host` as in a Host header; its port does not matter. Undefined when no cluster answers there. */
export async function findRouteByHost(deps: ClusterDeps, db: Db, host: string) {
  const asked = await nameCluster(deps, db, host)
  const found = asked && (await findServing(db, asked))
  const ingress = found && ingressOf(deps.config, found)
  // Visitors of all others do not come through this server, which must not call an address that a host reports.
  if (!found || (ingress !== 'edge' && ingress !== 'relay')) return undefined
  const { clusterId, owner, instanceId, host: address, port } = found
  const { clusterHost, domainId } = asked
  const status = servedStatus(found)
  const viaRelay = ingress === 'relay'
  return {
    clusterId,
    owner,
    clusterHost,
    instanceId,
    viaRelay,
    domainId,
    /** Meaningless unless it serves. */
    host: address ?? '',
    port: port ?? 0,
    /** Whether the personal server answers in this status. */
    serving: !found.held && status === 'running' && (viaRelay || (address !== null && port !== null)),
    /** It is suspended: visitors are turned away in any status. */
    held: found.held !== null,
    offline: status === 'offline',
    /** Not serving, but on its way there. */
    starting: isTransitioning(status) && status !== 'stopping' && status !== 'destroying' && status !== 'canceling',
  }
}

/** Which cluster a host names: by its label under the edge's domain, or by a host under a customer's domain. */
async function nameCluster({ config: { edgeDomain }, customHosts }: ClusterDeps, db: Db, host: string) {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  const label = labelOf(name, edgeDomain)
  if (label !== undefined) return { label, clusterHost: `${label}.${edgeDomain}`, domainId: undefined }
  return name === edgeDomain || name.endsWith(`.${edgeDomain}`) ? undefined : await customHosts.find(db, name)
}

/** `reef` of `reef.atoll.localhost`; undefined for a host under another domain or with more labels. */
function labelOf(name: string, domain: string): string | undefined {
  if (!name.endsWith(`.${domain}`)) return undefined
  const label = name.slice(0, -domain.length - 1)
  return /^[a-z0-9-]{1,63}$/.test(label) ? label : undefined
}
