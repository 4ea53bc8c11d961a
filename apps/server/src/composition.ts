/** The one place that builds everything and decides who gets what. */
import type { FastifyPluginAsync } from 'fastify'
import type { Config } from './config.ts'
import type { Authenticate } from './http/calls.ts'
import { createEventStreams, type EventStreams } from './http/events.ts'
import { createMetrics, type Metrics } from './http/operations/metrics.ts'
import type { Route } from './http/route.ts'
import { accountNow, createAccounts } from './modules/accounts/index.ts'
import { type Agents, createAgents } from './modules/agents/index.ts'
import { createAudit, recordAudit } from './modules/audit/index.ts'
import { createBackups, listLastCompleted } from './modules/backups/index.ts'
import {
  countBills,
  countParked,
  createBilling,
  enqueueAttempt,
  invoiceExportPlugin,
  invoicePdfPlugin,
  isPastDue,
  retryOwed,
  statementPlugin,
} from './modules/billing/index.ts'
import { type LiveCatalog, openCatalog } from './modules/catalog/index.ts'
import {
  type Clusters,
  createClusters,
  createIntake,
  describeSweep,
  findOwnCluster,
  getVisibleInstances,
  listClusterNames,
  listClusterOwners,
  listEnds,
  listLivingClusterIds,
  listMeteredInstances,
  listNamedInstances,
  listOwners,
  listOwnInstances,
  listOwnMasters,
  listWatchedInstances,
  wakeCluster,
} from './modules/clusters/index.ts'
import { createCompute } from './modules/compute/index.ts'
import { createCredentials } from './modules/credentials/index.ts'
import { createDns, type Dns, removeZone, setZone } from './modules/dns/index.ts'
import { createDomains } from './modules/domains/index.ts'
import { createEdge, type Edge } from './modules/edge/index.ts'
import { createIdentity } from './modules/identity/index.ts'
import { createLedger } from './modules/ledger/index.ts'
import { createMail } from './modules/mail/index.ts'
import { alertJobs, createAlertRoutes, createObserve, createScrape } from './modules/observe/index.ts'
import { createPayments, listCards } from './modules/payments/index.ts'
import { frpsPlugin } from './modules/relay/index.ts'
import { createMeters, createTrafficLimits, usageRead } from './modules/usage/index.ts'
import { createVault, listRepositoryLevels, listSnapshotFiles, usageOf, type Vault } from './modules/vault/index.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createSealer } from './platform/crypto.ts'
import { findFact, keepFact, processFolderFact } from './platform/deployment-facts.ts'
import {
  changesPrune,
  createChangeFeed,
  createListener,
  createWatchers,
  type Listener,
  publishChange,
  storeOf,
} from './platform/events/index.ts'
import { failedJobsSweep, type Job } from './platform/jobs/index.ts'
import { requireSameKey } from './platform/key-guard.ts'
import type { Log } from './platform/log.ts'
import { requestKeysPrune } from './platform/requests/index.ts'
import { loadSecretKey } from './platform/secret-key.ts'
import type { OpenDatabase } from './start/database.ts'

export interface System {
  clock: Clock
  catalog: LiveCatalog
  listener: Listener
  metrics: Metrics
  /** The api role's. */
  routes: Route[]
  plugins: FastifyPluginAsync[]
  authenticate: Authenticate
  events: EventStreams
  /** Whether the api shows the mails that it keeps. */
  isOutboxShown: boolean
  /** The worker role's. */
  jobs: Job[]
  clusters: Clusters
  agents: Agents
  /** What is wrong with the samples, for the operator; undefined while nothing is. */
  tellSamples(): Promise<string | undefined>
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
  const catalog = await openCatalog({ file: config.catalogFile, log })
  const secretKey = loadSecretKey(config)
  await requireSameKey(pool, secretKey)
  const listener = await createListener({ connection, log })
  const dns = createDns({ db, listener, log, config })
  const metrics = createMetrics(pool, {
    bills: () => countBills(db),
    parkedAccounts: () => countParked(db),
    catalogProblem: catalog.problem,
    dnsQueries: dns.counts,
    vault: () => vault.measure(),
    async sweep() {
      const { paused, strays } = await describeSweep(db)
      return { paused: paused.map(({ place }) => place), strays: strays.length }
    },
  })
  const feed = createChangeFeed(listener, storeOf(db), log)
  const watchers = createWatchers({ db, clock, log })

