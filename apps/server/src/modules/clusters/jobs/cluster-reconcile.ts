/**
 * Job cluster.reconcile: carries out what cluster-reconciler.ts decides, step by step, looking at the world anew before
 * each, until there is nothing to do now. Then it sets a timer or rests.
 *
 * Writers  one run at a time per cluster (cluster-locks.ts). A job that finds its cluster locked ends at once: what it
 *          was to look at is in the rows, and whoever holds the lock compares them once more after letting go.
 * Repeats  killed anywhere, the run is repeated from the start: it reads everything again.
 */
import type { Operation } from '@atoll/contract'
import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { type ComputeProvider, ProviderError } from '../../compute/index.ts'
import { type ClusterDeps, defaultDeadlines } from '../cluster-deps.ts'
import { createClusterLocks } from '../cluster-locks.ts'
import { backoffMs, decide, type ProviderView, peacefulMs, type Step, type World } from '../cluster-reconciler.ts'
import { type ClusterEvent, isEnded, isRefused, isTransitioning, transition } from '../cluster-state.ts'
import {
  endOperation,
  enqueueReconcile,
  findSnapshot,
  findVersionOf,
  getDeployment,
  insertOperation,
  lockRevision,
  reconcileJob,
  type Snapshot,
  saveAddress,
  saveBoot,
  saveChecked,
  saveFailure,
  saveMove,
  versionOf,
} from '../reconcile-store.ts'

/** A run ends after so many steps and asks for another, so that one cluster cannot hold a worker. */
const longestRun = 40
const pauseMs = 100

export function clusterReconcile(deps: ClusterDeps): Job {
  const locks = createClusterLocks(deps.db)
  return defineJob({
    name: reconcileJob,
    payload: z.object({ clusterId: z.string() }),
    async run({ clusterId }, { log, signal }) {
      let seen: string | undefined
      do {
        const ran = await locks.tryRun(clusterId, async () => {
          seen = await reconcile(deps, clusterId, log.child({ clusterId }), signal)
        })
        if (!ran) return
      } while (!signal.aborted && seen !== (await findVersionOf(deps.db, clusterId)))
    },
  })
}

/** Carries out steps until there is nothing to do now; gives the version of the rows that this was decided from. */
async function reconcile(
  deps: ClusterDeps,
  clusterId: string,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  let version: string | undefined
  let lastCall: string | undefined
  for (let count = 0; count < longestRun && !signal.aborted; count += 1) {
    const snapshot = await findSnapshot(deps.db, clusterId)
    version = snapshot && versionOf(snapshot)
    if (!snapshot || isEnded(snapshot.cluster.status)) return version
    const provider = deps.compute.provider(snapshot.cluster.cloud_name ?? '')
    const world = await look(deps, snapshot, provider, log)
    const step = decide(world)
    log.debug({ status: world.status, provider: world.provider.state, step }, 'a step was decided')
    if (step.kind === 'settled') {
      await rest(deps, snapshot)
      return version
    }
    if (step.kind === 'wait') {
      await waitFor(deps, snapshot, world, step.until)
      return version
    }
    if (step.kind === 'call' && provider) {
      // Asked for again although it just succeeded: the provider has not acted yet.
      if (step.call === lastCall) {
        await backOff(deps, snapshot, `${step.call} had no effect yet`)
        return version
      }
      lastCall = step.call
      const failure = await callProvider(deps, snapshot, provider, step, world)
      if (failure && !(await isParked(deps, snapshot, failure, log))) return version
    }
    if (step.kind === 'note') {
      await saveBoot(deps.db, snapshot.master, {
        bootBefore: world.agent?.bootId ?? null,
        restartFrom: step.restartFrom,
      })
    }
    if (step.kind === 'move') await applyEvent(deps, snapshot, step.event, null, world)
    if (step.kind === 'park') await applyEvent(deps, snapshot, 'failed', step.reason, world)
  }
  await enqueueReconcile(deps.db, clusterId, new Date(deps.clock.now().getTime() + pauseMs))
  return version
}

