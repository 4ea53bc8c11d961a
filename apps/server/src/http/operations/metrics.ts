import type { Pool } from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { listMissingMigrations } from '../../platform/db/index.ts'
import { currentBuild } from '../../platform/install.ts'
import { countJobs } from '../../platform/jobs/index.ts'
import { domainMeasurements, type MeasuredDomains } from './domain-metrics.ts'
import { addMeasurements, byLabel, type Figures, type Measurement } from './measurements.ts'
import { type MeasuredPowerDns, powerDnsMeasurements } from './powerdns-metrics.ts'
import { type MeasuredState, stateMeasurements } from './state-metrics.ts'
import { type MeasuredVault, vaultMeasurements } from './vault-metrics.ts'

export interface HttpMetrics {
  observe(request: { method: string; route: string; status: number; code: number; seconds: number }): void
}

export interface Metrics extends HttpMetrics {
  jobFinished(job: string, outcome: 'done' | 'failed', seconds: number): void
  streamOpened(): void
  streamClosed(): void
  /** Measures whether `checks` hold, by name. */
  addChecks(checks: Readonly<Record<string, () => Promise<string | undefined>>>): void
  /** Prometheus text. */
  text(): Promise<string>
  contentType: string
}

export interface Measured {
  /** The mistakes in the catalogue's file; undefined while it is in use. */
  catalogProblem(): string | undefined
  /** The vault's contents and work; undefined: not measured by this program. */
  vault?(): Promise<MeasuredVault>
  /** Questions to this process as a name server, by how they ended; undefined: not this program's matter. */
  dnsQueries?(): readonly { transport: string; outcome: string; count: number }[]
  /** PowerDNS, where it answers for customers' domains. */
  powerDns?: (() => Promise<readonly MeasuredPowerDns[]>) | undefined
  /** Customers' domains and their certificates; undefined: not this program's matter. */
  domains?: MeasuredDomains
  /** Accounts of which no bills are written until the operator allows it; undefined: not this program's matter. */
  parkedAccounts?(): Promise<number>
  /** Clusters of drills; undefined: not this program's matter. */
  drillClusters?(): Promise<number>
  /** Invoices and payments by what an operator watches of them; undefined: not this program's matter. */
  bills?(): Promise<Readonly<Record<string, number>>>
  /** Disputes that banks have not decided yet; undefined: not measured by this program. */
  disputes?(): Promise<{ open: number; inquiries: number; firstDueBy: Date | null }>
  /**
   * Providers at which nothing is swept, and how many instances no row names; undefined: not this program's matter.
   */
  /** Seconds; undefined: there is none. */
  selfBackupAge?(): Promise<number | undefined>
  /** How it does what was asked of it; undefined: not this program's matter. */
  state?: MeasuredState
  sweep?(): Promise<{ paused: readonly string[]; strays: number }>
}

