/** How the sample deployment fares, as staff see it. */
import type { CapacityMemberRow, CapacityRegion, ProcessRow, SystemView } from '@atoll/contract/staff'
import { daysAgo, minutesAgo } from './sample-facts.ts'

const processOf = (role: string, host: string, state: ProcessRow['state'] = 'ready'): ProcessRow => ({
  key: `${host} ${role}`,
  role,
  host,
  version: '1.2.0',
  state,
  startedAt: daysAgo(12),
  beatAt: minutesAgo(state === 'silent' ? 39 : 0),
  diskTotal: 18e12,
  diskFree: 11.9e12,
})

/** As it is whenever the page asks: the heartbeats are of now. */
export function systemView(): SystemView {
  return {
    processes: [
      processOf('api', 'ctl-1'),
      processOf('worker', 'ctl-1', 'careful'),
      processOf('edge', 'edge-1'),
      processOf('dns', 'ns-2', 'silent'),
      processOf('vault', 'vault-1'),
    ],
    queues: [
      { area: 'clusters', waiting: 5, oldestSeconds: 38, running: 10, failed: 0, isHeld: true },
      { area: 'billing', waiting: 3, oldestSeconds: 12, running: 1, failed: 0, isHeld: false },
      { area: 'backups', waiting: 4, oldestSeconds: 21, running: 3, failed: 1, isHeld: false },
      { area: 'mail', waiting: 0, oldestSeconds: 0, running: 0, failed: 0, isHeld: false },
    ],
    failedJobs: [
      {
        jobId: '812',
        name: 'backup.reconcile',
        area: 'backups',
        attempts: 25,
        problem: 'vault-1 answered 503',
        at: minutesAgo(60),
      },
    ],
    database: {
      version: '17.5',
      bytes: 4.2e9,
      connections: 61,
      maxConnections: 100,
      behindSeconds: 0.4,
      oldestTransactionSeconds: 2,
    },
    ownBackup: { isSetUp: true, canRun: true, takenAt: daysAgo(1.5), provenAt: daysAgo(18) },
    nameServers: [
      { server: 'ns1.reef.example', isUp: true },
      { server: 'ns2.reef.example', isUp: false },
    ],
    certificates: {
      own: [{ name: '*.reef.example', validUntil: daysAgo(-57), problem: null }],
      customers: 61,
      failing: 0,
      nextEnd: daysAgo(-30),
    },
    mail: {
      server: 'smtp.atoll.example',
      sentToday: 212,
      waiting: 1,
      undelivered: [
        {
          mailId: 'ml_sample000000001',
          kind: 'billing',
          recipient: 'dario@mail.example',
          state: 'failed',
          problem: '552 mailbox full',
          at: minutesAgo(78),
          canResend: true,
        },
      ],
    },
    vault: { liveBytes: 6.1e12, trashBytes: 3.2e11, badFiles: 0, isAtReserve: false, scrubLateSeconds: 0 },
  }
}

const memberOf = (member: string, part: number, state: CapacityMemberRow['state'] = 'online'): CapacityMemberRow => ({
  member,
  state,
  instances: 88,
  accepts: state === 'online',
  readAt: minutesAgo(0),
  drain: null,
  real: { cpu: 96, memory: 1_048_576, disk: 10_485_760 },
  used: { cpu: 36, memory: 620_000, disk: 5_600_000 },
  total: { cpu: 384, memory: 1_048_576, disk: 15_728_640 },
  sold: { cpu: 384 * part, memory: 1_048_576 * part, disk: 15_728_640 * part },
})
const regionOf = (title: string, members: CapacityMemberRow[]): CapacityRegion => ({
  cloudName: 'reef',
  regionId: title.toLowerCase(),
  title,
  instances: 88 * members.length,
  accepts: true,
  isLimited: true,
  factors: { cpu: 4, memory: 1, disk: 1.5 },
  room: { offering: 'Tide 4', count: 23 },
  members,
})

const drain: CapacityMemberRow['drain'] = {
  drainId: 'dr_sample0001',
  state: 'running',
  beginsAt: minutesAgo(20),
  endsAt: minutesAgo(-220),
  endedAt: null,
  moved: 7,
}

/** The machines of two regions, one of them full. */
export const capacityView: { regions: CapacityRegion[] } = {
  regions: [
    regionOf('Frankfurt', [memberOf('fra-1', 0.69), memberOf('fra-2', 0.93)]),
    regionOf('Helsinki', [memberOf('hel-1', 0.89), { ...memberOf('hel-2', 0.86, 'full'), drain }]),
    { ...regionOf('Singapore', []), isLimited: false, accepts: false },
  ],
}