/** The world as it is now. A provider that cannot be asked makes its part unknown, nothing else. */
async function look(
  { db, clock, agents }: ClusterDeps,
  { cluster, master, operation }: Snapshot,
  provider: ComputeProvider | undefined,
  log: Log,
): Promise<World> {
  const [view, [agent]] = await Promise.all([
    inspect(provider, cluster.cloud_name, master.id, log),
    agents.listAgents(db, [master.id]),
  ])
  if (view.state === 'running' && view.address) await saveAddress(db, master, view.address)
  return {
    now: clock.now(),
    status: cluster.status,
    changedAt: cluster.changed_at,
    deadlineAt: operation?.deadline_at ?? null,
    failedCalls: cluster.failed_calls,
    lastFailure: cluster.last_failure,
    instance: {
      installTask: master.install_task,
      restartFrom: master.restart_from,
      bootBefore: master.boot_before,
      recoveries: master.recoveries,
    },
    provider: view,
    agent,
  }
}

async function inspect(
  provider: ComputeProvider | undefined,
  cloudName: string | null,
  instanceId: string,
  log: Log,
): Promise<ProviderView> {
  if (!provider) return { state: 'unknown', reason: `the catalogue no longer has the cloud "${cloudName}"` }
  try {
    return await provider.inspect(instanceId)
  } catch (error) {
    log.warn({ err: error, provider: provider.name }, 'a provider could not be asked')
    return { state: 'unknown', reason: messageOf(error) }
  }
}

/** Makes one call; gives the error when it failed. What must be known after a crash is written before. */
async function callProvider(
  deps: ClusterDeps,
  { cluster, master }: Snapshot,
  provider: ComputeProvider,
  step: Extract<Step, { kind: 'call' }>,
  world: World,
): Promise<{ error: unknown } | undefined> {
  const version = findVersion(deps, cluster.version)
  if (step.call === 'create' && !version) {
    const message = `The catalogue no longer has version ${cluster.version}`
    return { error: new ProviderError(message, { retryable: false }) }
  }
  const boots = step.call === 'create' || step.call === 'start'
  if (boots) await saveBoot(deps.db, master, { bootBefore: world.agent?.bootId ?? null, recovers: step.recovers })
  // A new instance enrols; one that died before it ever reported may need a token that is still good.
  const enrols = step.call === 'create' || (boots && !world.agent?.bootId)
  const enrollToken = enrols ? await prepareInstall(deps, { cluster, master }, world) : ''
  try {
    switch (step.call) {
      case 'create':
        await provider.ensureInstance({
          instanceId: master.id,
          clusterId: cluster.id,
          deployment: await getDeployment(deps.db),
          cpuCoreCount: master.cpu_core_count,
          memoryMiB: master.memory_mib,
          diskMiB: master.disk_mib,
          image: version?.image ?? '',
          enrollToken,
          controlUrl: deps.config.controlUrl,
        })
        break
      case 'start':
        await provider.start(master.id)
        break
      case 'stop':
        await provider.stop(master.id)
        break
      case 'restart':
        await provider.restart(master.id, master.restart_from ?? '')
        break
      case 'destroy':
        await provider.destroy(master.id)
        break
    }
    return undefined
  } catch (error) {
    return { error }
  }
}

function findVersion({ compute }: ClusterDeps, version: string | null) {
  return compute.catalog.versions.find((candidate) => candidate.version === version)
}

/** The instance's enrolment token, with the install wished for, so that the agent hears of it when it first connects. */
async function prepareInstall(
  deps: ClusterDeps,
  { cluster, master }: Pick<Snapshot, 'cluster' | 'master'>,
  { provider, agent }: World,
): Promise<string> {
  const place = { instanceId: master.id, clusterId: cluster.id }
  return await deps.db.transaction().execute(async (trx) => {
    // The files of the agent that reported are gone, its own token with them: the next one is another agent.
    if (provider.state === 'absent' && agent?.bootId) await deps.agents.forgetAgents(trx, [master.id])
    const token = await deps.agents.issueEnrollToken(trx, place)
    const version = findVersion(deps, cluster.version)
    if (version) {
      const install = { taskId: master.install_task, version: version.version, steps: version.steps }
      await deps.agents.requestInstall(trx, { instanceId: master.id, ...install })
    }
    return token
  })
}

