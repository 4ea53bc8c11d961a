/** The steps of bringing a cluster up, from its status and install log: what the segments and the stepper draw. */
import { type ClusterStatus, InstallLog, type InstallStep, type Resource } from '@atoll/contract/clusters'

/** A step before it has words. `ms` is how long it took, or takes until now; null when that is not known. */
export interface ProgressStep {
  key: string
  state: InstallStep['state']
  ms: number | null
}

/** Statuses under which a cluster is being made. */
const making: ClusterStatus[] = ['fetching', 'queuing', 'pending', 'installing', 'restoring']

export function isBeingMade(cluster: Pick<Resource, 'status'>): boolean {
  return making.includes(cluster.status)
}

/** A self-hosted cluster whose host has not appeared yet: no hardware is reported. */
export function isAwaitingHost(cluster: Pick<Resource, 'status' | 'clusterType' | 'cpuCoreCount'>): boolean {
  const { status, clusterType, cpuCoreCount } = cluster
  return clusterType === 'SelfHost' && cpuCoreCount === 0 && (isBeingMade(cluster) || status === 'errored')
}

/** Reads `Resource.installLog`; a text that is none is an empty log. */
export function parseInstallLog(text: string): InstallLog {
  try {
    return InstallLog.safeParse(JSON.parse(text)).data ?? []
  } catch {
    return []
  }
}

/**
 * `machine`, the time until the agent began, then the log's own steps; before there is a log one `install` stands for
 * them.
 */
export function progressSteps(
  cluster: Pick<Resource, 'status' | 'createAt'>,
  log: InstallLog,
  now: number,
): ProgressStep[] {
  const firstStart = log.find(({ startedAt }) => startedAt !== null)?.startedAt ?? null
  const begun = firstStart !== null || log.some(({ state }) => state !== 'pending')
  const machine: ProgressStep = {
    key: 'machine',
    state:
      begun || !isBeforeInstall(cluster.status)
        ? begun || cluster.status !== 'errored'
          ? 'done'
          : 'failed'
        : 'running',
    ms: machineMs(cluster.createAt, firstStart, isBeforeInstall(cluster.status) ? now : null),
  }
  // The step at which the cluster stopped does not go on, whatever its log says last.
  const hasFailed = cluster.status === 'errored' || cluster.status === 'restore_error'
  const steps = log.map(({ step, state, startedAt, endedAt }) => ({
    key: step,
    state: hasFailed && state === 'running' ? ('failed' as const) : state,
    ms:
      startedAt === null || (hasFailed && endedAt === null)
        ? null
        : Math.max(0, (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt)),
  }))
  return [machine, ...(steps.length > 0 ? steps : [{ key: 'install', state: 'pending' as const, ms: null }])]
}

function isBeforeInstall(status: ClusterStatus): boolean {
  return status === 'fetching' || status === 'queuing' || status === 'pending'
}

/** After a retry the time since the order says nothing about this start, so a long one is left out. */
const plausibleMs = 30 * 60_000

function machineMs(createAt: string, firstStart: string | null, now: number | null): number | null {
  const end = firstStart ? Date.parse(firstStart) : now
  if (end === null) return null
  const ms = end - Date.parse(createAt)
  return ms >= 0 && ms < plausibleMs ? ms : null
}

/** All lines in the order they were written. */
export function logLines(log: InstallLog): string[] {
  return log.flatMap(({ lines }) => lines)
}
