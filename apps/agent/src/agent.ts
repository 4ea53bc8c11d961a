/**
 * The agent put together: home, personal server, install, link. `main.ts` runs it; tests start it in their process.
 */
import { randomUUID } from 'node:crypto'
import { type AgentCommand, type AgentState, agentProtocol, restoreStep } from '@atoll/contract/agents'
import { createActivation } from './activation/activation.ts'
import { openBackups } from './backup/backups.ts'
import { createBackupSource } from './backup/browse/backup-source.ts'
import { type AgentConfig, readConfig } from './config.ts'
import { openDrive } from './drive/drive.ts'
import { exitCodes, Fatal } from './fatal.ts'
import { forget, openHome, removeLeftovers } from './home/home.ts'
import { lockHome } from './home/lock.ts'
import { lastPort, writeRunFile } from './home/run-file.ts'
import { openStateStore } from './home/state-store.ts'
import { watchHome } from './home/watch-home.ts'
import { backupRoutes } from './http/backup-routes.ts'
import { driveRoutes } from './http/drive-routes.ts'
import { sendJson } from './http/exchange.ts'
import { listen, type PersonalServer } from './http/personal-server.ts'
import { HttpProblem } from './http/problem.ts'
import { createRouter } from './http/router.ts'
import { checkSameOrigin } from './http/same-origin.ts'
import { serverRoutes } from './http/server-routes.ts'
import { openSessions } from './http/sessions.ts'
import { sendPage } from './http/web-pages.ts'
import { createInstaller, type Step } from './install/installer.ts'
import { webFolder } from './install/release.ts'
import { installSteps } from './install/steps/index.ts'
import { type Channel, openChannel } from './link/channel.ts'
import { type Enrolled, enroll } from './link/enroll.ts'
import { loadIdentity } from './link/identity.ts'
import { trustSystemCertificates } from './link/system-certificates.ts'
import { createTrueClock } from './link/true-clock.ts'
import { createLog, describeError, type Log } from './log.ts'
import { createNetwork, type Network } from './network/network.ts'
import { readMachine } from './observe/machine.ts'
import { createObserver } from './observe/observe.ts'
import { watchWorkloads } from './observe/workloads.ts'
import { controlTasks } from './tasks/control-tasks.ts'
import { createDrain } from './tasks/drain.ts'
import { taskFile } from './tasks/task-file.ts'
import { openTaskRunner } from './tasks/task-runner.ts'
import { agentVersion } from './version.ts'

/** Answers under way may finish for this long when the agent is asked to stop, ms. */
const stopGraceMs = 3000

export interface Agent {
  port: number
  bootId: string
  /** Resolves when the agent is enrolled and keeps its channel; rejects with `Fatal` when it never will. */
  linked: Promise<void>
  /** Rejects with `Fatal` when the agent's folder is gone; never resolves. */
  lost: Promise<never>
  /** Resolves with the exit code when the control plane wants this process to end. */
  dismissed: Promise<number>
  stop(): Promise<void>
}

