/**
 * Clusters as the server tells of them: one of each situation that a person meets, for tests of what the console
 * draws.
 */
import {
  byNeed,
  type ClusterAction,
  type ClusterStatus,
  clusterActions,
  type InstallLog,
  type InstanceAction,
  type InstanceRow,
  instanceActions,
  type Operation,
  type OperationStep,
  type Resource,
  type ResourceDetail,
  statusTable,
  type Workload,
} from '@atoll/contract/clusters'

export const owner = { userid: `did:key:z6Mk${'a'.repeat(44)}`, terminusName: 'lena@atoll.test' }
const friend = { userid: `did:key:z6Mk${'b'.repeat(44)}`, terminusName: 'jonas@atoll.test' }
const gibibyte = 1024 ** 3
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const daysAgo = (days: number) => minutesAgo(days * 24 * 60)
const reason = 'It is not possible in this state.'

const without = <T extends string>(all: readonly T[], allowed: readonly T[]) =>
  Object.fromEntries(all.filter((action) => !allowed.includes(action)).map((action) => [action, reason]))

const latest = (cpu: number) => ({
  at: minutesAgo(0),
  cpu,
  memoryUsed: 4.1 * gibibyte,
  memoryTotal: 8 * gibibyte,
  diskUsed: 41 * gibibyte,
  diskTotal: 100 * gibibyte,
})

const step = (name: OperationStep['step'], state: OperationStep['state'], at: number): OperationStep => ({
  step: name,
  state,
  startedAt: state === 'pending' ? null : minutesAgo(at),
  endedAt: state === 'done' || state === 'failed' ? minutesAgo(at - 1) : null,
  detail: state === 'failed' ? 'The provider has no room in this region.' : null,
})

function operation(number: number, facts: Partial<Operation>): Operation {
  return {
    operationId: `op_sample${String(number).padStart(4, '0')}`,
    instanceId: null,
    kind: 'create',
    state: 'done',
    steps: [step('fetching', 'done', 9), step('pending', 'done', 8), step('installing', 'done', 7)],
    startedAt: minutesAgo(9),
    endedAt: minutesAgo(6),
    deadlineAt: minutesAgo(-30),
    cancellable: false,
    by: owner.userid,
    error: null,
    ...facts,
  }
}

const installing: InstallLog = [
  {
    step: 'prepare',
    state: 'done',
    startedAt: minutesAgo(3),
    endedAt: minutesAgo(2),
    lines: ['14:27:12 agent enrolled'],
  },
  {
    step: 'fetch',
    state: 'running',
    startedAt: minutesAgo(2),
    endedAt: null,
    lines: ['14:27:31 image unpacked 1.8 GB in 17.6 s', '14:27:38 mail waiting for drive (retry 1 of 5)'],
  },
  { step: 'services', state: 'pending', startedAt: null, endedAt: null, lines: [] },
]

const restoringSteps = [step('fetching', 'done', 9), step('pending', 'done', 8), step('restoring', 'running', 7)]
const restoringLog: InstallLog = [
  { step: 'prepare', state: 'done', startedAt: minutesAgo(7), endedAt: minutesAgo(6), lines: [] },
  { step: 'services', state: 'done', startedAt: minutesAgo(6), endedAt: minutesAgo(5), lines: [] },
  {
    step: 'restore',
    state: 'running',
    startedAt: minutesAgo(5),
    endedAt: null,
    lines: ['14:31:02 restore reading 38 412 files'],
  },
  { step: 'handover', state: 'pending', startedAt: null, endedAt: null, lines: [] },
]

interface Situation {
  name: string
  status: ClusterStatus
  allowed: ClusterAction[]
  facts?: Partial<Resource>
}

