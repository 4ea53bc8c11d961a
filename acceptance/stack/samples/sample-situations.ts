/** One cluster of each situation that a person meets, in what it differs from the others. */
import type { ClusterAction, ClusterStatus, InstallLog, Resource } from '@atoll/contract/clusters'
import { daysAgo, friend, latest, minutesAgo, operation, step } from './sample-facts.ts'

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

export interface Situation {
  name: string
  status: ClusterStatus
  allowed: ClusterAction[]
  facts?: Partial<Resource>
}

export const situations: Situation[] = [
  {
    name: 'Rangiroa',
    status: 'running',
    allowed: ['stop', 'restart', 'destroyMaster', 'addWorker'],
    facts: {
      osActive: true,
      url: 'https://lena.lagoon.example',
      secondUrl: 'http://lena.atoll.test:4801',
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
    allowed: ['destroyMaster', 'giveUp', 'replaceMachine'],
    facts: {
      clusterType: 'SelfHost',
      reverseProxy: 'frp',
      osActive: true,
      url: 'http://tikehau.atoll.test:4801',
      cloudName: null,
      regionId: null,
      offering: null,
      network: { state: 'connecting', reason: 'The relay waits for the machine.' },
      copies: [
        {
          instanceId: 'in_sample0002',
          name: 'master',
          isAnswered: false,
          serving: { bootId: '7d1f4c0a-boot', hostName: 'boathouse', at: minutesAgo(2900) },
          refused: [{ bootId: 'c92e66b1-boot', hostName: 'boathouse-clone', at: minutesAgo(31) }],
        },
      ],
      latest: { ...latest(0.02), at: minutesAgo(26) },
    },
  },
  { name: 'Manihi', status: 'inactivated', allowed: ['activate', 'stop', 'restart', 'destroyMaster'] },
  { name: 'Takapoto', status: 'stopped', allowed: ['start', 'destroyMaster'], facts: { osActive: true } },
  {
    name: 'Ahe',
    status: 'errored',
    allowed: ['retry', 'repair', 'destroyMaster', 'giveUp'],
    facts: {
      osActive: true,
      error: 'The provider no longer has this instance.',
      missing: true,
      latest: { ...latest(0.02), at: minutesAgo(47) },
    },
  },
  {
    name: 'Home box',
    status: 'queuing',
    allowed: ['cancel', 'destroyMaster'],
    facts: {
      clusterType: 'SelfHost',
      reverseProxy: 'none',
      viaEdge: false,
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
          invoiceId: 'iv_sample0031',
          subscriptionId: 'sub_sample009',
          instanceIds: ['in_unpaid0001'],
          amount: 2160,
          currency: 'usd',
          validUntil: minutesAgo(-22 * 60),
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
        invoiceId: 'iv_sample0031',
        amount: 2160,
        currency: 'usd',
        dueAt: daysAgo(8),
        stoppedAt: daysAgo(3),
        destroyAt: daysAgo(-11),
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
  {
    name: 'Niau',
    status: 'errored',
    allowed: ['destroyMaster', 'takeBack'],
    facts: {
      osActive: true,
      error: 'Its machine has not answered for 3 minutes.',
      givenUpAt: minutesAgo(40),
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
