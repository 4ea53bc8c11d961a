/** Instances as clients see them: the only place where one becomes JSON. */
import {
  byNeed,
  type InstanceRow as InstanceLine,
  instanceActions,
  type MonthlyPrice,
  type ResourceDetail,
  Workloads,
} from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import type { LatestTuple } from '../../observe/index.ts'
import { instanceFactsOf } from '../lifecycle/action-facts.ts'
import { offerNone, offerOfInstance } from '../lifecycle/action-refusals.ts'
import { shownInstanceStatuses, shownStatus } from '../lifecycle/cluster-state.ts'
import { describeReason } from '../lifecycle/stored-reason.ts'
import type { ClusterRow, InstanceRow } from '../tables.ts'
import { mayActFor, type Viewer } from '../visibility.ts'
import { installGlance } from './figures/install-glance.ts'
import type { ListedInstance } from './instance-views.ts'

/** The columns of an instance that both the Instances page and a cluster's details show. */
export type InstanceColumns = Pick<
  InstanceRow,
  | 'id'
  | 'role'
  | 'ordinal'
  | 'status'
  | 'resume_stack'
  | 'missing'
  | 'offering'
  | 'cpu_core_count'
  | 'memory_mib'
  | 'disk_mib'
  | 'host'
  | 'os_active'
  | 'started_at'
  | 'error'
  | 'created_at'
  | 'owner'
> & { latest: LatestTuple | null; price: MonthlyPrice | null }

/** For whom an instance is shown. */
interface Showing {
  viewer: Viewer
  locale: Locale
}

/** Of its cluster, what decides about the instance's actions. */
type ClusterColumns = Pick<ClusterRow, 'cluster_type' | 'status' | 'desired'>

/** `master`, `worker-1`, …; the same in every language, as host names are. */
export function instanceName({ role, ordinal }: Pick<InstanceRow, 'role' | 'ordinal'>): string {
  return role === 'master' ? 'master' : `worker-${ordinal}`
}

export function toLatest(latest: LatestTuple | null): InstanceLine['latest'] {
  if (latest === null) return null
  const [at, cpu, memoryUsed, memoryTotal, diskUsed, diskTotal] = latest
  return { at: new Date(at).toISOString(), cpu, memoryUsed, memoryTotal, diskUsed, diskTotal }
}

function factsOf(row: InstanceColumns, cluster: ClusterColumns, { viewer, locale }: Showing) {
  return {
    instanceId: row.id,
    role: row.role,
    name: instanceName(row),
    offering: row.offering,
    cpuCoreCount: row.cpu_core_count,
    memorySize: row.memory_mib,
    diskSize: row.disk_mib,
    ip: row.host,
    startedAt: row.started_at?.toISOString() ?? null,
    latest: toLatest(row.latest),
    missing: row.missing,
    ...(mayActFor(viewer, row.owner)
      ? offerOfInstance(row, instanceFactsOf(cluster, row), locale)
      : offerNone(instanceActions, locale)),
    error: describeReason(row.error, locale),
    // Money is the owner's alone.
    price: row.owner === viewer.userid ? row.price : null,
    createAt: row.created_at.toISOString(),
  }
}

/** `hasPassword`: a one-time password waits, so the first running instance is shown as inactivated (spec §4). */
export function toInstanceDetails(
  rows: readonly (InstanceColumns & Pick<InstanceRow, 'install_log' | 'workloads'>)[],
  cluster: ClusterColumns,
  hasPassword: boolean,
  showing: Showing,
): ResourceDetail['data'] {
  const statuses = shownInstanceStatuses(
    rows.map((row) => row.status),
    hasPassword,
  )
  return rows.map((row, index) => ({
    ...factsOf(row, cluster, showing),
    status: statuses[index] ?? row.status,
    installLog: installGlance(row.install_log),
    workloads: row.workloads === null ? null : byNeed(Workloads.parse(JSON.parse(row.workloads))),
  }))
}

export function toInstanceLine(row: ListedInstance, showing: Showing): InstanceLine {
  const cluster = { cluster_type: row.cluster_type, status: row.cluster_status, desired: row.cluster_desired }
  return {
    ...factsOf(row, cluster, showing),
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    clusterType: row.cluster_type,
    owner: { userid: row.owner_did, terminusName: row.owner_name },
    status: row.role === 'master' ? shownStatus(row.status, row.os_active) : row.status,
    cloudName: row.cloud_name,
    regionId: row.region_id,
  }
}
