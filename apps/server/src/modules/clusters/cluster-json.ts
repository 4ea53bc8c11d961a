/** Rows as clients see them: the only place where a cluster, an instance or an operation becomes JSON. */
import type { Operation, Resource, ResourceDetail } from '@atoll/contract'
import type { ClusterConfig } from './cluster-deps.ts'
import { type ActionFacts, actionsOf, shownInstanceStatuses, shownStatus, statusStr } from './cluster-state.ts'
import type { InstanceRow, OperationRow } from './cluster-tables.ts'
import type { ListedCluster } from './cluster-views.ts'

/** Workers a Cloud cluster may have; none until they can be added. */
export const maxWorkers = 0

export function factsOf(row: {
  cluster_type: ActionFacts['clusterType']
  os_active: boolean
  has_password: boolean
  workers?: readonly unknown[] | null
}): ActionFacts {
  return {
    clusterType: row.cluster_type,
    osActive: row.os_active,
    hasPassword: row.has_password,
    workerCount: row.workers?.length ?? 0,
    maxWorkers,
  }
}

export function toResource(row: ListedCluster, config: ClusterConfig): Resource {
  const workers = (row.workers ?? []).map((worker) => ({
    instanceId: worker.id,
    name: 'worker',
    missing: false,
    status: worker.status,
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
    network: null,
    url: row.host === null ? null : config.clusterUrl(row.host_label),
    cloudName: row.cloud_name,
    regionId: row.region_id,
    version: row.version,
    instanceId: row.master_id,
    offering: row.offering,
    cpuCoreCount: row.cpu_core_count,
    memorySize: row.memory_mib,
    workers,
    installLog: row.install_log,
    cpuCoreTotalCount: workers.reduce((sum, worker) => sum + worker.cpuCoreCount, row.cpu_core_count),
    memoryTotalSize: workers.reduce((sum, worker) => sum + worker.memorySize, row.memory_mib),
    owner: { userid: row.owner, terminusName: row.owner_name },
    actions: actionsOf(row, factsOf(row)),
    refusals: {},
    missing: false,
    operation: null,
    error: row.error,
    latest: toLatest(row.latest),
    createAt: row.created_at.toISOString(),
  }
}

function toLatest(latest: ListedCluster['latest']): Resource['latest'] {
  if (latest === null) return null
  const [at, cpu, memoryUsed, memoryTotal, diskUsed, diskTotal] = latest
  return { at: new Date(at).toISOString(), cpu, memoryUsed, memoryTotal, diskUsed, diskTotal }
}

/** `hasPassword`: a one-time password waits, so the first running instance is shown as inactivated (spec §4). */
export function toInstanceDetails(rows: readonly InstanceRow[], hasPassword: boolean): ResourceDetail['data'] {
  const statuses = shownInstanceStatuses(
    rows.map((row) => row.status),
    hasPassword,
  )
  return rows.map((row, index) => ({
    instanceId: row.id,
    role: row.role,
    status: statuses[index] ?? row.status,
    offering: row.offering,
    cpuCoreCount: row.cpu_core_count,
    memorySize: row.memory_mib,
    ip: row.host,
    name: row.role,
    diskSize: row.disk_mib,
    startedAt: null,
    latest: null,
    missing: false,
    actions: [],
    refusals: {},
    error: null,
    installLog: row.install_log,
    createAt: row.created_at.toISOString(),
  }))
}

export function toOperation(row: OperationRow): Operation {
  return {
    operationId: row.id,
    instanceId: null,
    steps: [],
    deadlineAt: row.deadline_at.toISOString(),
    cancellable: false,
    by: null,
    kind: row.kind,
    state: row.state,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    error: row.error,
  }
}