export async function startAgent(
  config: AgentConfig,
  { log, steps = installSteps }: { log: Log; steps?: Readonly<Record<string, Step>> },
): Promise<Agent> {
  trustSystemCertificates(config.controlUrl)
  const home = await openHome(config.home)
  const lock = await lockHome(home.folder)
  const bootId = randomUUID()
  const stopping = new AbortController()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined) // for whoever does not ask
  const stopWatching = await watchHome(home.folder, () =>
    lost.reject(new Fatal('home', `the folder ${home.folder} is gone`)),
  )
  const leftovers = await removeLeftovers(home)
  if (leftovers > 0) log.warn('agent', `${leftovers} half-written files of an earlier run removed`)
  let channel: Channel | undefined
  // A share of a machine says nothing of the whole.
  const isShare = config.size.memoryBytes !== undefined
  const [backups, store, identity, sessions, preferredPort] = await Promise.all([
    openBackups({
      ...{ home, resticPath: config.resticPath, mayReseal: isShare },
      onChange: () => channel?.reportState(),
    }),
    openStateStore(home),
    loadIdentity(home),
    openSessions(home),
    config.port || lastPort(home),
  ])
  const drive = await openDrive({
    ...{ root: home.drive, uploads: home.uploads, quotaBytes: config.size.diskBytes },
    isStopped: () => store.current.config?.storageStopped ?? false,
  })
  const clock = createTrueClock(log)
  const activation = createActivation({ store, agentToken: identity.token, log, now: clock.now })

  const dismissed = Promise.withResolvers<number>()
  const machine = isShare ? undefined : await readMachine(home.folder, config.controlUrl)

  let network: Network | undefined
  let leaving: Promise<void> | undefined
  let clusterId = identity.clusterId ?? undefined
  let enrolledAs: Enrolled | undefined
  let server: PersonalServer | undefined
  const draining = createDrain()
  const observer = await createObserver({
    size: config.size,
    isContainer: config.isContainer,
    folder: home.folder,
    space: drive.space,
    traffic: () => sumTraffic(server?.traffic(), network?.traffic()),
  })
  const workloads = await watchWorkloads({
    drive: home.drive,
    scriptFolder: home.script,
    install: () => store.current.install,
    network: () => network?.state,
    now: clock.now,
    onChange: () => channel?.reportState(),
  })
  const router = createRouter({
    log,
    routes: {
      ...serverRoutes({ store, activation, sessions, bootId, now: clock.now }),
      ...driveRoutes(drive),
      ...backupRoutes(
        backups.openFiles({
          source: createBackupSource({ controlUrl: config.controlUrl, enrolled: () => enrolledAs }),
          drive,
          onDefect: (error) => log.error('backup', `not put back: ${describeError(error)}`),
        }),
      ),
      'GET /api/observe': async ({ res }) => {
        const metrics = await observer.measure()
        sendJson(res, 200, { metrics, upMs: Math.round(process.uptime() * 1000), connected: channel?.isOpen ?? false })
      },
    },
    page: (exchange) => sendPage(webFolder, exchange),
    guard(key, { req, res }) {
      const isRead = key.startsWith('GET ')
      if (!isRead && !key.endsWith(' /api/activation/approve')) checkSameOrigin(req)
      const needsSession = [' /api/drive/', ' /api/backups', ' /api/observe'].some((path) => key.includes(path))
      if (needsSession && sessions.find(req) === undefined) throw new HttpProblem(401, 'signedOut', 'Sign in first.')
      draining.admit(res, !isRead)
    },
  })
  server = await listen(router, config.host, preferredPort)
  const { port } = server
  await writeRunFile(home, { pid: process.pid, port, bootId })
  log.info(
    'agent',
    `listening on ${config.host}:${port}, boot ${bootId}, ${Math.round(process.uptime() * 1000)} ms after start`,
  )

  const installer = createInstaller({
    store,
    log,
    steps: { ...steps, [restoreStep]: backups.awaitDrive },
    context: { home, drive, host: config.host, port, bootId },
  })
  store.onChange(() => channel?.reportState())
  installer.resume()
  const tasks = await openTaskRunner({
    kinds: [...controlTasks({ draining, activation, bootId, restart, leave }), ...backups.tasks(drive)],
    file: taskFile(home.tasks),
    log,
    onChange: () => channel?.reportState(),
    onProgress: (taskId, progress) => channel?.sayProgress(taskId, progress),
  })

  backups.start()

  async function link(): Promise<void> {
    const enrolled = await enroll(identity, { config, home, log, signal: stopping.signal }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    if (!enrolled || stopping.signal.aborted || !server) return
    clusterId = enrolled.clusterId
    enrolledAs = enrolled
    network = createNetwork({
      enrolled,
      server,
      folder: home.folder,
      directPort: config.directPort,
      log,
      onChange: () => channel?.reportState(),
    })
    // The last received config: visitors get through while the control plane is away.
    void network.apply(store.current.config?.proxy)
    channel = openChannel({
      controlUrl: config.controlUrl,
      enrolled,
      log,
      readState,
      measure: () => observer.measure(),
      onCommand,
    })
    tasks.resume()
  }

  function readState(): AgentState {
    return {
      type: 'state',
      protocol: agentProtocol,
      agentVersion,
      bootId,
      port,
      install: store.current.install,
      osActive: store.current.account !== null,
      oneTimePassword: activation.oneTimePassword(),
      tasks: tasks.reports(),
      drainedTask: draining.finishedTask,
      rotatedTask: store.current.rotatedTask,
      workloads: workloads.list(),
      restic: backups.resticVersion(),
      backupKey: backups.publicKey,
      mayReseal: backups.mayReseal,
      ...(clusterId && { clusterId }),
      ...(machine && { machine }),
      ...(network?.state && { network: network.state }),
    }
  }

  function onCommand(command: AgentCommand): void {
    const done = obey(command)
    done.catch((error: unknown) => log.error('link', `${command.type} was not carried out: ${describeError(error)}`))
  }

  async function obey(command: AgentCommand): Promise<void> {
    switch (command.type) {
      case 'install':
        return await installer.accept(command)
      case 'config': {
        const { type: _type, now, ...next } = command
        clock.correct(now)
        if (JSON.stringify(next) !== JSON.stringify(store.current.config)) await store.update({ config: next })
        return await network?.apply(next.proxy)
      }
      case 'task':
      case 'cancel':
      case 'taskSeen':
        return tasks.obey(command)
      // From here on: of a control plane without tasks.
      case 'rotate':
        return await activation.rotate(command.taskId)
      case 'drain':
        await draining.begin(command.taskId)
        return channel?.reportState()
      case 'restart':
        return command.bootId === bootId ? restart() : undefined
      case 'leave':
        return await leave(command.wipe)
    }
  }

  function restart(): void {
    log.info('link', 'the control plane asked for a restart')
    dismissed.resolve(exitCodes.restart)
  }

  /** Once, however often it is asked. */
  function leave(wipe: boolean): Promise<void> {
    leaving ??= forgetAll(wipe).catch((error: unknown) => {
      log.error('link', `leaving was cut short; the next start goes on: ${describeError(error)}`)
      dismissed.resolve(exitCodes.restart)
    })
    return leaving
  }

  /**
   * The owner gave the cluster up: forgets who it was, and with `wipe` everything. Begun again after a crash it waits
   * for the channel, so that the control plane gets its `left`.
   */
  async function forgetAll(wipe: boolean): Promise<void> {
    log.warn('link', wipe ? 'told to leave and to delete everything' : 'told to leave; the files stay')
    await channel?.whenOpen()
    stopWatching()
    await tasks.stop()
    await network?.close()
    await installer.stop()
    await forget(home, wipe)
    await channel?.sayLeft()
    dismissed.resolve(exitCodes.left)
  }

  return {
    port,
    bootId,
    linked: link(),
    lost: lost.promise,
    dismissed: dismissed.promise,
    async stop() {
      stopping.abort()
      stopWatching()
      workloads.stop()
      backups.stop()
      await Promise.all([
        channel?.close(),
        tasks.stop(),
        installer.stop(),
        network?.close(),
        server?.close(stopGraceMs),
      ])
      lock.release()
    },
  }
}

