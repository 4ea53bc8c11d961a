/** The one place that builds everything and decides who gets what. The parts beside it build a few modules each. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../config.ts'
import type { LookAs } from '../http/calls.ts'
import { createEventStreams, type EventStreams } from '../http/events.ts'
import { createMetrics, type Metrics } from '../http/operations/metrics.ts'
import type { TakeScarce } from '../http/rates/limit-requests.ts'
import type { Authenticate } from '../http/request/authenticate-request.ts'
import type { Route } from '../http/route.ts'
import { createAbuse } from '../modules/abuse/index.ts'
import { type Agents, readOfferedAgent } from '../modules/agents/index.ts'
import { createAnnouncements } from '../modules/announcements/index.ts'
import { endBackups } from '../modules/backups/index.ts'
import { buildStatement, countBills, countDisputes, countParked, printInvoices } from '../modules/billing/index.ts'
import { catalogChannel, type LiveCatalog, openCatalog } from '../modules/catalog/index.ts'
import { measureCertificates } from '../modules/certificates/index.ts'
import { type Clusters, describeSweep } from '../modules/clusters/index.ts'
import { type Dns, describeSilent } from '../modules/dns/index.ts'
import { requireProductionDefaults } from '../modules/doctor/index.ts'
import type { Edge } from '../modules/edge/index.ts'
import { createRights } from '../modules/rights/index.ts'
import { createRollouts } from '../modules/rollouts/index.ts'
import { readSelfBackupAge, selfBackupName } from '../modules/self-backup/index.ts'
import { createStaff } from '../modules/staff/index.ts'
import type { Vault } from '../modules/vault/index.ts'
import { type ClockWatch, createClockWatch, raiseStartDoubts, readOutsideClock } from '../platform/careful/index.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { loadSecretKeys } from '../platform/data-folder/secret-key.ts'
import type { Trx } from '../platform/db/index.ts'
import { createChangeFeed, createListener, createWatchers, type Listener, storeOf } from '../platform/events/index.ts'
import { enqueueJob, type Job } from '../platform/jobs/index.ts'
import { keyMoveJob, requireSameKey } from '../platform/keys/index.ts'
import type { Log } from '../platform/log.ts'
import { takeScarce } from '../platform/rates/index.ts'
import { checkSources, sourcesCheck } from '../platform/sources/index.ts'
import type { Ticker } from '../platform/ticker.ts'
import type { OpenDatabase } from '../start/database.ts'
import { startAlarms, startPing } from './alarms.ts'
import { composeAttention } from './attention.ts'
import { composeBackups, composeVault } from './backups.ts'
import { composeClusters } from './clusters.ts'
import { composeDomains, composeEdge } from './domains.ts'
import { composeAnswers, composeJobs } from './faces.ts'
import { createHooks, handleHooks } from './hooks.ts'
import { keyMoves } from './key-moves.ts'
import { measuredState } from './measured-state.ts'
import type { Base, Modules } from './modules.ts'
import { composeMoney } from './money.ts'
import { composeAccounts, composeNews, composePeople } from './people.ts'
import { storedTimes } from './stored-times.ts'

/** How long a start waits for what outside says, ms. */
const askedAtStartMs = 5000