const situations: Situation[] = [
  {
    name: 'Rangiroa',
    status: 'running',
    allowed: ['stop', 'restart', 'destroyMaster', 'addWorker'],
    facts: {
      osActive: true,
      url: 'http://lena.atoll.test:4801',
      latest: latest(0.23),
      workers: [worker(1, 'running'), worker(2, 'queuing')],
      operation: operation(1, {
        kind: 'addWorker',
        state: 'running',
        endedAt: null,
        cancellable: true,
        steps: [step('fetching', 'running', 1), step('pending', 'pending', 0), step('installing', 'pending', 0)],
      }),
    },
  },
  {
    name: 'Fakarava',
    status: 'installing',
    allowed: ['destroyMaster', 'cancel'],
    facts: {
      installLog: JSON.stringify(installing),
      owner: friend,
      operation: operation(2, { state: 'running', endedAt: null, by: friend.userid }),
    },
  },
  {
    name: 'Tikehau',
    status: 'offline',
    allowed: ['destroyMaster'],
    facts: {
      clusterType: 'SelfHost',
      reverseProxy: 'frp',
      osActive: true,
      url: 'http://tikehau.atoll.test:4801',
      cloudName: null,
      regionId: null,
      offering: null,
      network: { state: 'connecting', reason: 'The relay waits for the machine.' },
      latest: { ...latest(0.02), at: minutesAgo(26) },
    },
  },
  { name: 'Manihi', status: 'inactivated', allowed: ['activate', 'stop', 'restart', 'destroyMaster'] },
  { name: 'Takapoto', status: 'stopped', allowed: ['start', 'destroyMaster'], facts: { osActive: true } },
  {
    name: 'Ahe',
    status: 'errored',
    allowed: ['retry', 'repair', 'destroyMaster'],
    facts: { error: 'The provider has no room in this region.', missing: true },
  },
  {
    name: 'Home box',
    status: 'queuing',
    allowed: ['cancel', 'destroyMaster'],
    facts: {
      clusterType: 'SelfHost',
      reverseProxy: 'none',
      cloudName: null,
      regionId: null,
      offering: null,
      // Its machine has yet to come and say what it is.
      cpuCoreCount: 0,
      memorySize: 0,
      cpuCoreTotalCount: 0,
      memoryTotalSize: 0,
    },
  },
  { name: 'Apataki', status: 'destroying', allowed: [] },
  {
    name: 'Mataiva',
    status: 'unpaid',
    allowed: ['cancelUnpaid'],
    facts: {
      instanceId: 'in_unpaid0001',
      orders: [
        {
          ...{ invoiceId: 'iv_sample0031', subscriptionId: 'sub_sample009', instanceIds: ['in_unpaid0001'] },
          ...{ amount: 2160, currency: 'usd', validUntil: minutesAgo(-22 * 60) },
        },
      ],
    },
  },
  {
    name: 'Kauehi',
    status: 'waiting_destroy',
    allowed: ['destroyMaster'],
    facts: {
      osActive: true,
      overdue: {
        ...{ invoiceId: 'iv_sample0031', amount: 2160, currency: 'usd', dueAt: daysAgo(8) },
        ...{ stoppedAt: daysAgo(3), destroyAt: daysAgo(-11) },
      },
    },
  },
  { name: 'Toau', status: 'destroy_to_be_confirmed', allowed: ['keep', 'destroyMaster'], facts: { osActive: true } },
  {
    name: 'Hao',
    status: 'restoring',
    allowed: ['destroyMaster', 'cancel'],
    facts: {
      installLog: JSON.stringify(restoringLog),
      operation: operation(6, { state: 'running', endedAt: null, steps: restoringSteps }),
    },
  },
  {
    name: 'Amanu',
    status: 'restore_error',
    allowed: ['destroyMaster', 'cancel'],
    facts: {
      installLog: JSON.stringify(restoringLog),
      operation: operation(7, { state: 'running', endedAt: null, steps: restoringSteps }),
      error: 'Backup password incorrect, please re-enter.',
    },
  },
]

function worker(number: number, status: ClusterStatus): Resource['workers'][number] {
  return {
    instanceId: `in_worker00${number}`,
    name: `worker-${number}`,
    status,
    missing: false,
    offering: 'tide-2',
    cpuCoreCount: 2,
    memorySize: 4096,
  }
}

const machineStatus = (status: ClusterStatus): ClusterStatus => (status === 'inactivated' ? 'running' : status)

export const sampleClusters: Resource[] = situations.map(({ name, status, allowed, facts = {} }, index) => {
  const workers = facts.workers ?? []
  return {
    clusterId: `cl_sample00${index}`,
    name,
    clusterType: 'Cloud',
    status,
    statusStr: statusTable[status].label['en-US'],
    osActive: false,
    clusterStatus: machineStatus(status),
    reverseProxy: 'none',
    url: null,
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

/** A service that died on the master; a worker whose agent is too old to tell of any. */
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

/** What the cluster's page asks for. */
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