/** Gauges of the library that are named as counters; the same without `_total` are there too, by type. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

/** The measurements of this process. `pool` also answers how many jobs wait. */
export function createMetrics(pool: Pool, measured: Measured = { catalogProblem: () => undefined }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)

  const requests = new Histogram({
    name: 'atoll_http_request_seconds',
    help: 'Duration of HTTP requests by route; code is that of the envelope, 0 without one.',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers,
  })
  const jobs = new Histogram({
    name: 'atoll_job_seconds',
    help: 'Duration of job runs.',
    labelNames: ['job', 'outcome'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers,
  })
  const streams = new Gauge({ name: 'atoll_event_streams', help: 'Open event streams.', registers })
  const unread = new Counter({
    name: 'atoll_metrics_failures_total',
    help: 'Measurements that could not be taken.',
    registers,
  })
  addMeasurements(registry, measurementsOf(pool, measured), () => unread.inc())
  return {
    observe: ({ method, route, status, code, seconds }) => requests.observe({ method, route, status, code }, seconds),
    jobFinished: (job, outcome, seconds) => jobs.observe({ job, outcome }, seconds),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    addChecks(checks) {
      const read = async (): Promise<Figures> =>
        await Promise.all(
          Object.entries(checks).map(async ([check, find]): Promise<[number, { check: string }]> => {
            const problem = await find().catch(() => 'it cannot be looked at')
            return [problem === undefined ? 1 : 0, { check }]
          }),
        )
      // Registered again, the checks replace those before: a second metric of the same name would stop the start.
      registry.removeSingleMetric('atoll_ready')
      const help = '1 for what holds of what readiness asks; /readyz says what is wrong.'
      addMeasurements(registry, [{ name: 'atoll_ready', help, labelNames: ['check'], read }], () => unread.inc())
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function measurementsOf(pool: Pool, measured: Measured): Measurement[] {
  const { vault, powerDns, domains, bills, disputes, dnsQueries, parkedAccounts, drillClusters, selfBackupAge, sweep } =
    measured
  const one = (name: string, help: string, read: (() => Promise<number | undefined>) | undefined): Measurement[] => {
    const readOne = async (): Promise<Figures> => {
      const value = await read?.()
      return value === undefined ? [] : [[value]]
    }
    return read ? [{ name, help, read: readOne }] : []
  }
  return [
    {
      name: 'atoll_build_info',
      help: 'Always 1; the labels say which program this is.',
      labelNames: ['version', 'commit'],
      read() {
        const { version, commit = '' } = currentBuild()
        return [[1, { version, commit }]]
      },
    },
    {
      name: 'atoll_database_connections',
      help: 'Connections of the pool by state, and callers that wait for one.',
      labelNames: ['state'],
      read() {
        const { idleCount: idle, totalCount, waitingCount: waiting } = pool
        return byLabel('state', { idle, busy: totalCount - idle, waiting })
      },
    },
    {
      name: 'atoll_catalog_stale',
      help: '1 while the catalogue file has a mistake and the last good one is in use; the log says which.',
      read: () => [[measured.catalogProblem() === undefined ? 0 : 1]],
    },
    {
      name: 'atoll_jobs',
      help: 'Jobs in the queue by state; failed: given up within a day.',
      labelNames: ['state'],
      async read() {
        const { oldestDueSeconds: _, ...counts } = await countJobs(pool)
        return byLabel('state', counts)
      },
    },
    {
      name: 'atoll_job_wait_seconds',
      help: 'Since the job that waits longest was due; 0: none waits.',
      read: async () => [[(await countJobs(pool)).oldestDueSeconds]],
    },
    {
      name: 'atoll_migrations_pending',
      help: 'Migrations of this program that the database lacks.',
      read: async () => [[(await listMissingMigrations(pool)).length]],
    },
    ...one(
      'atoll_self_backup_age_seconds',
      'Since the newest backup of this deployment itself was begun; without one there is no value.',
      selfBackupAge,
    ),
    ...(measured.state ? stateMeasurements(measured.state) : []),
    ...(vault ? vaultMeasurements(vault) : []),
    ...(powerDns ? powerDnsMeasurements(powerDns) : []),
    ...(domains ? domainMeasurements(domains) : []),
    ...(dnsQueries
      ? [
          {
            isCounter: true,
            name: 'atoll_dns_queries_total',
            help: 'Questions to this name server by the code of the answer; without an answer, by the reason.',
            labelNames: ['transport', 'outcome'],
            read: (): Figures => dnsQueries().map(({ count, ...labels }) => [count, labels]),
          },
        ]
      : []),
    ...(bills
      ? [
          {
            name: 'atoll_bills',
            help: 'Invoices that are open, those of them overdue after all tries, and payments whose end is unknown.',
            labelNames: ['state'],
            read: async () => byLabel('state', await bills()),
          },
        ]
      : []),
    ...(disputes
      ? [
          {
            name: 'atoll_disputes',
            help: 'Payments that banks dispute and have not decided: npm run admin -- disputes.',
            labelNames: ['state'],
            read: async () => {
              const { open, inquiries: inquiry } = await disputes()
              return byLabel('state', { open, inquiry })
            },
          },
        ]
      : []),
    ...one(
      'atoll_dispute_due_timestamp_seconds',
      'When the first deadline for evidence about a dispute is; without one there is no value.',
      disputes &&
        (async () => {
          const { firstDueBy } = await disputes()
          return firstDueBy === null ? undefined : firstDueBy.getTime() / 1000
        }),
    ),
    ...one(
      'atoll_parked_accounts',
      'Accounts of which no bills are written, because there were too many: npm run admin -- unpark.',
      parkedAccounts,
    ),
    ...one(
      'atoll_drill_clusters',
      'Hidden clusters that backups are drilled on; those that are to go are not among them.',
      drillClusters,
    ),
    ...(sweep
      ? [
          {
            name: 'atoll_sweep_paused',
            help: '1 for a provider at which nothing is swept until the operator says to go on; /readyz says why.',
            labelNames: ['place'],
            read: async (): Promise<Figures> => (await sweep()).paused.map((place) => [1, { place }]),
          },
        ]
      : []),
    ...one(
      'atoll_stray_instances',
      'Instances at providers that no row of the database names.',
      sweep && (async () => (await sweep()).strays),
    ),
  ]
}
