/**
 * Compute driver `process`: an instance is an agent process on this machine with a folder of its own. It isolates
 * nothing; it is for development and for a single machine. Linux only: processes are known through /proc.
 *
 * It is safe to repeat and to kill at any moment: the desired state is written first (instance.json), processes follow
 * it (launch.ts), and no pid is trusted: a process counts as ours only when its start time and its environment (home
 * and mark) agree. Processes are detached and survive the control plane.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { availableParallelism, freemem, hostname, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { claimFile } from '../../../../platform/careful/index.ts'
import { ensureDataFolder } from '../../../../platform/data-folder/data-folder.ts'
import type { Log } from '../../../../platform/log.ts'
import {
  absent,
  type ComputeProvider,
  type InstanceSpec,
  type Observed,
  ProviderError,
} from '../../provider/compute-provider.ts'
import { createFolderGuard, type FolderId } from './folder-guard.ts'
import {
  hasCode,
  type InstanceRecord,
  instanceFolders,
  ProcessRecord,
  RunRecord,
  readInstanceRecord,
  readNote,
  replaceInstanceRecord,
} from './instance-folder.ts'
import { settleHome } from './instance-home.ts'
import { lastWords, openLog } from './instance-log.ts'
import type { InstancePlace } from './instance-place.ts'
import { findProcessesWith, isAlive, isStartedWith, measureProcess, type ProcessKey } from './process-table.ts'
import { checkoutRuntime } from './runtime-copy.ts'
import { spawnAgent } from './spawn-agent.ts'

export interface ProcessProviderOptions extends InstancePlace {
  log: Log
  /** Which folder the deployment's is; without it any is. */
  folderId?: FolderId
  /** The program of an instance; default: the agent of this checkout. */
  program?: string
  /** How long a process may take to end when it is stopped, ms; then it is killed. Default 5000. */
  graceMs?: number
}

/** The only image there is: the agent of this checkout. */
const processImage = 'agent'
/** How often /proc is asked about a process that is not our child: nothing announces its end. ms */
const probeMs = 20
/** How long a new process may take to note itself before it is left to a later check, ms. */
const bootWaitMs = 5000
const killWaitMs = 2000
const damagedReason = 'Its record on this machine is damaged.'

