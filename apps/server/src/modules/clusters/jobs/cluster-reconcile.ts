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
import { backoffMs, decide, type ProviderView, peacefulMs, type World } from '../cluster-reconciler.ts'
import { type ClusterEvent, isEnded, isRefused, isTransitioning, transition } from '../cluster-state.ts'
import { callProvider } from '../provider-calls.ts'
import {
  endOperation,
  enqueueReconcile,
  findSnapshot,
  findVersionOf,
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
      try {
        await callProvider(deps, provider, snapshot, step, world)
      } catch (error) {
        log.warn({ err: error, status: world.status, call: step.call }, 'a provider call failed')
        if (!isFinal(error, snapshot)) {
          await backOff(deps, snapshot, messageOf(error))
          return version
        }
        await applyEvent(deps, snapshot, 'failed', messageOf(error))
      }
    }
    if (step.kind === 'note') {
      await saveBoot(deps.db, snapshot.master, {
        bootBefore: world.agent?.bootId ?? null,
        restartFrom: step.restartFrom,
      })
    }
    if (step.kind === 'move') await applyEvent(deps, snapshot, step.event, null)
    if (step.kind === 'park') await applyEvent(deps, snapshot, 'failed', step.reason)
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

/** Applies an event to the row as it was read; somebody who was faster is left alone and the world looked at again. */
async function applyEvent(
  { db, clock, agents, deadlines }: ClusterDeps,
  { cluster, master, operation }: Snapshot,
  event: ClusterEvent,
  error: string | null,
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
    const hasPeace = event === 'lost' && at.getTime() - cluster.changed_at.getTime() > peacefulMs
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

/** Whether asking again will not help, and the status can say so. */
function isFinal(error: unknown, { cluster }: Snapshot): boolean {
  return error instanceof ProviderError && !error.retryable && !isRefused(transition(cluster, 'failed'))
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

/** In words for the owner: a driver's own words, and nothing of errors that nobody worded for people. */
function messageOf(error: unknown): string {
  if (!(error instanceof ProviderError)) return 'an unexpected error, which the log of the server describes'
  return error.message.replace(/\.+$/, '')
}
