/**
 * Answers about a cluster besides the list. A cluster that the viewer may not see is answered like one that does not
 * exist.
 */
import type { Activation, ClusterUsage, InstanceInfo, ResourceDetail } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { refuse } from '../../../platform/refusal.ts'
import { priceIn } from '../../catalog/index.ts'
import { openOffers } from '../capacity/place-order.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { sumCpuCores } from '../instances/instance-store.ts'
import { maxWorkersOf } from '../lifecycle/action-facts.ts'
import { type ActionRefusal, clusterRefusal, refuseIf } from '../lifecycle/action-refusals.ts'
import { publicUrlOf } from '../network/public-address.ts'
import { instanceIdOf } from '../operations/operation-store.ts'
import type { Viewer } from '../visibility.ts'
import { findActiveCluster } from './active-clusters.ts'
import { factsOf } from './cluster-json.ts'
import { findInstanceLog, findVisibleCluster, listOperations, type VisibleCluster } from './cluster-views.ts'
import { toInstanceDetails } from './instance-json.ts'
import { listInstances } from './instance-views.ts'
import { toOperation } from './operation-json.ts'

export async function getVisibleCluster(
  { db }: ClusterDeps,
  viewer: Viewer,
  clusterId: string,
): Promise<VisibleCluster> {
  return (await findVisibleCluster(db, viewer, clusterId)) ?? refuse('notFound', { object: 'cluster' })
}

/** Of each of these clusters the host of a customer's domain that leads to it. */
export async function listHosts(deps: ClusterDeps, clusters: readonly { id: string }[]) {
  return await deps.customHosts.list(
    deps.db,
    clusters.map(({ id }) => id),
  )
}

/** Instances, operations and, for its owner until activation, the one-time password of a cluster. */
export async function getDetail(
  deps: ClusterDeps,
  viewer: Caller,
  clusterId: string,
  locale: Locale,
): Promise<ResourceDetail> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  const { owner } = cluster
  if (viewer.role === 'Admin' && viewer.hasStaff && owner !== viewer.userid)
    await deps.onOpened({ caller: viewer, owner })
  const [instances, operations, password] = await Promise.all([
    listInstances(deps.db, cluster.id),
    listOperations(deps.db, cluster.id),
    findPassword(deps, viewer, cluster),
  ])
  const subjects = new Map(instances.map((instance) => [instance.id, instance]))
  return {
    data: toInstanceDetails(instances, cluster, password !== null, { viewer, locale }),
    ...(password !== null && { userPassword: password }),
    cpuTotalCount: instances.reduce((sum, instance) => sum + instance.cpu_core_count, 0),
    memoryTotalSize: instances.reduce((sum, instance) => sum + instance.memory_mib, 0),
    instanceCount: instances.length,
    operations: operations.map((operation) =>
      toOperation(operation, subjects.get(instanceIdOf(operation) ?? cluster.master_id), locale),
    ),
  }
}

/** The whole log of the install of a cluster's instance, without `instanceId` of its master. */
export async function getInstallLog(
  deps: ClusterDeps,
  viewer: Viewer,
  { clusterId, instanceId }: { clusterId: string; instanceId?: string | undefined },
): Promise<{ installLog: string }> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  const id = instanceId ?? cluster.master_id
  const installLog = await findInstanceLog(deps.db, { id, clusterId: cluster.id })
  return { installLog: installLog ?? refuse('notFound', { object: 'instance' }) }
}

/** The invoice by which a cluster was ordered; null where there is none, and for everybody but its owner. */
export async function getOrder(
  deps: ClusterDeps,
  viewer: Viewer,
  clusterId: string,
): Promise<{ invoiceId: string | null }> {
  const { owner, master_id } = await getVisibleCluster(deps, viewer, clusterId)
  const isOwner = owner === viewer.userid
  return { invoiceId: (isOwner && (await deps.billing.findOrderInvoice(deps.db, master_id))) || null }
}

function whyNotActivate(deps: ClusterDeps, viewer: Viewer, cluster: VisibleCluster): ActionRefusal | undefined {
  return clusterRefusal(cluster, factsOf(cluster, { viewer, maxWorkers: maxWorkersOf(deps) }), 'activate')
}

/** The one-time password while it can be used; null otherwise, and for everybody but the owner. */
async function findPassword(deps: ClusterDeps, viewer: Viewer, cluster: VisibleCluster): Promise<string | null> {
  const refusal = whyNotActivate(deps, viewer, cluster)
  // An active cluster has one again while its password is being reset.
  if (refusal && refusal.key !== 'alreadyActive') return null
  const [agent] = await deps.agents.listAgents(deps.db, [cluster.master_id])
  return agent?.oneTimePassword ?? null
}

/**
 * The data that the owner needs to activate or to set a new password; refused while neither is open, or when the
 * cluster does not run.
 */