/** Applies an event to the row as it was read; somebody who was faster is left alone and the world looked at again. */
async function applyEvent(
  { db, clock, agents, deadlines }: ClusterDeps,
  { cluster, master, operation }: Snapshot,
  event: ClusterEvent,
  error: string | null,
  world: Pick<World, 'now' | 'changedAt'>,
): Promise<void> {
  const to = transition(cluster, event)
  if (isRefused(to)) throw new Error(`The status ${to.status} does not accept ${to.refused}`)
  await db.transaction().execute(async (trx) => {
    const at = clock.now()
    // Before the instance's row, as whoever stores an agent's report locks them: the other order would deadlock.
    if (isEnded(to.status) && (await lockRevision(trx, cluster))) await agents.forgetAgents(trx, [master.id])
    if (!(await saveMove(trx, cluster, { to, at, error }))) return
    if (!isTransitioning(to.status)) await endOperation(trx, cluster.id, { error, at })
    else if (!operation) {
      const kind = operationFor(event)
      await insertOperation(trx, cluster, { kind, at, deadlineMs: { ...defaultDeadlines, ...deadlines }[kind] })
    }
    const hasPeace = event === 'lost' && world.now.getTime() - world.changedAt.getTime() > peacefulMs
    const isDone = event === 'installed' || event === 'stopped' || event === 'restarted'
    if (hasPeace || isDone) {
      await trx
        .updateTable('instances')
        .set({ recoveries: 0, restart_from: null })
        .where('id', '=', master.id)
        .execute()
    }
    if (isEnded(to.status)) {
      await trx.updateTable('instances').set({ host: null, port: null }).where('id', '=', master.id).execute()
    }
  })
}

/** Under which name a change that nobody asked for is shown. */
function operationFor(event: ClusterEvent): Operation['kind'] {
  return event === 'lost' ? 'start' : 'create'
}

/** After a failed call: false when the run ends with a timer, true when the failure was final and is now the status. */
async function isParked(
  deps: ClusterDeps,
  snapshot: Snapshot,
  { error }: { error: unknown },
  log: Log,
): Promise<boolean> {
  const { cluster } = snapshot
  const isFinal = error instanceof ProviderError && !error.retryable
  log.warn({ err: error, status: cluster.status, isFinal }, 'a provider call failed')
  if (!isFinal || isRefused(transition(cluster, 'failed'))) {
    await backOff(deps, snapshot, messageOf(error))
    return false
  }
  await applyEvent(deps, snapshot, 'failed', messageOf(error), { now: deps.clock.now(), changedAt: cluster.changed_at })
  return true
}

async function backOff(deps: ClusterDeps, { cluster, operation }: Snapshot, message: string): Promise<void> {
  const now = deps.clock.now()
  await saveFailure(deps.db, cluster, message, now)
  const next = new Date(now.getTime() + backoffMs(cluster.failed_calls + 1))
  const deadline = operation?.deadline_at
  await enqueueReconcile(deps.db, cluster.id, deadline && deadline < next ? deadline : next)
}

async function waitFor({ db, clock }: ClusterDeps, { cluster }: Snapshot, world: World, until: Date): Promise<void> {
  if (world.provider.state === 'unknown') await saveFailure(db, cluster, world.provider.reason, clock.now())
  else await saveChecked(db, cluster, clock.now())
  await enqueueReconcile(db, cluster.id, until)
}

/** Nothing to do. An operation left open by a crash between two versions of this code would never end: it ends here. */
async function rest({ db, clock }: ClusterDeps, { cluster, operation }: Snapshot): Promise<void> {
  await saveChecked(db, cluster, clock.now())
  if (!operation || isTransitioning(cluster.status)) return
  await db.transaction().execute((trx) => endOperation(trx, cluster.id, { error: cluster.error, at: clock.now() }))
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\.+$/, '')
}
