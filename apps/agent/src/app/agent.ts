/**
 * The agent put together: home, personal server, install, link. `main.ts` runs it; tests start it in their process.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type AgentCommand, type AgentState, agentProtocol, restoreStep } from '@atoll/contract/agents'
import { createActivation } from '../activation/activation.ts'
import { openBackups } from '../backup/backups.ts'
import { createBackupSource } from '../backup/browse/backup-source.ts'
import { openDav } from '../dav/open-dav.ts'
import { openDrive } from '../drive/drive.ts'
import type { Step } from '../drive/install-step.ts'
import { openPartialUploads } from '../drive/partial-uploads.ts'
import { putBackSetAside } from '../drive/set-aside.ts'
import { backupRoutes } from '../http/backup-routes.ts'
import { driveRoutes } from '../http/drive-routes.ts'
import { sendJson } from '../http/exchange.ts'
import { createOwnerPassword } from '../http/owner-password.ts'
import { listen, type PersonalServer } from '../http/personal-server.ts'
import { createRouter } from '../http/router.ts'
import { serverRoutes } from '../http/server-routes.ts'
import { openSessions } from '../http/sessions.ts'
import { uploadRoutes } from '../http/upload-routes.ts'
import { sendPage } from '../http/web-pages.ts'
import { createInstaller } from '../install/installer.ts'
import { webFolder } from '../install/release.ts'
import { installSteps } from '../install/steps/index.ts'
import type { AgentConfig } from '../kernel/config.ts'
import { exitCodes, Fatal } from '../kernel/fatal.ts'
import { hideHome, openHome, removeLeftovers } from '../kernel/home.ts'
import { lockHome } from '../kernel/lock.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { lastRun, writeRunFile } from '../kernel/run-file.ts'
import { openStateStore } from '../kernel/state-store.ts'
import { agentVersion } from '../kernel/version.ts'
import { watchHome } from '../kernel/watch-home.ts'
import { knownAddresses } from '../link/addresses.ts'
import { type Channel, openChannel } from '../link/channel.ts'
import { canEnroll, type Enrolled, enroll } from '../link/enroll.ts'
import { loadIdentity } from '../link/identity.ts'
import { createStanding, refusalTexts } from '../link/standing.ts'
import { trustSystemCertificates } from '../link/system-certificates.ts'
import { createTrueClock } from '../link/true-clock.ts'
import { createNetwork, type Network } from '../network/network.ts'
import { readMachine } from '../observe/machine.ts'
import { createObserver } from '../observe/observe.ts'
import { watchWorkloads } from '../observe/workloads.ts'
import { createDrain } from '../tasks/drain.ts'
import { taskFile } from '../tasks/task-file.ts'
import { openTaskRunner } from '../tasks/task-runner.ts'
import { openUpdates } from '../update/updates.ts'
import { controlTasks } from './control-tasks.ts'
import { createGuard } from './guard.ts'
import { createLeaving } from './leaving.ts'

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
  lost.promise.catch(() => undefined) // for callers that do not await it
  const stopWatching = await watchHome(home.folder, () =>
    lost.reject(new Fatal('home', `the folder ${home.folder} is gone`)),
  )
  await putBackSetAside({ root: home.drive, uploads: home.uploads })
  const leftovers = await removeLeftovers(home)
  if (leftovers > 0) log.warn('agent', `${leftovers} half-written files of an earlier run removed`)
  let channel: Channel | undefined
  const dismissed = Promise.withResolvers<number>()
  // A share of a machine says nothing of the whole.
  const isShare = config.size.memoryBytes !== undefined
  const [backups, store, identity, last, updates] = await Promise.all([
    openBackups({
      home,
      resticPath: config.resticPath,
      mayReseal: isShare,
      onChange: () => channel?.reportState(),
      onDefect: (what, error) => log.error('backup', `${what}: ${describeError(error)}`),
    }),
    openStateStore(home),
    loadIdentity(home),
    lastRun(home),
    openUpdates({
      home,
      controlUrl: () => addresses.current(),
      log,
      untilQuiet: (signal) => tasks.holdLane('restic', signal),
      restart: () => dismissed.resolve(exitCodes.otherProgram),
    }),
  ])
  const sessions = await openSessions({ home, log, store })
  const addresses = knownAddresses(() => store.current.config?.controlUrls, config.controlUrl)
  for (const address of addresses.list()) trustSystemCertificates(address)
  const boot = { id: bootId, previous: last?.bootId ?? null, hostName: hostname() }
  const drive = await openDrive({
    root: home.drive,
    uploads: home.uploads,
    quotaBytes: config.size.diskBytes,
    isStopped: () => store.current.config?.storageStopped ?? false,
  })
  const partialUploads = await openPartialUploads(home.partial, drive)
  const clock = createTrueClock(log)
  const activation = createActivation({ store, agentToken: identity.token, log, now: clock.now })

  const machine = isShare ? undefined : await readMachine(home.folder, config.controlUrl)

  let network: Network | undefined
  let clusterId = identity.clusterId ?? undefined
  let enrolledAs: Enrolled | undefined
  let server: PersonalServer | undefined
  const draining = createDrain()
  const standing = createStanding({ store, home, log, onRefused: () => void network?.apply(undefined) })
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
  const backupFiles = backups.openFiles({
    source: createBackupSource({ controlUrl: addresses.current, enrolled: () => enrolledAs }),
    drive,
    onDefect: (error) => log.error('backup', `not put back: ${describeError(error)}`),
  })
  const ownerPassword = createOwnerPassword({ store, history: sessions.history })
  const dav = await openDav({
    home,
    log,
    drive,
    store,
    history: sessions.history,
    ownerPassword,
    admit: (res, changes) => {
      standing.check()
      draining.admit(res, changes)
    },
  })
  const router = createRouter({
    log,
    routes: {
      ...serverRoutes({ store, activation, sessions, ownerPassword, bootId, now: clock.now }),
      ...driveRoutes(drive, dav.locks),
      ...uploadRoutes(partialUploads, dav.locks),
      ...dav.routes,
      ...backupRoutes(backupFiles),
      'GET /api/observe': async ({ res }) => {
        const metrics = await observer.measure()
        sendJson(res, 200, { metrics, upMs: Math.round(process.uptime() * 1000), connected: channel?.isOpen ?? false })
      },
    },
    dav: dav.answer,
    page: (exchange) => sendPage(webFolder, exchange),
    guard: createGuard({ standing, sessions, draining }),
  })
  server = await listen(router, config.host, config.port || (last?.port ?? 0))
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
  const leave = createLeaving({
    home,
    log,
    channel: () => channel,
    async stop() {
      stopWatching()
      await tasks.stop()
      await network?.close()
      await installer.stop()
    },
    dismiss: dismissed.resolve,
  })
  const tasks = await openTaskRunner({
    kinds: [
      ...controlTasks({ draining, activation, bootId, restart, leave }),
      ...updates.tasks,
      ...backups.tasks(drive, backupFiles),
    ],
    file: taskFile(home.tasks),
    log,
    hide: (text) => hideHome(home, text),
    onChange: () => channel?.reportState(),
    onProgress: (taskId, progress) => channel?.sayProgress(taskId, progress),
  })

  backups.start()

  async function link(): Promise<void> {
    // Refused for good, it waits for a new command, and its page says why.
    if (standing.refusal && !(await canEnroll(identity, config)))
      return log.error('link', refusalTexts[standing.refusal])
    const enrolled = await enroll(identity, { config, home, log, signal: stopping.signal }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    if (!enrolled || stopping.signal.aborted || !server) return
    clusterId = enrolled.clusterId
    enrolledAs = enrolled
    network = createNetwork({
      enrolled,
      boot,
      server,
      folder: home.folder,
      directPort: config.directPort,
      log,
      onRefused: standing.refused,
      onChange: () => channel?.reportState(),
    })
    // The last received config: visitors get through while the control plane is away.
    if (!standing.refusal) void network.apply(store.current.config?.proxy)
    channel = openChannel({
      addresses: addresses.list,
      onReached: addresses.reached,
      enrolled,
      boot,
      log,
      readState,
      measure: () => observer.measure(),
      onCommand,
      onRefused: standing.refused,
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
      workloads: workloads.list(),
      hosts: workloads.hosts(),
      restic: backups.resticVersion(),
      backupKey: backups.publicKey,
      mayReseal: backups.mayReseal,
      program: updates.program(),
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
        await updates.confirm()
        await standing.accepted()
        if (JSON.stringify(next) !== JSON.stringify(store.current.config)) {
          const [before] = addresses.list()
          await store.update({ config: next })
          const [best] = addresses.list()
          trustSystemCertificates(best)
          // Where the new one does not answer, the old one is dialled, and goes on being the one in use.
          if (best !== before) channel?.redial()
        }
        return await network?.apply(next.proxy)
      }
      case 'task':
      case 'cancel':
      case 'taskSeen':
        return tasks.obey(command)
    }
  }

  function restart(): void {
    log.info('link', 'the control plane asked for a restart')
    dismissed.resolve(exitCodes.restart)
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
      partialUploads.stop()
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
