/** What is shown of a cluster beside the list. One that the viewer may not see is answered like one that does not exist. */
import {
  type CallData,
  type clusterActivation,
  type clusterMonitor,
  type clusterUsage,
  type InstanceInfo,
  type Locale,
  type MonitorRange,
  monitorRangeHours,
  type ResourceDetail,
} from '@atoll/contract'
import { refuse } from '../../http/refusal.ts'
import { sumCpuCores } from './cluster-create.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { factsOf, maxWorkers, toInstanceDetails, toOperation } from './cluster-json.ts'
import { allows, shownStatus } from './cluster-state.ts'
import { findVisibleCluster, listInstances, listOperations, type VisibleCluster } from './cluster-views.ts'
import type { Viewer } from './visibility.ts'

export async function getVisibleCluster(
  { db }: ClusterDeps,
  viewer: Viewer,
  clusterId: string,
): Promise<VisibleCluster> {
  return (await findVisibleCluster(db, viewer, clusterId)) ?? refuse('notFound', { object: 'cluster' })
}

/** Instances, operations and, for its owner until activation, the one-time password of a cluster. */
export async function getDetail(deps: ClusterDeps, viewer: Viewer, clusterId: string): Promise<ResourceDetail> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  const [instances, operations, password] = await Promise.all([
    listInstances(deps.db, cluster.id),
    listOperations(deps.db, cluster.id),
    findPassword(deps, viewer, cluster),
  ])
  return {
    data: toInstanceDetails(instances, password !== null),
    ...(password !== null && { userPassword: password }),
    cpuTotalCount: instances.reduce((sum, instance) => sum + instance.cpu_core_count, 0),
    memoryTotalSize: instances.reduce((sum, instance) => sum + instance.memory_mib, 0),
    instanceCount: instances.length,
    operations: operations.map(toOperation),
  }
}

/** The one-time password while it can be used; null otherwise, and for everybody but the owner. */
async function findPassword(
  { db, agents }: ClusterDeps,
  viewer: Viewer,
  cluster: VisibleCluster,
): Promise<string | null> {
  if (cluster.owner !== viewer.userid) return null
  if (!allows(cluster, factsOf(cluster), 'activate')) return null
  const [agent] = await agents.listAgents(db, [cluster.master_id])
  return agent?.osActive === false ? agent.oneTimePassword : null
}

/** What the owner needs to activate; refuses once the cluster is active or when it does not run. */
export async function getActivation(
  deps: ClusterDeps,
  viewer: Viewer,
  clusterId: string,
): Promise<CallData<typeof clusterActivation>> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  if (cluster.owner !== viewer.userid) refuse('ownerOnly', { product: deps.config.product })
  const password = await findPassword(deps, viewer, cluster)
  if (password === null) {
    return refuse('actionRefused', { status: shownStatus(cluster.status, cluster.os_active), action: 'activate' })
  }
  return { terminusName: cluster.owner_name ?? '', password, wizardUrl: deps.config.clusterUrl(cluster.host_label) }
}

const bytesPerGigabyte = 1e9

/** Bytes as decimal gigabytes with three places. */
function toGigabytes(bytes: number): number {
  return Math.round((bytes / bytesPerGigabyte) * 1000) / 1000
}

/** Storage now, traffic since the first of the month (UTC). No backups are kept yet, which is 0. */
async function getUsage(
  { db, clock, countTraffic }: ClusterDeps,
  cluster: VisibleCluster,
): Promise<CallData<typeof clusterUsage>> {
  const now = clock.now()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const diskUsed = cluster.latest?.[4] ?? 0
  return {
    storage: { value: toGigabytes(diskUsed), unitLabel: 'GB', quota: toGigabytes(cluster.disk_mib * 1024 * 1024) },
    backup: { value: 0, unitLabel: 'GB' },
    traffic: { value: toGigabytes(await countTraffic(db, cluster.id, month)), unitLabel: 'GB' },
  }
}

export async function getClusterUsage(
  deps: ClusterDeps,
  viewer: Viewer,
  clusterId: string,
): Promise<CallData<typeof clusterUsage>> {
  return await getUsage(deps, await getVisibleCluster(deps, viewer, clusterId))
}

/** Points a series may have (design/api). */
const mostPoints = 300

/** Usage and measurements of the master over `range`, at most 300 points a series. */
export async function getMonitor(
  deps: ClusterDeps,
  viewer: Viewer,
  clusterId: string,
  range: MonitorRange,
): Promise<CallData<typeof clusterMonitor>> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  const to = deps.clock.now()
  const from = new Date(to.getTime() - monitorRangeHours[range] * 60 * 60_000)
  const [usage, metrics] = await Promise.all([
    getUsage(deps, cluster),
    deps.agents.listMetrics(deps.db, cluster.master_id, { from, to, points: mostPoints }),
  ])
  const { lastUpdatedAt, ...content } = metrics
  return { usage, metrics: { content, lastUpdatedAt: lastUpdatedAt?.toISOString() ?? null } }
}

/** What can be ordered, and how much of the quota is used. */
export async function getInstanceInfo(
  { db, accounts, compute }: ClusterDeps,
  userid: string,
  locale: Locale,
): Promise<InstanceInfo> {
  const [{ vCpuQuota }, vCpuUsed] = await Promise.all([accounts.getLimits(db, userid), sumCpuCores(db, userid)])
  const { clouds, versions } = compute.catalog
  const offerings = clouds.flatMap((cloud) => cloud.offerings)
  return {
    data: clouds.flatMap((cloud) =>
      cloud.regions.flatMap(({ regionId }) =>
        cloud.offerings.map(({ name, title, cpuCoreCount, memoryMiB, diskMiB, soldOutIn }) => ({
          cloudName: cloud.cloudName,
          regionId,
          name,
          title: title[locale],
          cpuCoreCount,
          memorySize: memoryMiB,
          diskSize: diskMiB,
          available: !soldOutIn.includes(regionId),
        })),
      ),
    ),
    limit: { vCpuQuota, vCpuUsed, maxWorkers },
    pricePackage: Object.fromEntries(
      offerings.map(({ name, price }) => [name, { ...price, interval: 'month' as const }]),
    ),
    versions: versions.map(({ version, title, summary, recommended }) => ({
      version,
      title: title[locale],
      summary: summary[locale],
      recommended,
    })),
    clouds: clouds.map(({ cloudName, title, regions }) => ({
      cloudName,
      title: title[locale],
      regions: regions.map(({ regionId, title, place }) => ({ regionId, title: title[locale], place: place[locale] })),
    })),
  }
}
