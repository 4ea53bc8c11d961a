/**
 * Clusters as the server answers them: one of each situation that a person meets, for tests of what the console
 * draws.
 */
import {
  byNeed,
  type ClusterStatus,
  clusterActions,
  type InstanceAction,
  type InstanceRow,
  instanceActions,
  type Resource,
  type ResourceDetail,
  type Workload,
} from '@atoll/contract/clusters'
import { statusLabels } from '@atoll/texts/statuses'
import { latest, minutesAgo, operation, owner, step } from './sample-facts.ts'
import { situations } from './sample-situations.ts'

const reason = 'It is not possible in this state.'

const without = <T extends string>(all: readonly T[], allowed: readonly T[]) =>
  Object.fromEntries(all.filter((action) => !allowed.includes(action)).map((action) => [action, reason]))

const machineStatus = (status: ClusterStatus): ClusterStatus => (status === 'inactivated' ? 'running' : status)

export const sampleClusters: Resource[] = situations.map(({ name, status, allowed, facts = {} }, index) => {
  const workers = facts.workers ?? []
  return {
    clusterId: `cl_sample00${index}`,
    name,
    clusterType: 'Cloud',
    status,
    statusStr: statusLabels['en-US'][status],
    osActive: false,
    clusterStatus: machineStatus(status),
    reverseProxy: 'none',
    viaEdge: true,
    url: null,
    secondUrl: null,
    network: null,
    cloudName: 'atoll',
    regionId: 'lagoon',
    version: '1.12.3',
    instanceId: `in_sample00${index}`,
    offering: 'tide-4',
    cpuCoreCount: 4,
    memorySize: 8192,
    workers,
    installLog: '[]',
    cpuCoreTotalCount: 4 + 2 * workers.length,
    memoryTotalSize: 8192 + 4096 * workers.length,
    owner,
    actions: allowed,
    refusals: without(clusterActions, allowed),
    missing: false,
    copies: [],
    givenUpAt: null,
    operation: null,
    error: null,
    latest: null,
    createAt: minutesAgo(3000),
    ...facts,
  }
})

const allowedOf = (status: ClusterStatus, role: 'master' | 'worker'): InstanceAction[] => {
  if (status === 'running') return role === 'worker' ? ['stop', 'restart', 'destroyWorker'] : ['stop', 'restart']
  if (status === 'queuing') return ['cancelInstance']
  if (status === 'stopped') return ['start']
  return status === 'errored' ? ['retry', 'repair'] : []
}

/** Every instance of a cluster, the master first. */
export function instancesOf(cluster: Resource): InstanceRow[] {
  const machines = [
    { ...cluster, role: 'master' as const, name: 'master', status: machineStatus(cluster.status) },
    ...cluster.workers.map((machine) => ({ ...machine, role: 'worker' as const })),
  ]
  return machines.map(({ instanceId, role, name, status, offering, cpuCoreCount, memorySize, missing }) => {
    const actions = allowedOf(status, role)
    return {
      instanceId,
      clusterId: cluster.clusterId,
      clusterName: cluster.name,
      clusterType: cluster.clusterType,
      owner: cluster.owner,
      role,
      name,
      status,
      offering,
      cloudName: cluster.cloudName,
      regionId: cluster.regionId,
      cpuCoreCount,
      memorySize,
      diskSize: 102_400,
      ip: status === 'running' ? '10.7.0.12' : null,
      startedAt: status === 'running' ? minutesAgo(61) : null,
      latest: status === 'running' ? latest(0.11) : status === 'offline' ? cluster.latest : null,
      missing,
      actions,
      refusals: without(instanceActions, actions),
      error: status === 'errored' ? cluster.error : null,
      price: offering === 'tide-4' ? { amount: 1440, currency: 'usd' as const, interval: 'month' as const } : null,
      createAt: cluster.createAt,
    }
  })
}

/** A service that died on the master; a worker whose agent is too old to report any. */
function workloadsOf({ role, status }: InstanceRow): Workload[] | null {
  if (role === 'worker' || !['running', 'offline', 'stopped', 'inactivated'].includes(status)) return null
  const fine = { state: 'Completed', ready: 1, wanted: 1, reason: null, since: minutesAgo(61) } as const
  return byNeed([
    { ...fine, name: 'server' },
    { ...fine, name: 'files' },
    { ...fine, name: 'network' },
    { ...fine, name: 'search-index', state: 'Progressing', ready: 1, wanted: 3, since: minutesAgo(2) },
    {
      ...fine,
      name: 'photos',
      title: 'Photo library',
      state: 'Failed',
      ready: 0,
      reason: 'Exited with 137: out of memory. Stop other services, or choose a larger size.',
      since: minutesAgo(4),
    },
  ])
}

/** Answers to the calls of the cluster's page. */
export function detailOf(cluster: Resource): ResourceDetail {
  const instances = instancesOf(cluster)
  return {
    data: instances.map((instance) => ({
      ...instance,
      installLog: instance.role === 'master' ? cluster.installLog : '[]',
      workloads: workloadsOf(instance),
    })),
    ...(cluster.status === 'inactivated' && { userPassword: 'reef-lagoon-4821' }),
    cpuTotalCount: cluster.cpuCoreTotalCount,
    memoryTotalSize: cluster.memoryTotalSize,
    instanceCount: instances.length,
    operations: [
      ...(cluster.operation ? [cluster.operation] : []),
      operation(3, { kind: 'restart', steps: [step('restarting', 'done', 40)] }),
      operation(4, {
        kind: 'addWorker',
        state: 'failed',
        steps: [step('fetching', 'failed', 90)],
        error: 'The provider has no room in this region.',
        by: null,
      }),
      operation(5, {}),
    ],
  }
}

/** The name of the first of them that is `status`. */
export function sampleNameOf(status: string): string {
  const cluster = sampleClusters.find((candidate) => candidate.status === status)
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster.name
}