  const identity = createIdentity({
    db,
    clock,
    config,
    mayTakeName: (trx, wish) => domains.mayTakeName(trx, wish),
    async onNameBound(trx, { did, name, ip }) {
      await recordAudit(trx, {
        // Bound by signature, from no session.
        actor: { userid: did, sessionId: null },
        ip,
        action: 'account.bindName',
        object: { kind: 'account', id: did, owner: did },
        before: { name: null },
        after: { name },
      })
      await domains.onNameTaken(trx, { did, name })
    },
  })
  const sealer = createSealer(secretKey)
  const mail = createMail({ db, clock, sealer, config })
  const quotaOfPlan = (level: number) =>
    catalog.current().plans.find((plan) => plan.level === level)?.quotas.vCpu ?? config.vCpuQuota
  const accounts = createAccounts({
    db,
    clock,
    identity,
    sealer,
    mail,
    config,
    quotaOfPlan,
    isAccessLimited: async (from, userid) =>
      (await isPastDue(from, userid)) || (await limits.limitedUntil(userid)) !== undefined,
  })
  const payments = await createPayments({
    db,
    clock,
    sealer,
    feed,
    config,
    lockAccount: accounts.lockLimits,
    currencyOf: async (trx, userid) => (await accounts.getLimits(trx, userid)).currency,
    onPaymentNews: enqueueAttempt,
    onCardReady: async (trx, userid) =>
      retryOwed(trx, userid, accountNow(await accounts.getLimits(trx, userid), clock.now())),
  })
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

  const audit = createAudit({ db, clock, sealer, authenticate: accounts.authenticate })
  const ledger = createLedger({ db, clock, sealer })
  // Each is made of those before it: agents say to the intake what changed, clusters ask compute and agents.
  const intake = createIntake({ db, clock, config, sealer, catalog })
  const observe = createObserve({ db, clock, log, onMeasured: intake.onMeasured })
  const owner: typeof intake = {
    ...intake,
    async onTaskChange(trx, agent, task) {
      await intake.onTaskChange(trx, agent, task)
      await backups.onTaskChange(trx, agent, task)
    },
  }
  const agents = createAgents({ db, clock, sealer, listener, log, config, observe, owner })
  const compute = createCompute({
    config,
    log,
    catalog,
    folderId: {
      find: () => findFact(db, processFolderFact),
      keep: (id) => keepFact(db, processFolderFact, id),
    },
    hosts: {
      find: (instanceId) => agents.hosts.find(db, instanceId),
      requestRestart: (instanceId, bootId) => agents.hosts.requestRestart(db, instanceId, bootId),
      requestLeave: (instanceId) => agents.hosts.requestLeave(db, instanceId),
    },
  })
  // Before clusters, which order through it: what it asks of them is plain functions over their rows.
  const billing = createBilling({
    db,
    clock,
    sealer,
    catalog,
    accounts: {
      ...accounts,
      async putOnPlan(trx, userid, plan) {
        await accounts.putOnPlan(trx, userid, plan)
        await limits.forget(trx, userid)
      },
    },
    onCapSet: (trx, userid) => limits.forget(trx, userid),
    quotaOfPlan,
    meters: createMeters({ clock }),
    feed,
    mail,
    gateway: payments.gateway,
    config,
    wakeCluster,
    findOwnCluster,
    listClusterOwners,
    listOwnInstances,
    async findMethod(from, userid) {
      const [card] = await listCards(from, userid, payments.gateway.name)
      return card?.is_default ? { id: card.id, gateway: card.gateway } : null
    },
  })
  const limits = createTrafficLimits({
    db,
    clock,
    log,
    readRoom: billing.trafficRoom,
    onTurn: billing.lookAtUsage,
    listOwners,
    listLivingClusterIds,
  })
  // Each process sees a new catalogue by itself, the last one to see it last.
  catalog.onTaken(() => {
    limits.forgetAll().catch((error: unknown) => log.error({ err: error }, 'what plans let move was not asked again'))
  })
  const clusters = createClusters({
    db,
    clock,
    log,
    config,
    compute,
    agents,
    observe,
    enrollCommands: agents.enrollCommands,
    sealer,
    accounts,
    billing,
    // Whom it limits is seen with what moves next at an edge: we cannot cut what others carry.
    addTraffic: async (trx, at, bytes) => void (await limits.countIn(trx, at, bytes)),
  })
  const vault = createVault({
    db,
    clock,
    log,
    config,
    readQuota: billing.backupQuota,
    onDamaged: (trx, file) => publishChange(trx, { account: file.owner, topic: 'cluster', id: file.clusterId }),
  })
  const backups = createBackups({
    db,
    clock,
    config,
    agents,
    vault,
    listSnapshotFiles,
    usageOf,
    listOwnMasters,
    listClusterNames,
    lockAccount: accounts.lockLimits,
    async quotaOf(from, userid) {
      const { planLevel } = await accounts.getUser(from, userid)
      return (catalog.current().plans.find(({ level }) => level === planLevel)?.quotas.backupGB ?? 0) * 1e9
    },
  })
  const scrape = createScrape({
    db,
    clock,
    config,
    samples: observe.samples,
    listOwned: listNamedInstances,
    async readUsage(userid) {
      const usage = await billing.planUsage(userid)
      const toBytes = (gigabytes: number) => Math.round(gigabytes * 1e9)
      return usage.map(({ productType: product, used, quota }) => ({
        ...{ product, used: toBytes(used), quota: toBytes(quota) },
      }))
    },
    // Proofs come later.
    listBackups: async (userid) =>
      (await listLastCompleted(db, userid)).map((backup) => ({ ...backup, provedAt: null })),
  })
  const frps = frpsPlugin({
    log,
    tokenOf: clusters.frps.tokenOf,
    findLabel: (instanceId) => clusters.frps.findLabel(db, instanceId),
  })
  const edge = createEdge({
    db,
    clock,
    listener,
    log,
    config,
    peerProof: sealer.derive('edge to edge'),
    agents: {
      proveInstance: (authorization) => agents.proveInstance(db, authorization),
      listEnrolled: (instanceIds) => agents.listEnrolled(db, instanceIds),
    },
    async findRoute(host) {
      const route = await clusters.findRouteByHost(db, host)
      return route?.serving ? { ...route, ...(await limits.ofOwner(route.owner)) } : route
    },
    addTraffic: limits.count,
  })

