/**
 * Job cluster.reconcile: the reconciler of clusters, an item for each of their instances. `decide.ts` decides; here
 * what was decided is applied, by one provider call or one transaction each.
 */
import type { Reason } from '@atoll/contract/api'
import type { Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import { defineReconciler, type ItemContext, type Outcome } from '../../../platform/reconcile/index.ts'
import { ProviderError } from '../../compute/index.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { decide } from '../decide/decide.ts'
import { callBackoffMs, recheckMs, type Step } from '../decide/facts.ts'
import { isMoneyEvent } from '../decide/money.ts'
import { applyDrained, applyEvent, applyPlaced, endLeftOpen } from '../events/instance-events.ts'
import { applyMoneyEvent } from '../events/money-events.ts'
import { noteAttempt } from '../instances/attempt-store.ts'
import { clearFailures, saveAddress, saveBoot, saveFailure, saveMissing } from '../instances/instance-store.ts'
import { findSnapshot, reconcileJob, type Snapshot, saveChecked, versionOf } from '../instances/reconcile-store.ts'
import { isEnded, isRefused, transition } from '../lifecycle/cluster-state.ts'
import { operationOf } from '../operations/operation-store.ts'
import { failureReason, type Observation, observe, providerOf } from './observe.ts'
import { callProvider } from './provider-calls.ts'

/** The lock classes in use: platform/reconcile/reconcile-locks.ts. */
const lockClass = 7003

export function clusterReconcile(deps: ClusterDeps): Job {
  const { db, clock } = deps
  return defineReconciler({
    name: reconcileJob,
    lane: 'own',
    waits: 'never',
    lockClass,
    db,
    clock,
    load: (clusterId) => findSnapshot(db, clusterId),
    isEnded: ({ cluster }: Snapshot) => isEnded(cluster.status),
    versionOf,
    observe: (snapshot, log) => observe(deps, snapshot, log),
    decide: ({ facts }: Observation) => decide(facts),
    apply: (snapshot, observation, step, context) => applyStep(deps, snapshot, observation, step, context),
    rested: (snapshot) => saveChecked(db, snapshot, clock.now()),
  })
}

async function applyStep(
  deps: ClusterDeps,
  snapshot: Snapshot,
  observation: Observation,
  step: Step,
  context: ItemContext,
): Promise<Outcome> {
  const { instance, facts, address } = observation
  if (address) await saveAddress(deps.db, instance, address)
  switch (step.kind) {
    case 'settled':
      if (facts.provider.state !== 'unknown') await clearFailures(deps.db, instance, null)
      await endLeftOpen(deps, snapshot, instance)
      return { kind: 'rests' }
    case 'wait':
      if (facts.provider.state === 'unknown') await saveFailure(deps.db, instance, facts.provider.reason)
      else await clearFailures(deps.db, instance, step.because)
      return { kind: 'wait', until: step.until }
    case 'call':
      return { ...(await makeCall(deps, snapshot, observation, step, context)), call: step.call }
    case 'note':
      await saveBoot(deps.db, instance, { previousBootId: facts.agent?.bootId ?? null, restartFrom: step.restartFrom })
      return { kind: 'stepped' }
    case 'placed':
      await applyPlaced(deps, instance, step.isMoved)
      return { kind: 'stepped' }
    case 'drained':
      await applyDrained(deps, snapshot, instance, step.inTime)
      return { kind: 'stepped' }
    case 'observed':
      await deps.db.transaction().execute((trx) => saveMissing(trx, instance, step.missing))
      return { kind: 'stepped' }
    case 'move':
      if (isMoneyEvent(step.event)) {
        const isApplied = await applyMoneyEvent(deps, snapshot, instance, step.event)
        return isApplied ? { kind: 'stepped' } : { kind: 'wait', until: new Date(facts.now.getTime() + recheckMs) }
      }
      await applyEvent(deps, snapshot, instance, step.event, null)
      return { kind: 'stepped' }
    case 'park':
      await applyEvent(deps, snapshot, instance, step.event, step.reason)
      return { kind: 'stepped' }
  }
}

async function makeCall(
  deps: ClusterDeps,
  snapshot: Snapshot,
  { instance, facts }: Observation,
  step: Extract<Step, { kind: 'call' }>,
  { previousCall, log }: { previousCall: string | undefined; log: Log },
): Promise<Outcome> {
  const provider = providerOf(deps, snapshot)
  // The provider was asked a moment ago for `facts`; without one it would have been unknown, and nothing called.
  if (!provider) throw new Error(`A call was decided for ${instance.id}, which has no provider`)
  const began = deps.clock.now()
  const note = (reason: Reason) =>
    noteAttempt(deps.db, {
      instanceId: instance.id,
      call: step.call,
      at: began,
      reason,
      tookMs: deps.clock.now().getTime() - began.getTime(),
    })
  const backOff = async (reason: Reason): Promise<Outcome> => {
    await saveFailure(deps.db, instance, reason)
    const next = new Date(deps.clock.now().getTime() + callBackoffMs(instance.failed_calls + 1))
    const deadline = operationOf(snapshot.operations, instance)?.deadline_at
    return { kind: 'wait', until: deadline && deadline < next ? deadline : next }
  }
  // Asked for again although it just succeeded: the provider has not acted yet.
  if (step.call === previousCall) return await backOff({ key: 'noEffectYet' })
  try {
    await callProvider(deps, provider, { cluster: snapshot.cluster, instance: instance, facts }, step)
  } catch (error) {
    log.warn({ err: error, instance: instance.id, status: facts.status, call: step.call }, 'a provider call failed')
    const fails = step.call !== 'move' && !isRefused(transition(instance, 'failed'))
    const isFinal = error instanceof ProviderError && !error.retryable && fails
    const reason = failureReason(error, { isFinal })
    await note(reason)
    if (!isFinal) return await backOff(reason)
    await applyEvent(deps, snapshot, instance, 'failed', reason)
  }
  return { kind: 'stepped' }
}