export interface System {
  clock: Clock
  /** Of the secret keys that this process has, the one for new values first. */
  keyIds: readonly string[]
  catalog: LiveCatalog
  listener: Listener
  metrics: Metrics
  /** The api role's. */
  routes: Route[]
  plugins: FastifyPluginAsync[]
  authenticate: Authenticate
  lookAs: LookAs
  takeScarce: TakeScarce
  events: EventStreams
  /** Whether the api shows the mails that it keeps. */
  isOutboxShown: boolean
  /** The worker role's. */
  jobs: Job[]
  /** For an api or a worker that starts, before it listens: what outside may be newer than this database. */
  raiseDoubts(): Promise<void>
  /**
   * Asks that, for 5 s at most, before a worker's first job: a source that gives no answer is asked again by a job, and
   * what depends on it waits.
   */
  askSources(): Promise<void>
  /** For a worker that starts: has certificates for the hosts of this deployment that the edge serves. */
  wantOwnCertificates(): Promise<void>
  /** For each process that acts on deadlines. */
  clockWatch: ClockWatch
  /** For each process of the api and of the worker: either may be the one that is down. */
  startAlarms(): Ticker | undefined
  /** The api role's: tells others each minute that `findProblem` finds none. */
  startPing(findProblem: () => Promise<string | undefined>): Ticker | undefined
  /** The api role's: looks at what needs a person. */
  startAttention(): Ticker
  clusters: Clusters
  agents: Agents
  /** A problem with the samples, for the operator; undefined while there is none. */
  describeSamples(): Promise<string | undefined>
  /** Which of our name servers are silent, as far as is known; undefined while none is. */
  describeNameServers(): Promise<string | undefined>
  /** The edge role's. */
  edge: Edge
  /** The dns role's. */
  dns: Dns
  /** Where copies are kept. */
  vault: Vault
}

