/** Steps of an instance that was complete once: it runs, stops, starts, or is silent. */
import type { ClusterStatus } from '@atoll/contract/clusters'
import {
  type Facts,
  longRecheckMs,
  maxMoveTries,
  moveReserveMs,
  partingMs,
  recheckMs,
  restBackoffMs,
  type Step,
} from './facts.ts'
import { call, isAnswering, keepBooted, lostReason, move, retryLater, settled, vanish, wait } from './step.ts'

export function runningStep(facts: Facts): Step {
  switch (facts.provider.state) {
    case 'unknown':
      // This reconcile may have been triggered because the instance died.
      return wait(facts, restBackoffMs(facts.failedCalls))
    case 'absent':
      return vanish()
    case 'unreachable':
      // Its agent speaks: the instance is well, and only its host's own interface is not.
      if (facts.agent?.connected) return settled
      return { kind: 'park', event: 'silenced', reason: lostReason(facts) }
    case 'stopped':
    case 'failed':
      return move('lost')
    case 'running':
      if (facts.provider.silentFrom) return { kind: 'wait', until: facts.provider.silentFrom, because: null }
      if (hasJustParted(facts))
        return { kind: 'wait', until: new Date(facts.now.getTime() + longRecheckMs), because: null }
      return settled
    default:
      return settled
  }
}

/**
 * Its agent is gone, and nothing else may say that its instance ended: one that stops in order closes its connection
 * first.
 */
function hasJustParted({ now, agent }: Facts): boolean {
  if (!agent || agent.connected || !agent.lastSeenAt) return false
  return now.getTime() - agent.lastSeenAt.getTime() < partingMs
}

/** Heard of again: it runs, or it is started like one that died. */
export function offlineStep({ provider, agent }: Facts): Step {
  switch (provider.state) {
    case 'unknown':
      return settled
    case 'unreachable':
      return agent?.connected ? move('reported') : settled
    case 'absent':
      return vanish()
    default:
      return move('reported')
  }
}

export function startStep(facts: Facts): Step {
  const { provider } = facts
  if (isAnswering(facts)) return move('started')
  if (provider.state === 'absent') return vanish()
  if (provider.state === 'stopped') return call('start')
  return keepBooted(facts) ?? wait(facts, recheckMs)
}

export function restartStep(facts: Facts): Step {
  const { provider, instance } = facts
  if (provider.state === 'unknown') return retryLater(facts)
  if (provider.state === 'absent') return vanish()
  if (provider.state === 'unreachable') return wait(facts, recheckMs, lostReason(facts))
  if (instance.restartFrom === null) return { kind: 'note', restartFrom: provider.incarnation ?? 'none' }
  const moving = moveStep(facts)
  if (moving) return moving
  if (provider.incarnation === instance.restartFrom) return call('restart')
  if (provider.state === 'stopped') return call('start')
  return keepBooted(facts) ?? (isAnswering(facts) ? move('restarted') : wait(facts, recheckMs))
}

/** A cluster is stopped when the workers that follow it are; those being made or broken are not waited for. */
function isStillStopping({ status, desired }: Facts['workers'][number]): boolean {
  return desired === 'stopped' && (status === 'running' || status === 'stopping' || isBooting(status))
}

function isBooting(status: ClusterStatus): boolean {
  return status === 'starting' || status === 'restarting'
}

export function stopStep(facts: Facts): Step {
  switch (facts.provider.state) {
    case 'unknown':
      return retryLater(facts)
    case 'absent':
      return vanish()
    case 'unreachable':
      return wait(facts, recheckMs, lostReason(facts))
    case 'stopped':
      return facts.workers.some(isStillStopping) ? wait(facts, recheckMs, { key: 'workersMoving' }) : move('stopped')
    default:
      return call('stop')
  }
}

/**
 * Takes an instance to the member that it is to be on. A move that does not succeed is given up rather than its
 * instance: that is booted where it is.
 */
function moveStep(facts: Facts): Step | undefined {
  const { now, deadlineAt, failedCalls, provider, instance } = facts
  if (instance.moveTo === null || provider.state === 'unknown') return undefined
  if (provider.location === instance.moveTo) return { kind: 'placed', isMoved: true }
  const isLate = deadlineAt !== null && now.getTime() >= deadlineAt.getTime() - moveReserveMs
  const isHopeless = provider.state === 'unreachable' || failedCalls >= maxMoveTries
  if (isLate || isHopeless) return { kind: 'placed', isMoved: false }
  // It is being copied.
  if (provider.state === 'starting') return wait(facts, recheckMs)
  return call('move')
}

/** A start that the provider answered too late may still take effect after the stop. */
export function stoppedStep(facts: Facts): Step {
  const { state } = facts.provider
  if (state === 'unknown') return wait(facts, restBackoffMs(facts.failedCalls))
  if (state === 'absent') return vanish()
  const moving = state === 'running' ? undefined : moveStep(facts)
  if (moving) return moving
  return state === 'running' || state === 'starting' ? call('stop') : settled
}
