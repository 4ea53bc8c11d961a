/** Clusters as clients see them: the only place where one becomes JSON. */
import { clusterActions, MachineCopies, NetworkState, type Resource } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import type { ClusterConfig } from '../cluster-deps.ts'
import type { Held } from '../lifecycle/action-facts.ts'
import { type ActionFacts, offerNone, offerOfCluster } from '../lifecycle/action-refusals.ts'
import { shownStatus, statusStr } from '../lifecycle/cluster-state.ts'
import { describeReason } from '../lifecycle/stored-reason.ts'
import { ingressOf, publicUrlOf } from '../network/public-address.ts'
import { mayActFor, type Viewer } from '../visibility.ts'
import type { ListedCluster } from './cluster-views.ts'
import { installGlance } from './figures/install-glance.ts'
import { instanceName, toLatest } from './instance-json.ts'
import { toOperation } from './operation-json.ts'

/** For whom a cluster is shown, and by which limits. */
export interface Showing {
  config: ClusterConfig
  viewer: Viewer
  locale: Locale
  maxWorkers: number
  /** The hosts of customers' domains that lead to the clusters shown. */
  hosts: ReadonlyMap<string, string>
}

export function factsOf(
  row: {
    owner: string
    cluster_type: ActionFacts['clusterType']
    os_active: boolean
    has_password: boolean
    missing: boolean
    address_taken: boolean
    workers?: readonly unknown[] | null
  } & Held,
  { viewer, maxWorkers }: Pick<Showing, 'viewer' | 'maxWorkers'>,
): ActionFacts {
  return {
    clusterType: row.cluster_type,
    isOwner: row.owner === viewer.userid,
    osActive: row.os_active,
    hasPassword: row.has_password,
    missing: row.missing,
    workerCount: row.workers?.length ?? 0,
    maxWorkers,
    addressTaken: row.address_taken,
    held: row.held ?? undefined,
  }
}

/** A host of a customer's domain comes first; where others carry the visitors, none leads there. */
function addressesOf(row: ListedCluster, { config, hosts }: Showing): Pick<Resource, 'viaEdge' | 'url' | 'secondUrl'> {
  // The address of a cluster that was given up may belong to another cluster.
  const url = row.host === null || row.given_up ? null : publicUrlOf(config, row)
  const ingress = ingressOf(config, row)
  const viaEdge = ingress === 'edge' || ingress === 'relay'
  const own = url !== null && viaEdge ? hosts.get(row.id) : undefined
  const addresses = own === undefined ? { url, secondUrl: null } : { url: config.customUrl(own), secondUrl: url }
  return { viaEdge, ...addresses }
}

export function toResource(row: ListedCluster, showing: Showing): Resource {
  const { locale } = showing
  const workers = (row.workers ?? []).map((worker) => ({
    instanceId: worker.id,
    name: instanceName({ role: 'worker', ordinal: worker.ordinal }),
    status: worker.status,
    missing: worker.missing,
    offering: worker.offering ?? '',
    cpuCoreCount: worker.cpu,
    memorySize: worker.memory,
  }))
  const status = shownStatus(row.status, row.os_active)
  return {
    clusterId: row.id,
    name: row.name,
    clusterType: row.cluster_type,
    status,
    statusStr: statusStr(status),
    osActive: row.os_active,
    clusterStatus: row.status,
    reverseProxy: row.reverse_proxy,
    network: toNetwork(row),
    ...addressesOf(row, showing),
    cloudName: row.cloud_name,
    regionId: row.region_id,
    version: row.version,
    instanceId: row.master_id,
    offering: row.offering,
    cpuCoreCount: row.cpu_core_count,
    memorySize: row.memory_mib,
    workers,
    installLog: installGlance(row.install_log),
    cpuCoreTotalCount: workers.reduce((sum, worker) => sum + worker.cpuCoreCount, row.cpu_core_count),
    memoryTotalSize: workers.reduce((sum, worker) => sum + worker.memorySize, row.memory_mib),
    owner: { userid: row.owner_did, terminusName: row.owner_name },
    ...(mayActFor(showing.viewer, row.owner)
      ? offerOfCluster(row, factsOf(row, showing), locale)
      : offerNone(clusterActions, locale)),
    missing: row.missing,
    copies: (row.copied ?? []).map(({ id, role, ordinal, copies }) => ({
      ...MachineCopies.parse(JSON.parse(copies)),
      instanceId: id,
      name: instanceName({ role, ordinal }),
    })),
    givenUpAt: row.given_up_at?.toISOString() ?? null,
    operation: row.operation && toOperation({ ...readOperation(row.operation), by_did: row.operation_by }, row, locale),
    error: describeReason(row.error, locale),
    // Money is the owner's alone.
    ...(row.owner === showing.viewer.userid && {
      ...(row.orders && { orders: row.orders }),
      ...(row.overdue && { overdue: row.overdue }),
    }),
    latest: toLatest(row.latest),
    createAt: row.created_at.toISOString(),
  }
}

/** The instance's last report; once it is silent, the report is out of date and not shown. */
function toNetwork({ network, status }: ListedCluster): Resource['network'] {
  return network === null || status === 'offline' ? null : NetworkState.parse(JSON.parse(network))
}

/** The list's query gives an operation as JSON, its times as texts. */
function readOperation(operation: NonNullable<ListedCluster['operation']>) {
  const { started_at, deadline_at, ...rest } = operation
  return { ...rest, started_at: new Date(started_at), deadline_at: new Date(deadline_at), ended_at: null }
}
