import { compose, type System } from '../composition/compose.ts'
import type { Config } from '../config.ts'
import { createConsoleApp, createOperationsApp, createWalletApp } from '../http/app.ts'
import {
  databaseCheck,
  findUnready,
  mayBeReached,
  migrationsCheck,
  pagesCheck,
  type ReadinessCheck,
  withinTime,
} from '../http/operations/operations.ts'
import { describeCareful, listDoubts } from '../platform/careful/index.ts'
import { checkQueue, startHeartbeat } from '../platform/heartbeat/index.ts'
import { type RunningWorker, startWorker } from '../platform/jobs/index.ts'
import type { Log } from '../platform/log.ts'
import { isLoopback } from '../platform/network-of.ts'
import { OperatorError } from '../platform/operator-error.ts'
import type { Role } from '../platform/settings/platform-settings.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { readinessOf } from './readiness.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'
import { dnsSocketsOf, readGivenSockets, type SocketName } from './systemd.ts'

/** A port that somebody else has. The message names it and the setting that changes it. */
class PortTaken extends OperatorError {
  override name = 'PortTaken'
}

/** Node sets its own on a socket that is given, 511. */
const givenBacklog = 4096

export interface RunningServer {
  /** Lines for the person who started it: where what it serves can be opened. */
  addresses: string[]
  /** True when everything stopped in time and without an error. */
  stop(): Promise<boolean>
}

/**
 * Starts the roles of `config`. Each started part is added to the shutdown at once, so a start that fails half-way
 * leaves nothing behind: it is stopped before the error is rethrown.
 */
