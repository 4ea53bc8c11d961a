import {
  type CloudOrder,
  type ClusterStatus,
  createCluster,
  instanceDetails,
  type Operation,
  type Resource,
  resourceInitNew,
  resourceList,
} from '@atoll/contract/clusters'
import { type ApiClient, patienceMs, until } from '@atoll/testkit'

export type Order = CloudOrder

/**
 * An order for the first offering on sale with the recommended version, as a person who only presses "next" makes it.
 */
export async function composeOrder(api: ApiClient, changes: Partial<Order> = {}): Promise<Order> {
  const { instanceInfo } = await api.ask(resourceInitNew, {})
  const offering = instanceInfo.data.find((candidate) => candidate.available)
  const version = instanceInfo.versions.find((candidate) => candidate.recommended) ?? instanceInfo.versions[0]
  if (!offering || !version) throw new Error('the catalogue has nothing on sale')
  return {
    clusterType: 'Cloud',
    cloudName: offering.cloudName,
    regionId: offering.regionId,
    offering: offering.name,
    version: version.version,
    ...changes,
  }
}

/** The cluster as the list shows it now; undefined when it is not listed. */
export async function findCluster(api: ApiClient, clusterId: string): Promise<Resource | undefined> {
  return (await api.ask(resourceList, {})).find((cluster) => cluster.clusterId === clusterId)
}

/**
 * Waits until the list shows one of `statuses`; fails at once when the cluster is errored and that was not asked for.
 */
export async function waitForStatus(
  api: ApiClient,
  clusterId: string,
  statuses: ClusterStatus[],
  timeoutMs = patienceMs,
): Promise<Resource> {
  let seen: Resource | undefined
  const settled = await until(
    `cluster ${clusterId} is ${statuses.join(' or ')}`,
    async () => {
      seen = await findCluster(api, clusterId)
      return seen && (statuses.includes(seen.status) || seen.status === 'errored') ? seen : undefined
    },
    { timeoutMs, onTimeout: () => `last seen: ${JSON.stringify(seen)}` },
  )
  if (!statuses.includes(settled.status)) throw new Error(`cluster ${clusterId} errored: ${settled.error}`)
  return settled
}

export async function waitUntilGone(api: ApiClient, clusterId: string, timeoutMs = patienceMs): Promise<void> {
  let seen: Resource | undefined
  await until(
    `cluster ${clusterId} is gone from the list`,
    async () => {
      seen = await findCluster(api, clusterId)
      return seen === undefined
    },
    { timeoutMs, onTimeout: () => `last seen: ${JSON.stringify(seen)}` },
  )
}

/** Orders a cluster and waits until it runs; a new one waits for its activation. */
export async function createRunningCluster(api: ApiClient, changes: Partial<Order> = {}): Promise<Resource> {
  const { clusterId } = await api.ask(createCluster, await composeOrder(api, changes))
  return await waitForStatus(api, clusterId, ['inactivated'])
}

/** Newest first. */
export async function listOperations(api: ApiClient, clusterId: string): Promise<Operation[]> {
  return (await api.ask(instanceDetails, { clusterId })).operations
}