  const credentials = createCredentials({ db, clock, sealer, config })
  const domains = createDomains({
    db,
    clock,
    config,
    ownDomains: [
      config.edgeDomain,
      ...config.nameDomains,
      ...dns.nameServers,
      new URL(config.publicUrl).hostname,
      new URL(config.chinaUrl).hostname,
    ],
    dns: { ...dns, setZone, removeZone },
    credentials,
    names: { lock: identity.lockNames, take: identity.takeName, release: identity.releaseNames },
    lockAccount: accounts.lockLimits,
    findNameOf: identity.findNameOf,
  })

  return {
    clock,
    catalog,
    listener,
    metrics,
    routes: [
      ...accounts.routes,
      ...audit.routes,
      ...agents.routes,
      ...clusters.routes,
      ...billing.routes,
      ...scrape.routes,
      ...createAlertRoutes({ db, getInstances: (viewer, clusterId) => getVisibleInstances(db, viewer, clusterId) }),
      ...payments.routes,
      ...backups.routes,
      ...domains.routes,
    ],
    plugins: [
      identity.plugin,
      credentials.plugin,
      accounts.plugin,
      mail.plugin,
      audit.plugin,
      agents.plugin,
      agents.enrollPlugin,
      frps,
      scrape.plugin,
      statementPlugin({ db, clock, accounts, sealer, config, authenticate: accounts.authenticate }),
      invoicePdfPlugin({ db, clock, accounts, config, authenticate: accounts.authenticate }),
      invoiceExportPlugin({ db, authenticate: accounts.authenticate }),
      ...payments.plugins,
    ],
    authenticate: accounts.authenticate,
    events,
    isOutboxShown: mail.isOutboxShown,
    jobs: [
      changesPrune({ db, clock }),
      requestKeysPrune({ db, clock }),
      failedJobsSweep({ db }),
      ...accounts.jobs,
      ...mail.jobs,
      ...audit.jobs,
      ...ledger.jobs,
      ...agents.jobs,
      ...observe.jobs,
      ...alertJobs({ db, clock, mail, listWatched: listWatchedInstances }),
      ...clusters.jobs,
      ...billing.jobs,
      ...payments.jobs,
      ...backups.jobs,
      ...domains.jobs,
      usageRead({
        db,
        clock,
        listMeteredInstances,
        listEnds,
        latestDisk: observe.samples.latest,
        listBackupLevels: listRepositoryLevels,
      }),
    ],
    clusters,
    agents,
    tellSamples: () => observe.samples.health(),
    edge,
    dns,
    vault,
  }
}
