/**
 * Decides the next step of one instance, a master or a worker, from what is desired, what is known and what the world
 * shows. Pure; the job cluster.reconcile carries it out, one step at a time, and reads again after each.
 *
 * Inputs   the position (cluster-state.ts), what is desired, how it stands with billing (money.ts), the provider's and
 *          the agent's view, the deadline, and for a master its workers. A worker follows its cluster only by what is
 *          desired of it (`desiredStep`).
 * Steps    move (an event for the status machine) · call (one provider call) · note (remember what a restart leaves
 *          behind, before it is left) · placed (a move is over) · drained (its agent has finished, or was waited for
 *          long enough) · sight (the provider has it, or lacks it) · park (give up with a reason a person can act on) ·
 *          wait · settled.
 * Writers  nobody here; the job writes under the cluster's row lock, fenced by the instance's revision.
 * Repeats  every step may be repeated: calls are idempotent, a move that happened is not decided again, the others are
 *          only decided while they are missing. Level-driven: nothing depends on which event woke the reconciler.
 * Ends     every status that is not at rest has a deadline; past it an instance may still arrive, but no longer wait
 *          or try:
 *          it is parked. A removal that was parked is tried again every few minutes, since nobody wants its leftovers.
 * Unreachable is not failed: a provider or an agent that cannot be asked is waited for until the deadline.
 */
import type { Reason, ReasonKey } from '@atoll/contract/api'
import type { ClusterStatus } from '@atoll/contract/clusters'
import { isRefused, isRemoval, transition } from '../lifecycle/cluster-state.ts'
import { fetchStep, installStep, pendingStep, queueStep, restoreErrorStep, restoreStep } from './create.ts'
import type { Facts, Step } from './facts.ts'
import { moneyStep, waitingStep } from './money.ts'
import { offlineStep, restartStep, runningStep, startStep, stoppedStep, stopStep } from './power.ts'
import { confirmStep, drainStep, erroredStep, removeStep } from './removal.ts'
import { move, park, settled } from './step.ts'

/** The next step. Past its deadline an operation may still arrive, but no longer wait or try. */
export function decide(facts: Facts): Step {
  const step = facts.given_up
    ? givenUpStep(facts)
    : (observationStep(facts) ?? moneyStep(facts) ?? desiredStep(facts) ?? nextStep(facts))
  const isOpen = step.kind === 'wait' || step.kind === 'call' || step.kind === 'note'
  const isLate = facts.deadlineAt !== null && facts.now >= facts.deadlineAt
  // A status at rest cannot fail, even if an operation was left open.
  const canFail = !isRefused(transition(facts, 'failed'))
  if (isOpen && isLate && canFail) return park(lateReason(facts))
  return step
}

/** Nobody brings back what was given up: only what destroys it, or holds it for its bill, goes on. */
function givenUpStep(facts: Facts): Step {
  const asked = moneyStep(facts) ?? (facts.desired === 'destroyed' ? desiredStep(facts) : undefined)
  if (asked) return asked
  const goesOn = isRemoval(facts.status) || isRemoval(facts.resume_stack.at(-1)) || isInterrupted.has(facts.status)
  return goesOn ? nextStep(facts) : settled
}
const isInterrupted: ReadonlySet<ClusterStatus> = new Set(['waiting_destroy', 'destroy_to_be_confirmed'])

/** Records that a missing instance is back, or that the instance of a failed operation is now missing. */
function observationStep({ status, resume_stack, selfHosted, instance, provider, agent }: Facts): Step | undefined {
  if (provider.state === 'unknown' || selfHosted) return undefined
  const isLacking = provider.state === 'absent' || (provider.state === 'unreachable' && !agent?.connected)
  if (instance.missing && !isLacking) return { kind: 'observed', missing: false }
  const failed = resume_stack.at(-1)
  const shouldExist = status === 'errored' && failed !== undefined && vanishable.has(failed)
  return shouldExist && isLacking && !instance.missing ? { kind: 'observed', missing: true } : undefined
}

/** Statuses of instances that were complete once: what is absent then has taken files with it. */
const vanishable: ReadonlySet<ClusterStatus> = new Set(['running', 'stopping', 'stopped', 'starting', 'restarting'])

/** An instance at rest whose cluster, or whose owner, wants it elsewhere. */
function desiredStep(facts: Facts): Step | undefined {
  const { status, resume_stack, desired } = facts
  if (desired === 'destroyed') {
    const isParked = status === 'errored' && isRemoval(resume_stack.at(-1))
    const canBeDestroyed = status !== 'destroying' && !isRefused(transition(facts, 'destroy'))
    return canBeDestroyed && !isParked ? move('destroy') : undefined
  }
  if (status === 'running' && desired === 'stopped') return move('stop')
  if (status === 'stopped' && desired === 'running') return move('start')
  return undefined
}

function nextStep(facts: Facts): Step {
  switch (facts.status) {
    case 'paid':
      return move('allocated')
    case 'fetching':
      return fetchStep(facts)
    case 'queuing':
      return queueStep(facts)
    case 'pending':
      return pendingStep(facts)
    case 'installing':
      return installStep(facts)
    case 'running':
    case 'inactivated':
      return runningStep(facts)
    case 'starting':
      return startStep(facts)
    case 'restarting':
      return restartStep(facts)
    case 'stopping':
      return stopStep(facts)
    case 'stopped':
      return stoppedStep(facts)
    case 'destroying':
      return drainStep(facts) ?? removeStep(facts, 'removed')
    case 'canceling':
      return removeStep(facts, 'cancelEnded')
    case 'errored':
      return erroredStep(facts)
    case 'offline':
      return offlineStep(facts)
    case 'waiting_destroy':
      return waitingStep(facts)
    case 'restoring':
      return restoreStep(facts)
    case 'restore_error':
      return restoreErrorStep(facts)
    case 'destroy_to_be_confirmed':
      return confirmStep(facts)
    case 'unpaid':
    case 'destroyed':
    case 'canceled':
      return settled
  }
}

function lateReason({ provider, agent, lastFailure, status }: Facts): Reason {
  if (provider.state === 'awaited') return { key: 'machineNotCome' }
  const key = lateKeys[status] ?? 'late'
  const cause = ((): Reason | null => {
    if (provider.state === 'unknown') return provider.reason
    if (lastFailure) return lastFailure
    if (provider.state === 'queued') return { key: 'noRoomYet' }
    return provider.state === 'running' && !agent?.connected ? { key: 'agentSilent' } : null
  })()
  if (!cause) return { key }
  const { cause: _deeper, ...direct } = cause
  return { key, cause: direct }
}

const lateKeys: { [S in ClusterStatus]?: ReasonKey } = {
  fetching: 'fetchingLate',
  queuing: 'queuingLate',
  pending: 'pendingLate',
  installing: 'installingLate',
  restoring: 'restoringLate',
  starting: 'startingLate',
  restarting: 'restartingLate',
  stopping: 'stoppingLate',
  destroying: 'destroyingLate',
  canceling: 'cancelingLate',
}
