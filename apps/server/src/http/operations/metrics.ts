import type { Pool } from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { addDomainMetrics, type MeasuredDomains } from './domain-metrics.ts'
import { addPowerDnsMetrics, type MeasuredPowerDns } from './powerdns-metrics.ts'
import { addVaultMetrics, type MeasuredVault } from './vault-metrics.ts'

export interface HttpMetrics {
  observe(request: { method: string; route: string; status: number; code: number; seconds: number }): void
}

export interface Metrics extends HttpMetrics {
  jobFinished(job: string, outcome: 'done' | 'failed', seconds: number): void
  streamOpened(): void
  streamClosed(): void
  /** Prometheus text. */
  text(): Promise<string>
  contentType: string
}

export interface Measured {
  /** What is wrong with the catalogue's file; undefined while it is in use. */
  catalogProblem(): string | undefined
  /** What the vault holds and does; undefined: not this program's matter. */
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
  /**
   * Providers at which nothing is swept, and how many instances no row names; undefined: not this program's matter.
   */
  /** Seconds; undefined: there is none. */
  selfBackupAge?(): Promise<number | undefined>
  sweep?(): Promise<{ paused: readonly string[]; strays: number }>
}

/** The measurements of this process. `pool` also answers how many jobs wait. */
export function createMetrics(pool: Pool, measured: Measured = { catalogProblem: () => undefined }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

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
  new Gauge({
    name: 'atoll_database_connections',
    help: 'Connections of the pool by state, and callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'atoll_catalog_stale',
    help: '1 while the catalogue file has a mistake and the last good one is in use; the log says which.',
    registers,
    collect() {
      this.set(measured.catalogProblem() === undefined ? 0 : 1)
    },
  })
  const unread = new Counter({
    name: 'atoll_metrics_failures_total',
    help: 'Measurements that could not be taken.',
    registers,
  })
  new Gauge({
    name: 'atoll_jobs',
    help: 'Jobs in the queue by state; failed: given up within a day.',
    labelNames: ['state'],
    registers,
    async collect() {
      try {
        for (const [state, count] of Object.entries(await countJobs(pool))) this.set({ state }, count)
      } catch {
        // The database is away, which /readyz reports; the other measurements are still useful.
        unread.inc()
        this.reset()
      }
    },
  })
  const { sweep, parkedAccounts, drillClusters, bills, dnsQueries, selfBackupAge } = measured
  if (selfBackupAge) {
    new Gauge({
      name: 'atoll_self_backup_age_seconds',
      help: 'Since the newest backup of this deployment itself was begun; without one there is no value.',
      registers,
      async collect() {
        this.remove()
        try {
          const age = await selfBackupAge()
          if (age !== undefined) this.set(age)
        } catch {
          unread.inc()
        }
      },
    })
  }
  if (measured.vault) addVaultMetrics(registry, measured.vault, () => unread.inc())
  if (measured.powerDns) addPowerDnsMetrics(registry, measured.powerDns, () => unread.inc())
  if (measured.domains) addDomainMetrics(registry, measured.domains, () => unread.inc())
  if (dnsQueries) {
    new Counter({
      name: 'atoll_dns_queries_total',
      help: 'Questions to this name server by the code of the answer; without an answer, by the reason.',
      labelNames: ['transport', 'outcome'],
      registers,
      collect() {
        this.reset()
        for (const { transport, outcome, count } of dnsQueries()) this.inc({ transport, outcome }, count)
      },
    })
  }
  if (bills) {
    new Gauge({
      name: 'atoll_bills',
      help: 'Invoices that are open, those of them overdue after all tries, and payments whose end is unknown.',
      labelNames: ['state'],
      registers,
      async collect() {
        try {
          for (const [state, count] of Object.entries(await bills())) this.set({ state }, count)
        } catch {
          unread.inc()
          this.reset()
        }
      },
    })
  }
  /** One figure that is read when it is asked for. */
  function readGauge(name: string, help: string, read: (() => Promise<number>) | undefined): void {
    if (!read) return
    new Gauge({
      ...{ name, help, registers },
      async collect() {
        try {
          this.set(await read())
        } catch {
          unread.inc()
          this.reset()
        }
      },
    })
  }
  readGauge(
    'atoll_parked_accounts',
    'Accounts of which no bills are written, because there were too many: npm run admin -- unpark.',
    parkedAccounts,
  )
  readGauge(
    'atoll_drill_clusters',
    'Hidden clusters that backups are drilled on; those that are to go are not among them.',
    drillClusters,
  )
  if (sweep) {
    new Gauge({
      name: 'atoll_sweep_paused',
      help: '1 for a provider at which nothing is swept until the operator says to go on; /readyz says why.',
      labelNames: ['place'],
      registers,
      async collect() {
        this.reset()
        try {
          for (const place of (await sweep()).paused) this.set({ place }, 1)
        } catch {
          unread.inc()
        }
      },
    })
    const strays = async () => (await sweep()).strays
    readGauge('atoll_stray_instances', 'Instances at providers that no row of the database names.', strays)
  }

  return {
    observe: ({ method, route, status, code, seconds }) => requests.observe({ method, route, status, code }, seconds),
    jobFinished: (job, outcome, seconds) => jobs.observe({ job, outcome }, seconds),
    streamOpened: () => streams.inc(),
    streamClosed: () => streams.dec(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

async function countJobs(pool: Pool): Promise<{ waiting: number; running: number; failed: number }> {
  const { rows } = await pool.query<{ waiting: number; running: number; failed: number }>(
    `select count(*) filter (where locked_by is null and attempts < max_attempts) as waiting,
            count(*) filter (where locked_by is not null) as running,
            count(*) filter (where locked_by is null and attempts >= max_attempts) as failed
     from graphile_worker._private_jobs`,
  )
  return rows[0] ?? { waiting: 0, running: 0, failed: 0 }
}
