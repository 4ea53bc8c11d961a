/**
 * Job cluster.reconcile: carries out what decide.ts decides for each machine of a cluster, step by step and
 * machines side by side, looking at the world anew before each round, until there is nothing to do now. Then it sets a
 * timer or rests.
 *
 * Writers  one run at a time per cluster (cluster-locks.ts). Whoever holds the lock compares the rows once more after
 *          letting go. What a provider did by itself is in no row: a job that finds its cluster locked asks for another
 *          look, since the one under way may have been taken before.
 * Repeats  killed anywhere, the run is repeated from the start: it reads everything again.
 */
import type { Reason } from '@atoll/contract'
import { z } from 'zod'
import { defineJob, type Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { createClusterLocks } from '../../../platform/reconcile/reconcile-locks.ts'
import { ProviderError } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { applyDrained, applyEvent, endLeftOpen } from '../instances/instance-events.ts'
import { saveBoot, saveCalm, saveFailure, saveSight } from '../instances/instance-store.ts'
import { isEnded, isRefused, transition } from '../lifecycle/cluster-state.ts'
import { operationOf } from '../operations/operation-store.ts'
import { decide } from './decide.ts'
import { failureReason, look, providerOf, type Sight } from './observe.ts'
import { callProvider } from './provider-calls.ts'
import {
  enqueueAgain,
  enqueueReconcile,
  findSnapshot,
  findVersionOf,
  reconcileJob,
  type Snapshot,
  saveChecked,
  versionOf,
} from './reconcile-store.ts'
import { backoffMs, type ProviderCall, type Step } from './world.ts'

/** A run ends after so many rounds and asks for another, so that one cluster cannot hold a worker. */
const longestRun = 60
const pauseMs = 100
/** From a look that found somebody else at it to the next one. ms */
const againMs = 500

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
        if (!ran) return await enqueueAgain(deps.db, clusterId, new Date(deps.clock.now().getTime() + againMs))
      } while (!signal.aborted && seen !== (await findVersionOf(deps.db, clusterId)))
    },
  })
}

/** What a run remembers of a machine. */
interface Memory {
  lastCall?: ProviderCall
  /** A call failed or had no effect: it is left alone until then. */
  until?: Date
}
/** A machine took a step, is to be looked at again at a moment, or rests. */
type Outcome = 'stepped' | Date | 'rests'

/** Carries out steps until there is nothing to do now; gives the version of the rows that this was decided from. */
async function reconcile(
  deps: ClusterDeps,
  clusterId: string,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  const memories = new Map<string, Memory>()
  let version: string | undefined
  for (let round = 0; round < longestRun && !signal.aborted; round += 1) {
    const snapshot = await findSnapshot(deps.db, clusterId)
    version = snapshot && versionOf(snapshot)
    if (!snapshot || isEnded(snapshot.cluster.status)) return version
    const sights = await look(deps, snapshot, log)
    const outcomes = await Promise.all(
      sights.map((sight) => {
        const memory = memories.get(sight.machine.id) ?? {}
        memories.set(sight.machine.id, memory)
        return takeStep(deps, snapshot, sight, memory, log)
      }),
    )
    if (outcomes.includes('stepped')) continue
    await saveChecked(deps.db, snapshot, deps.clock.now())
    const [next] = outcomes.filter((outcome) => outcome instanceof Date).sort((a, b) => a.getTime() - b.getTime())
    if (next) await enqueueReconcile(deps.db, clusterId, next)
    return version
  }
  await enqueueReconcile(deps.db, clusterId, new Date(deps.clock.now().getTime() + pauseMs))
  return version
}

async function takeStep(
  deps: ClusterDeps,
  snapshot: Snapshot,
  { machine, world }: Sight,
  memory: Memory,
  log: Log,
): Promise<Outcome> {
  if (memory.until && memory.until > world.now) return memory.until
  const step = decide(world)
  log.debug({ machine: machine.id, status: world.status, provider: world.provider.state, step }, 'a step was decided')
  if (step.kind !== 'call') delete memory.lastCall
  switch (step.kind) {
    case 'settled':
      if (world.provider.state !== 'unknown') await saveCalm(deps.db, machine, null)
      await endLeftOpen(deps, snapshot, machine)
      return 'rests'
    case 'wait':
      if (world.provider.state === 'unknown') await saveFailure(deps.db, machine, world.provider.reason)
      else await saveCalm(deps.db, machine, step.because)
      memory.until = step.until
      return step.until
    case 'call':
      return await makeCall(deps, snapshot, { machine, world }, step, memory, log)
    case 'note':
      await saveBoot(deps.db, machine, { bootBefore: world.agent?.bootId ?? null, restartFrom: step.restartFrom })
      return 'stepped'
    case 'drained':
      await applyDrained(deps, snapshot, machine, step.inTime)
      return 'stepped'
    case 'sight':
      await deps.db.transaction().execute((trx) => saveSight(trx, machine, step.missing))
      return 'stepped'
    case 'move':
      await applyEvent(deps, snapshot, machine, step.event, null)
      return 'stepped'
    case 'park':
      await applyEvent(deps, snapshot, machine, step.event, step.reason)
      return 'stepped'
  }
}

async function makeCall(
  deps: ClusterDeps,
  snapshot: Snapshot,
  { machine, world }: Sight,
  step: Extract<Step, { kind: 'call' }>,
  memory: Memory,
  log: Log,
): Promise<Outcome> {
  const provider = providerOf(deps, snapshot)
  // The provider was asked a moment ago for `world`; without one it would have been unknown, and nothing called.
  if (!provider) throw new Error(`A call was decided for ${machine.id}, which has no provider`)
  const backOff = async (reason: Reason): Promise<Outcome> => {
    await saveFailure(deps.db, machine, reason)
    const next = new Date(deps.clock.now().getTime() + backoffMs(machine.failed_calls + 1))
    const deadline = operationOf(snapshot.operations, machine)?.deadline_at
    memory.until = deadline && deadline < next ? deadline : next
    return memory.until
  }
  // Asked for again although it just succeeded: the provider has not acted yet.
  if (step.call === memory.lastCall) return await backOff({ key: 'noEffectYet' })
  memory.lastCall = step.call
  try {
    await callProvider(deps, provider, { cluster: snapshot.cluster, machine, world }, step)
  } catch (error) {
    log.warn({ err: error, machine: machine.id, status: world.status, call: step.call }, 'a provider call failed')
    const isFinal = error instanceof ProviderError && !error.retryable && !isRefused(transition(machine, 'failed'))
    const reason = failureReason(error, { isFinal })
    if (!isFinal) return await backOff(reason)
    await applyEvent(deps, snapshot, machine, 'failed', reason)
  }
  return 'stepped'
}