function sumTraffic(...parts: ({ in: number; out: number } | undefined)[]): { in: number; out: number } {
  return parts.reduce<{ in: number; out: number }>(
    (sum, part) => ({ in: sum.in + (part?.in ?? 0), out: sum.out + (part?.out ?? 0) }),
    { in: 0, out: 0 },
  )
}

/** Runs until a signal or a fatal fault, then sets the exit code (`fatal.ts`). */
export async function runAgent(): Promise<void> {
  const log = createLog()
  process.on('uncaughtException', (error) => {
    log.error('agent', `defect: ${error.stack ?? describeError(error)}`)
    process.exit(exitCodes.unexpected)
  })
  try {
    const agent = await startAgent(readConfig(process.env), { log })
    const stopped = Promise.withResolvers<void>()
    let exitCode: number = exitCodes.ok
    void agent.dismissed.then((code) => {
      exitCode = code
      agent.stop().then(stopped.resolve, stopped.reject)
    })
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        log.info('agent', `${signal}: stopping`)
        agent.stop().then(stopped.resolve, stopped.reject)
      })
    }
    const whenLinkFails = agent.linked.then(() => stopped.promise)
    await Promise.race([whenLinkFails, stopped.promise, agent.lost])
    log.info('agent', 'stopped')
    process.exit(exitCode)
  } catch (error) {
    log.error('agent', error instanceof Fatal ? error.message : `cannot go on: ${describeError(error)}`)
    process.exit(error instanceof Fatal ? error.exitCode : exitCodes.unexpected)
  }
}