export function createProcessProvider(options: ProcessProviderOptions): ComputeProvider {
  if (process.platform !== 'linux') throw new Error('The compute driver "process" needs Linux')
  const { log, graceMs = 5000 } = options
  const fromCheckout = {
    ...checkoutRuntime(options.resticProgram),
    ...(options.program !== undefined && { program: options.program }),
  }
  const runtime = options.runtime ?? fromCheckout
  ensureDataFolder(options.dataDir)
  // Processes are found by this path in their environment: it must be the same however the folder was named.
  const dataDir = realpathSync(options.dataDir)
  const folders = instanceFolders(dataDir, { formerDir: options.formerDir, owner: runtime.user })
  const claims = claimFile(
    join(dataDir, 'deployment.json'),
    (message) => new ProviderError(message, { retryable: true }),
  )
  const { folderId } = options
  const requireFolder =
    folderId && createFolderGuard({ folder: dataDir, known: folderId, hasInstances: folders.hasAny, log })

  function variablesOf(home: string, record: InstanceRecord): string[] {
    return [homeVariable(home), `ATOLL_INSTANCE_MARK=${record.mark}`]
  }
  const homeVariable = (home: string) => `ATOLL_AGENT_HOME=${home}`

  /** The process that noted itself, while it is alive and provably ours. */
  async function findNoted(home: string, record: InstanceRecord): Promise<ProcessKey | undefined> {
    const noted = await readNote(join(home, 'process.json'), ProcessRecord)
    return noted && isStartedWith(noted, variablesOf(home, record)) ? noted : undefined
  }

  async function inspect(instanceId: string): Promise<Observed> {
    const home = folders.home(instanceId)
    const record = await readInstanceRecord(home)
    if (!record) {
      const isGone = !existsSync(home) && (await folders.listRemains(instanceId)).length === 0
      return isGone ? absent : { ...absent, state: 'failed', reason: 'Only remains of it are left.' }
    }
    if (record === 'damaged') return { ...absent, state: 'failed', reason: damagedReason }
    const noted = await findNoted(home, record)
    const key = noted ?? findProcessesWith(variablesOf(home, record))[0]
    if (!key) {
      if (record.wanted === 'stopped') return { ...absent, state: 'stopped' }
      return { ...absent, state: 'failed', reason: await lastWords(home) }
    }
    const incarnation = `${key.pid}:${key.startTime}`
    const run = await readNote(join(home, 'run.json'), RunRecord)
    if (run?.pid !== key.pid) return { state: 'starting', address: null, reason: null, incarnation }
    return { state: 'running', address: { host: '127.0.0.1', port: run.port }, reason: null, incarnation }
  }

  /** Resolves when the new process has noted itself, or has ended. */
  async function boot(instanceId: string, record: InstanceRecord): Promise<void> {
    const settled = await settleHome({ instanceId, folders, runtime, fromCheckout, log })
    const { home } = settled
    const output = await openLog(home)
    try {
      const child = spawnAgent({ instanceId, home, record, runtime: settled.runtime, output: output.fd })
      let ended = false
      await new Promise<void>((settle, reject) => {
        child.once('spawn', settle)
        child.once('error', reject)
      })
      child.once('exit', (code, signal) => {
        ended = true
        log.info({ instanceId, code, signal }, 'an instance process ended')
      })
      child.unref()
      await waitUntil(bootWaitMs, async () => ended || (await findNoted(home, record)) !== undefined)
    } finally {
      await output.close()
    }
  }

  async function isRunning(home: string, record: InstanceRecord): Promise<boolean> {
    return (await findNoted(home, record)) !== undefined || findProcessesWith(variablesOf(home, record)).length > 0
  }

  /** Ends every process started with `variables`, children too; they must not be able to come back by a record. */
  async function endProcesses(variables: readonly string[]): Promise<void> {
    for (const [signal, waitMs] of [
      ['SIGTERM', graceMs],
      ['SIGKILL', killWaitMs],
    ] as const) {
      const found = findProcessesWith(variables)
      signalAll(found, variables, signal)
      // Only those are watched: finding all of them reads the whole of /proc.
      await waitUntil(waitMs, async () => !found.some(isAlive))
      if (findProcessesWith(variables).length === 0) return
    }
    throw new ProviderError('Its processes did not end when killed', { retryable: true })
  }

  async function getRecord(instanceId: string): Promise<InstanceRecord> {
    const record = await readInstanceRecord(folders.home(instanceId))
    if (!record) throw new ProviderError('The instance does not exist on this machine', { retryable: false })
    if (record === 'damaged') throw new ProviderError(damagedReason, { retryable: false })
    return record
  }

  /** `work` in the folder with the instances. */
  const atHome = <T>(work: () => Promise<T>, { makes } = { makes: false }): Promise<T> =>
    explained(async () => {
      await requireFolder?.({ makes })
      return await work()
    })

  return {
    name: 'process',

    // One machine, whatever its clouds and regions are called.
    capacity: async () => {
      const { bsize, blocks, bfree, bavail } = await statfs(dataDir)
      const memory = totalmem()
      return [
        {
          member: hostname(),
          state: 'online',
          cpuCores: availableParallelism(),
          cpuBusy: loadavg()[1] ?? null,
          memory,
          memoryUsed: memory - freemem(),
          disk: bsize * (blocks - (bfree - bavail)),
          diskUsed: bsize * (blocks - bfree),
          instanceIds: [],
        },
      ]
    },

    ensureInstance: (spec) =>
      atHome(
        async () => {
          if (spec.image !== processImage) {
            throw new ProviderError(`This machine has no image "${spec.image}"`, { retryable: false })
          }
          const home = folders.home(spec.instanceId)
          const mine = newRecord(spec)
          const record = (await readInstanceRecord(home)) ?? (await folders.make(spec.instanceId, mine))
          if (record === 'damaged') throw new ProviderError(damagedReason, { retryable: false })
          // Without process.json no boot ever reached its program: an earlier call was interrupted. For a record that
          // was just created there is no need to search for processes.
          const isNew = record.mark === mine.mark
          const booted = !isNew && existsSync(join(home, 'process.json'))
          if (isNew || (record.wanted === 'running' && !booted && !(await isRunning(home, record)))) {
            await boot(spec.instanceId, record)
          }
        },
        { makes: true },
      ),

    inspect: (instanceId) => atHome(() => inspect(instanceId)),

    start: (instanceId) =>
      atHome(async () => {
        const home = folders.home(instanceId)
        const record = { ...(await getRecord(instanceId)), wanted: 'running' as const }
        await replaceInstanceRecord(home, record)
        if (!(await isRunning(home, record))) await boot(instanceId, record)
      }),

    stop: (instanceId) =>
      atHome(async () => {
        const home = folders.home(instanceId)
        const record = { ...(await getRecord(instanceId)), wanted: 'stopped' as const }
        await replaceInstanceRecord(home, record)
        await endProcesses(variablesOf(home, record))
      }),

    restart: (instanceId, from) =>
      atHome(async () => {
        const home = folders.home(instanceId)
        const record = await getRecord(instanceId)
        const { incarnation } = await inspect(instanceId)
        if (incarnation !== null && incarnation !== from) return
        await replaceInstanceRecord(home, { ...record, wanted: 'running' })
        if (incarnation === from) await endProcesses(variablesOf(home, record))
        await boot(instanceId, record)
      }),

    destroy: (instanceId) =>
      atHome(async () => {
        await folders.remove(instanceId)
        for (const remains of await folders.listRemains(instanceId)) {
          const record = await readInstanceRecord(remains)
          const home = folders.homeOf(remains)
          // Without a mark to go by, the path of the home has to do: it holds the instance's random id.
          if (record) await endProcesses(record === 'damaged' ? [homeVariable(home)] : variablesOf(home, record))
          await rm(remains, { recursive: true, force: true, maxRetries: 3 })
        }
      }),

    list: (deployment) => atHome(() => folders.listIds(deployment)),

    claims: {
      read: () => atHome(claims.read),
      write: (claim) => atHome(() => claims.write(claim)),
    },

    usage: (instanceId) =>
      atHome(async () => {
        const home = folders.home(instanceId)
        const record = await readInstanceRecord(home)
        const keys = record && record !== 'damaged' ? findProcessesWith(variablesOf(home, record)) : []
        if (keys.length === 0) return undefined
        const parts = keys.map(measureProcess)
        return {
          cpuSeconds: parts.reduce((sum, part) => sum + part.cpuSeconds, 0),
          memoryUsed: parts.reduce((sum, part) => sum + part.memoryUsed, 0),
        }
      }),
  }
}

function newRecord(spec: InstanceSpec): InstanceRecord {
  const { deployment, enrollToken, controlUrl, cpuCoreCount, memoryMiB, diskMiB } = spec
  const mark = randomBytes(24).toString('base64url')
  return { mark, deployment, wanted: 'running', enrollToken, controlUrl, cpuCoreCount, memoryMiB, diskMiB }
}

/** Looked at again right before the signal: the pid may have passed to another process since it was found. */
function signalAll(keys: readonly ProcessKey[], variables: readonly string[], signal: NodeJS.Signals): void {
  for (const key of keys) {
    if (!isStartedWith(key, variables)) continue
    try {
      process.kill(key.pid, signal)
    } catch (error) {
      if (!hasCode(error, 'ESRCH')) throw error
    }
  }
}

async function waitUntil(timeoutMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await delay(probeMs)
  }
  return true
}

/** Errors of the file system in words; a full or read-only disk is nothing that asking again would change. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
      throw new ProviderError('The disk of this machine is full', { retryable: false, cause: error })
    }
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
      throw new ProviderError('The folder with the instances cannot be written', { retryable: false, cause: error })
    }
    throw error
  }
}