export async function compose(config: Config, database: OpenDatabase, log: Log): Promise<System> {
  const { db, pool, connection } = database
  const clock = systemClock
  // First: a mistake in it stops the start before anything runs.
  const catalog = await openCatalog({
    file: config.catalogFile,
    log,
    ...(config.catalogApply === 'asked' && { applied: { db, clock } }),
  })
  requireProductionDefaults(config, catalog.current())
  const sealer = await requireSameKey(db, loadSecretKeys(config))
  const listener = await createListener({ connection, log })
  listener.on(catalogChannel, catalog.look)
  listener.onResync(catalog.look)
  const feed = createChangeFeed(listener, storeOf(db), log)
  const base: Base = { db, pool, clock, config, log, catalog, sealer, listener, feed }

  const clockUrl = config.clockUrl ?? config.acme?.directory
  const clockWatch = createClockWatch({ db, clock, log, storedTimes, readOutside: () => readOutsideClock(clockUrl) })
  const hooks = createHooks()
  const { identity, mail, accountLimits } = composePeople(base, hooks)
  const { payments, billing, limits } = await composeMoney(base, { accountLimits, mail }, clockWatch)
  const { accounts, audit } = composeAccounts(base, { identity, mail, limits })
  const vault = composeVault(base, { billing }, clockWatch)
  const { giveHosts, ...named } = await composeDomains(base, { accounts, identity, mail })
  const { dns, certificates, credentials, domains } = named
  const given = { accounts, billing, limits, vault, hooks, giveHosts }
  const { observe, agents, clusters, intake, backupEvents } = composeClusters(base, given)
  const backups = composeBackups(base, { accounts, agents, mail, clusters, vault })
  const edge = composeEdge(base, { agents, clusters, limits, certificates })
  const rollouts = createRollouts({ db, clock, agents, offered: () => readOfferedAgent() })
  const staff = createStaff({
    db,
    clock,
    log,
    config,
    clusters,
    dns,
    mail,
    vault,
    catalog,
    attention: composeAttention(base),
    acts: rollouts.acts,
    gateway: payments.gateway,
    getLimits: accounts.getLimits,
    billing,
    authenticate: accounts.authenticate,
  })
  const news = composeNews(base)
  const rights = createRights({
    db,
    clock,
    mail,
    billing,
    config,
    vaultUrl: config.vaultUrl,
    authenticate: accounts.authenticate,
    sealer,
    clusters,
    domains,
    endBackups: (trx: Trx, owner: string) => endBackups({ vault }, trx, owner),
    async backUp(trx: Trx) {
      if (config.selfBackup?.schedule !== undefined) await enqueueJob(trx, selfBackupName, {}, { key: selfBackupName })
    },
    getUser: accounts.getUser,
    listInvoices: (userid, locale) => printInvoices({ db, clock, config }, { userid, locale }),
    readStatement: async (userid) => (await buildStatement({ ...base, accounts }, userid)).text,
  })
  const announcements = createAnnouncements({
    db,
    clock,
    log,
    config,
    catalog,
    mail,
    silentNameServers: () => describeSilent(dns.nameServersUp.last()),
    vaultProblem: () => vault.describeRoom(),
  })
  handleHooks(hooks, { domains, intake, backupEvents, rollouts, staff })
  const modules: Modules = {
    identity,
    mail,
    accounts,
    audit,
    payments,
    billing,
    limits,
    vault,
    dns,
    certificates,
    credentials,
    domains,
    observe,
    agents,
    clusters,
    backups,
    edge,
    rollouts,
    staff,
    announcements,
    rights,
    abuse: createAbuse(base),
    news,
  }

  const metrics = createMetrics(pool, {
    bills: () => countBills(db),
    disputes: () => countDisputes(db),
    parkedAccounts: () => countParked(db),
    drillClusters: async () => (await clusters.drills.list(db)).length,
    catalogProblem: catalog.problem,
    state: measuredState(base),
    dnsQueries: dns.counts,
    powerDns: dns.measurePowerDns,
    domains: {
      nameServers: dns.nameServersUp.last,
      checks: dns.checks,
      certificates: () => measureCertificates(db, clock.now()),
    },
    vault: () => vault.measure(),
    selfBackupAge: () => readSelfBackupAge(db, clock.now()),
    async sweep() {
      const { paused, strays } = await describeSweep(db)
      return { paused: paused.map(({ place }) => place), strays: strays.length }
    },
  })
  const hasWorker = config.roles.includes('worker')
  // An api alone only takes orders, which are numbered by what the gateway knows.
  const checks = () => [...billing.sources, ...(hasWorker ? [...dns.sources, ...clusters.sources()] : [])]
  const watchers = createWatchers({ db, clock, log })
  const events = createEventStreams({
    feed,
    authenticate: accounts.authenticate,
    onOpened(filter) {
      metrics.streamOpened()
      watchers.enter(filter)
    },
    onClosed(filter) {
      metrics.streamClosed()
      watchers.leave(filter)
    },
  })

  return {
    clock,
    keyIds: sealer.keyIds,
    catalog,
    listener,
    metrics,
    ...composeAnswers(base, modules),
    authenticate: accounts.authenticate,
    lookAs: staff.lookAs,
    takeScarce: (use) => takeScarce(db, use, { now: clock.now(), factor: config.rateFactor }),
    events,
    isOutboxShown: mail.isOutboxShown,
    jobs: [
      ...composeJobs(base, modules, connection),
      sourcesCheck({ db, clock, log, checks }),
      keyMoveJob({ db, clock, sealer }, keyMoves(config)),
    ],
    clockWatch,
    describeNameServers: async () => describeSilent(dns.nameServersUp.last()),
    async raiseDoubts() {
      const asked = checks().map(({ source }) => source)
      await raiseStartDoubts(db, hasWorker ? ['vault', ...asked] : asked, clock.now(), { all: hasWorker })
    },
    async askSources() {
      const asked = checkSources({ db, clock, log, checks: checks() })
      await Promise.race([asked, sleep(askedAtStartMs, undefined, { ref: false })])
    },
    startAlarms: () => startAlarms(base, modules),
    startAttention: staff.startAttention,
    startPing: (findProblem) => startPing(base, findProblem),
    async wantOwnCertificates() {
      if (config.acme === undefined) return
      const own = { hosts: [...config.edgeOwnHosts.keys()], edgeDomain: config.edgeDomain }
      await db.transaction().execute((trx) => certificates.wantOwn(trx, own))
    },
    clusters,
    agents,
    describeSamples: () => observe.samples.health(),
    edge,
    dns,
    vault,
  }
}
