/**
 * Services on this instance: the agent's own and those that the operator's script reports. The install and the network
 * are known at each moment; files and the script's list are checked every few seconds.
 */
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentState, ownWorkloads, Workload, WorkloadState } from '@atoll/contract/agents'
import { describeError } from '../kernel/log.ts'
import { readHostFile } from './host-file.ts'
import { hostFileName, type ReportedWorkload, readWorkloadFile, workloadFileName } from './workload-file.ts'

/** A service that died is reported within twice this. ms */
const checkEveryMs = 4000

export interface WorkloadsOptions {
  /** Where the owner's files are. */
  drive: string
  /** `ATOLL_HOME` of the operator's script. */
  scriptFolder: string
  install(): AgentState['install']
  network(): AgentState['network']
  /** ms */
  now(): number
  /** A workload changed, or the names that are registered. */
  onChange(): void
  checkEveryMs?: number
}

export interface WorkloadWatch {
  list(): Workload[]
  /** Names below its own host that the script registers. */
  hosts(): string[]
  stop(): void
}

/** Begins to observe; the first observation is there when it resolves. */
export async function watchWorkloads(options: WorkloadsOptions): Promise<WorkloadWatch> {
  /** Since when each is in its state. */
  const known = new Map<string, { state: WorkloadState; since: string }>()
  let observed: ReportedWorkload[] = []
  let hosts: string[] = []

  async function observe(): Promise<void> {
    const [files, listed, named] = await Promise.all([
      checkFiles(options.drive),
      readWorkloadFile(join(options.scriptFolder, workloadFileName)),
      readHostFile(join(options.scriptFolder, hostFileName)),
    ])
    const next = [files, ...listed, ...(named.broken ? [named.broken] : [])]
    if (JSON.stringify([next, named.hosts]) === JSON.stringify([observed, hosts])) return
    observed = next
    // While the file cannot be read, the last names hold: half a list would end the certificates of the rest.
    if (!named.broken) hosts = named.hosts
    options.onChange()
  }

  function list(): Workload[] {
    const [files, ...listed] = observed
    const network = options.network()
    const now: ReportedWorkload[] = [
      own('server', installStates[options.install().state], options.install().reason),
      ...(files ? [files] : []),
      ...(network ? [own('network', networkStates[network.state], network.reason)] : []),
      ...listed,
    ]
    for (const name of known.keys()) if (!now.some((one) => one.name === name)) known.delete(name)
    return now.map((one) => {
      const before = known.get(one.name)
      const since = before?.state === one.state ? before.since : new Date(options.now()).toISOString()
      known.set(one.name, { state: one.state, since })
      return { ...one, since }
    })
  }

  await observe()
  // `observe` never fails, and runs once at a time: a disk that hangs is not asked again meanwhile.
  let isObserving = false
  const timer = setInterval(async () => {
    if (isObserving) return
    isObserving = true
    await observe()
    isObserving = false
  }, options.checkEveryMs ?? checkEveryMs)
  timer.unref()
  return { list, hosts: () => hosts, stop: () => clearInterval(timer) }
}

const installStates = { waiting: 'Scheduling', running: 'Progressing', done: 'Completed', failed: 'Failed' } as const
const networkStates = {
  connecting: 'Progressing',
  connected: 'Completed',
  missing: 'Failed',
  failed: 'Failed',
} as const

function own(name: (typeof ownWorkloads)[number], state: WorkloadState, reason: string | null): ReportedWorkload {
  return { name, state, ready: state === 'Completed' ? 1 : 0, wanted: 1, reason: reason?.slice(0, 300) ?? null }
}

/** Whether the owner's files can be read and written. */
async function checkFiles(drive: string): Promise<ReportedWorkload> {
  try {
    await access(drive, constants.R_OK | constants.W_OK | constants.X_OK)
    return own('files', 'Completed', null)
  } catch (error) {
    return own('files', 'Failed', `The folder of the files cannot be used: ${describeError(error)}.`)
  }
}