export async function startRoles(config: Config, log: Log): Promise<RunningServer> {
  const shutdown = createShutdown({ deadlineMs: config.shutdownMs, log })
  try {
    const database = await openDatabase(config, log)
    shutdown.add('postgres', database.stopServer)
    shutdown.add('database pool', database.close)
    const system = await compose(config, database, log)
    shutdown.add('listener', system.listener.close)
    shutdown.add('catalogue', system.catalog.stop)
    const has = (role: Role) => config.roles.includes(role)

    // Before an order can come: its invoice has a number that was given already where this database was restored.
    if (has('worker') || has('api')) await system.raiseDoubts()
    if (has('worker') || has('vault')) {
      await system.clockWatch.start()
      shutdown.add('clock watch', system.clockWatch.stop)
    }
    let worker: RunningWorker | undefined
    shutdown.add('worker', async () => worker?.stop())
    if (!has('api')) {
      // Agents are held by api processes; any process may notice that one of those died.
      const sweep = system.agents.startSweep()
      shutdown.add('agent sweep', sweep.stop)
    }
    const workerCheck: ReadinessCheck = async () => (worker?.running() ? undefined : 'not running')
    const heartbeat = await startHeartbeat({
      db: database.db,
      clock: system.clock,
      log,
      roles: config.roles,
      keyIds: system.keyIds,
      withQueue: has('worker'),
      folder: has('vault') ? config.vaultDir : config.dataDir,
    })
    shutdown.add('heartbeat', heartbeat.stop)
    const checks = {
      heartbeat: heartbeat.check,
      // Those that ask the queue for nothing do not depend on it.
      ...(has('worker') && { worker: workerCheck, queue: () => checkQueue(database.db) }),
    }
    const findProblem = await startServers({ config, log, system, database, shutdown, checks })
    if (has('worker') || has('api')) {
      const alarms = system.startAlarms()
      shutdown.add('alarms', async () => alarms?.stop())
    }
    if (has('api')) {
      const attention = system.startAttention()
      shutdown.add('attention', attention.stop)
      const ping = system.startPing(findProblem)
      shutdown.add('heartbeat for others', async () => ping?.stop())
    }
    if (has('worker') || has('api')) await system.askSources()
    // After the servers: the first jobs start instances, which call the api at once.
    if (has('worker')) {
      worker = await startJobs(config, system, database, log)
      system.clockWatch.onSetBack(worker.startOver)
      await system.wantOwnCertificates()
      // Instances may have ended together with the machine.
      await system.clusters.resume(database.db)
      const watch = system.clusters.watchProviders()
      shutdown.add('provider watch', watch.stop)
    }
    return { addresses: addressesOf(config), stop: shutdown.run }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

async function startJobs(config: Config, system: System, database: OpenDatabase, log: Log): Promise<RunningWorker> {
  const careful = await describeCareful(database.db)
  if (careful) log.warn({ careful }, 'this deployment is careful')
  return await startWorker({
    connection: database.connection,
    jobs: system.jobs,
    log,
    concurrency: config.workerConcurrency,
    onFinished: system.metrics.jobFinished,
    beforeRun: system.clockWatch.look,
  })
}

interface ServersOptions {
  config: Config
  log: Log
  system: System
  database: OpenDatabase
  shutdown: Shutdown
  /** Conditions of this process in addition to those of every process. */
  checks: Record<string, ReadinessCheck>
}

/** Answers how to ask what keeps this process from being ready. */
async function startServers({
  config,
  log,
  system,
  database,
  shutdown,
  ...more
}: ServersOptions): Promise<ReadinessCheck> {
  const isApi = config.roles.includes('api')
  const isPublic = isApi && !isLoopback(new URL(config.publicUrl).hostname)
  if (isPublic && config.payments.gateway === 'sandbox') {
    log.warn('cards are charged by the sandbox, which moves no money: strangers can have everything for nothing')
  }
  let isListening = false
  const readiness = readinessOf(config.roles, {
    database: databaseCheck(database.pool),
    migrations: migrationsCheck(database.pool),
    listener: async () => (system.listener.connected() ? undefined : 'not connected'),
    ...more.checks,
  })
  const checks: Record<string, ReadinessCheck> = {
    ...readiness.checks,
    ...(isApi && { pages: pagesCheck(['console', 'wallet']) }),
    // A rolling restart waits for this before it stops the next process, and relies on every port of this one.
    ports: async () => (isListening ? undefined : 'not all listened on'),
  }
  // Once, though the wallet's port answers for them too.
  const bounded = Object.entries(checks).map(([name, check]) => [name, () => withinTime(check)] as const)
  system.metrics.addChecks(Object.fromEntries(bounded))
  const details: Record<string, ReadinessCheck> = {
    ...readiness.details,
    sweep: () => system.clusters.describePausedSweep(database.db),
    samples: system.describeSamples,
    vault: () => system.vault.describeRoom(),
    nameServers: system.describeNameServers,
    careful: () => describeCareful(database.db),
    waiting: async () => {
      const doubts = await listDoubts(database.db)
      const waited = doubts.filter(({ about }) => about !== 'careful')
      return waited.length === 0 ? undefined : waited.map(({ about, why }) => `${about}: ${why}`).join('; ')
    },
  }
  const base = {
    config,
    log,
    clock: system.clock,
    operations: {
      metrics: system.metrics,
      checks,
      details,
      metricsToken: () => config.metricsToken,
      isPublic: mayBeReached(config, isApi),
    },
  }

  const main = isApi
    ? await createConsoleApp({ ...base, ...system })
    : // Probes and metrics of a worker or an edge, at the address where an api would answer.
      await createOperationsApp(base)
  shutdown.add('requests', () => main.close())
  // Before the requests: streams never end unless they are closed.
  shutdown.add('event streams', async () => system.events.closeAll())
  const wallet = isApi ? await createWalletApp(base) : undefined
  if (wallet) shutdown.add('wallet', () => wallet.close())

  const { host } = config
  const given = readGivenSockets(process.env, process.pid)
  const placeOf = (name: SocketName, port: number) => {
    const [fd] = given.get(name) ?? []
    return fd === undefined ? port : { fd }
  }
  const appPlaceOf = (name: SocketName, port: number) => {
    const place = placeOf(name, port)
    return typeof place === 'number' ? { host, port } : { ...place, backlog: givenBacklog }
  }
  await listenOn({ host, port: config.port, setting: 'ATOLL_PORT' }, () => main.listen(appPlaceOf('api', config.port)))
  await listenOn({ host, port: config.walletPort, setting: 'ATOLL_WALLET_PORT' }, async () =>
    wallet?.listen(appPlaceOf('wallet', config.walletPort)),
  )
  if (answersDns(config)) {
    shutdown.add('name server', () => system.dns.close())
    await listenOn({ host, port: config.dnsPort, setting: 'ATOLL_DNS_PORT' }, () =>
      system.dns.listen(dnsSocketsOf(given) ?? config.dnsPort),
    )
  }
  if (config.roles.includes('vault')) {
    shutdown.add('vault', () => system.vault.close())
    await listenOn({ host, port: config.vaultPort, setting: 'ATOLL_VAULT_PORT' }, () =>
      system.vault.listen(placeOf('vault', config.vaultPort)),
    )
  }
  if (config.roles.includes('edge')) {
    shutdown.add('edge', () => system.edge.close())
    await listenOn({ host, port: config.edgePort, setting: 'ATOLL_EDGE_PORT' }, () =>
      system.edge.listen(placeOf('edge', config.edgePort)),
    )
    const { edgeTlsPort } = config
    if (edgeTlsPort !== undefined)
      await listenOn({ host, port: edgeTlsPort, setting: 'ATOLL_EDGE_TLS_PORT' }, () =>
        system.edge.listenTls(placeOf('edge-tls', edgeTlsPort)),
      )
  }
  isListening = true
  return () => findUnready(checks)
}

/** Without name servers nobody can delegate a domain; with PowerDNS, PowerDNS answers. */
const answersDns = (config: Config) =>
  config.roles.includes('dns') && config.nameServers.length > 0 && config.powerDns === undefined

function addressesOf(config: Config): string[] {
  const lines: string[] = []
  if (config.roles.includes('api')) lines.push(`Console: ${config.publicUrl}`, `Wallet: ${config.walletUrl}`)
  if (config.roles.includes('edge')) lines.push(`Clusters: ${config.clusterUrl('<name>')}`)
  if (config.roles.includes('vault')) lines.push(`Backups: ${config.vaultUrl}`)
  if (answersDns(config)) lines.push(`Name server: ${config.host}:${config.dnsPort}, UDP and TCP`)
  return lines
}

/** Listens by `listen`; a port that is taken or not allowed is reported in one sentence that names `setting`. */
async function listenOn(
  { host, port, setting }: { host: string; port: number; setting: string },
  listen: () => Promise<unknown>,
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const choose = `Choose another port with ${setting}.`
    if (code === 'EADDRINUSE')
      throw new PortTaken(`Port ${port} on ${host} is already in use. ${choose}`, { cause: error })
    if (code === 'EACCES')
      throw new PortTaken(`Port ${port} on ${host} may not be used by this user. ${choose}`, { cause: error })
    throw error
  }
}