export async function getActivation(deps: ClusterDeps, viewer: Viewer, clusterId: string): Promise<Activation> {
  const cluster = await getVisibleCluster(deps, viewer, clusterId)
  const password = await findPassword(deps, viewer, cluster)
  if (password === null) {
    refuseIf(whyNotActivate(deps, viewer, cluster))
    return refuse('noOneTimePassword')
  }
  // A first activation takes the ID up; on one that is active this sets a new password.
  if (!cluster.os_active) {
    const kin = await deps.restores.listKin(deps.db, { owner: cluster.owner, clusterId: cluster.id })
    if (await findActiveCluster(deps.db, kin)) refuse('restoreGuarded', { product: deps.config.product })
  }
  const url = publicUrlOf(deps.config, cluster) ?? deps.config.clusterUrl(cluster.host_label)
  // An active server shows its sign-in page at `/`.
  const wizardUrl = cluster.os_active ? new URL('/activate', url).href : url
  return { terminusName: cluster.owner_name ?? '', password, wizardUrl }
}

/** As what is metered is counted (design/usage). */
const bytesPerGigabyte = 1e9

/** Bytes as gigabytes with three places. */
function toGigabytes(bytes: number): number {
  return Math.round((bytes / bytesPerGigabyte) * 1000) / 1000
}

/** Storage now; backups and traffic in the running period of the owner's plan, of what `plan/usage` answers. */
export async function getUsage({ db, billing }: ClusterDeps, cluster: VisibleCluster): Promise<ClusterUsage> {
  const { traffic, backup } = await billing.clusterParts(db, { owner: cluster.owner, clusterId: cluster.id })
  const diskUsed = cluster.latest?.[4] ?? 0
  // As its agent measures it, which is what pages show; before that, as it was ordered.
  const diskTotal = cluster.latest?.[5] || cluster.disk_mib * 1024 * 1024
  return {
    storage: { value: toGigabytes(diskUsed), unitLabel: 'GB', quota: toGigabytes(diskTotal) },
    backup: { value: backup.used, unitLabel: 'GB', ...(backup.quota !== undefined && { quota: backup.quota }) },
    traffic: { value: traffic.used, unitLabel: 'GB', ...(traffic.quota !== undefined && { quota: traffic.quota }) },
  }
}

export async function getClusterUsage(deps: ClusterDeps, viewer: Viewer, clusterId: string): Promise<ClusterUsage> {
  return await getUsage(deps, await getVisibleCluster(deps, viewer, clusterId))
}

/** The offerings that can be ordered, and how much of the quota is used. */
export async function getInstanceInfo(
  { db, accounts, compute }: ClusterDeps,
  userid: string,
  locale: Locale,
): Promise<InstanceInfo> {
  const [{ vCpuQuota, currency }, vCpuUsed, stateOf] = await Promise.all([
    accounts.getLimits(db, userid),
    sumCpuCores(db, userid),
    openOffers(db, compute.catalog),
  ])
  const { clouds, versions } = compute.catalog
  const sold = clouds.map((cloud) => ({
    ...cloud,
    offerings: cloud.offerings.flatMap((offering) => {
      const price = priceIn(offering.price, currency)
      return price ? [{ ...offering, price }] : []
    }),
  }))
  return {
    data: sold.flatMap((cloud) =>
      cloud.regions.flatMap(({ regionId }) =>
        cloud.offerings.map((offering) => {
          const { name, title, cpuCoreCount, memoryMiB, diskMiB } = offering
          const { cloudName } = cloud
          const state = stateOf({ cloudName, regionId }, offering)
          return {
            cloudName,
            regionId,
            name,
            title: title[locale],
            cpuCoreCount,
            memorySize: memoryMiB,
            diskSize: diskMiB,
            available: state === 'open',
            ...(state === 'closed' && { isClosed: true }),
          }
        }),
      ),
    ),
    limit: { vCpuQuota, vCpuUsed, maxWorkers: compute.catalog.maxWorkers },
    pricePackage: Object.fromEntries(
      sold
        .flatMap(({ offerings }) => offerings)
        .map(({ name, price }) => [
          name,
          { amount: price.minor, currency: price.currency, interval: 'month' as const },
        ]),
    ),
    versions: versions.map(({ version, title, summary, recommended, beta }) => ({
      version,
      title: title[locale],
      summary: summary[locale],
      recommended,
      ...(beta && { beta }),
    })),
    clouds: sold
      .filter(({ offerings }) => offerings.length > 0)
      .map(({ cloudName, title, regions }) => ({
        cloudName,
        title: title[locale],
        regions: regions.map(({ regionId, title, place }) => ({
          regionId,
          title: title[locale],
          place: place[locale],
        })),
      })),
  }
}
