import { compose, type System } from '../composition/compose.ts'
import type { Config } from '../config.ts'
import { createConsoleApp, createOperationsApp, createWalletApp } from '../http/app.ts'
import { databaseCheck, migrationsCheck, pagesCheck, type ReadinessCheck } from '../http/operations/operations.ts'
import { findCareful } from '../platform/careful.ts'
import { type RunningWorker, startWorker } from '../platform/jobs/index.ts'
import type { Log } from '../platform/log.ts'
import { isLoopback } from '../platform/network-of.ts'
import type { Role } from '../platform/settings/platform-settings.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { listenOn } from './listen.ts'
import { createShutdown, type Shutdown } from './shutdown.ts'

export interface RunningServer {
  /** Lines for the person who started it: where what it serves can be opened. */
  addresses: string[]
  /** True when everything stopped in time and without an error. */
  stop(): Promise<boolean>
}

/**
 * Starts the roles of `config`. What was started is added to the shutdown at once, so a start that fails half-way
 * leaves nothing behind: it is stopped before the error is thrown on.
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

    let worker: RunningWorker | undefined
    shutdown.add('worker', async () => worker?.stop())
    if (!has('api')) {
      // Agents are held by api processes; any process may notice that one of those died.
      const sweep = system.agents.startSweep()
      shutdown.add('agent sweep', sweep.stop)
    }
    const workerCheck: ReadinessCheck = async () => (worker?.running() ? undefined : 'not running')
    const checks = has('worker') ? { worker: workerCheck } : {}
    await startServers({ config, log, system, database, shutdown, checks })
    // After the servers: the first jobs start instances, which call the api at once.
    if (has('worker')) {
      worker = await startJobs(config, system, database, log)
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
  const since = await findCareful(database.db)
  if (since !== undefined) {
    log.warn(
      { since },
      'this deployment was restored: no money moves and strays are only listed until npm run admin -- resume',
    )
  }
  return await startWorker({
    connection: database.connection,
    jobs: since === undefined ? system.jobs : system.jobs.filter(({ name }) => !system.moneyJobs.has(name)),
    log,
    concurrency: config.workerConcurrency,
    onFinished: system.metrics.jobFinished,
  })
}

interface ServersOptions {
  config: Config
  log: Log
  system: System
  database: OpenDatabase
  shutdown: Shutdown
  /** What must hold in this process besides what every process needs. */
  checks: Record<string, ReadinessCheck>
}

async function startServers({ config, log, system, database, shutdown, ...more }: ServersOptions): Promise<void> {
  const isApi = config.roles.includes('api')
  const isPublic = isApi && !isLoopback(new URL(config.publicUrl).hostname)
  if (isPublic && config.payments.gateway === 'sandbox') {
    log.warn('cards are charged by the sandbox, which moves no money: strangers can have everything for nothing')
  }
  let isListening = false
  const checks: Record<string, ReadinessCheck> = {
    database: databaseCheck(database.pool),
    migrations: migrationsCheck(database.pool),
    ...(isApi && { pages: pagesCheck(['console', 'wallet']) }),
    listener: async () => (system.listener.connected() ? undefined : 'not connected'),
    // Who waits for this before the next process is stopped relies on every port of this one.
    ports: async () => (isListening ? undefined : 'not all listened on'),
    ...more.checks,
  }
  const details: Record<string, ReadinessCheck> = {
    sweep: () => system.clusters.describePausedSweep(database.db),
    samples: system.describeSamples,
    careful: async () => {
      const since = await findCareful(database.db)
      return since && `restored ${since}: no money moves and strays are only listed until npm run admin -- resume`
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
      metricsToken: config.metricsToken,
      // The port of a worker or an edge is for probes alone.
      isPublic,
    },
  }

  const main = isApi
    ? await createConsoleApp({ ...base, ...system })
    : // Probes and metrics of a worker or an edge, at the address where an api would answer.
      await createOperationsApp(base)
  shutdown.add('requests', () => main.close())
  // Before the requests: streams never end by themselves.
  shutdown.add('event streams', async () => system.events.closeAll())
  const wallet = isApi ? await createWalletApp(base) : undefined
  if (wallet) shutdown.add('wallet', () => wallet.close())

  const { host } = config
  await listenOn({ host, port: config.port, setting: 'ATOLL_PORT' }, () => main.listen({ host, port: config.port }))
  await listenOn({ host, port: config.walletPort, setting: 'ATOLL_WALLET_PORT' }, async () =>
    wallet?.listen({ host, port: config.walletPort }),
  )
  if (answersDns(config)) {
    shutdown.add('name server', () => system.dns.close())
    await listenOn({ host, port: config.dnsPort, setting: 'ATOLL_DNS_PORT' }, () => system.dns.listen(config.dnsPort))
  }
  if (config.roles.includes('vault')) {
    shutdown.add('vault', () => system.vault.close())
    await listenOn({ host, port: config.vaultPort, setting: 'ATOLL_VAULT_PORT' }, () =>
      system.vault.listen(config.vaultPort),
    )
  }
  if (config.roles.includes('edge')) {
    shutdown.add('edge', () => system.edge.close())
    await listenOn({ host, port: config.edgePort, setting: 'ATOLL_EDGE_PORT' }, () =>
      system.edge.listen(config.edgePort),
    )
    const { edgeTlsPort } = config
    if (edgeTlsPort !== undefined)
      await listenOn({ host, port: edgeTlsPort, setting: 'ATOLL_EDGE_TLS_PORT' }, () =>
        system.edge.listenTls(edgeTlsPort),
      )
  }
  isListening = true
}

/** Without name servers nobody can delegate a domain; PowerDNS answers by itself. */
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
