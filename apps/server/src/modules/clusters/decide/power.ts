/** Steps of an instance that was complete once: it runs, stops, starts, or is silent. */
import type { ClusterStatus } from '@atoll/contract/clusters'
import { call, isAnswering, keepBooted, lostReason, move, retryLater, settled, vanish, wait } from './step.ts'
import { longRecheckMs, partingMs, recheckMs, restBackoffMs, type Step, type World } from './world.ts'

export function runningStep(world: World): Step {
  switch (world.provider.state) {
    case 'unknown':
      // This reconcile may have been triggered because the instance died.
      return wait(world, restBackoffMs(world.failedCalls))
    case 'absent':
      return vanish()
    case 'unreachable':
      // Its agent speaks: the instance is well, and only its host's own interface is not.
      if (world.agent?.connected) return settled
      return { kind: 'park', event: 'silenced', reason: lostReason(world) }
    case 'stopped':
    case 'failed':
      return move('lost')
    case 'running':
      if (world.provider.silentFrom) return { kind: 'wait', until: world.provider.silentFrom, because: null }
      if (hasJustParted(world))
        return { kind: 'wait', until: new Date(world.now.getTime() + longRecheckMs), because: null }
      return settled
    default:
      return settled
  }
}

/**
 * Its agent is gone, and nothing else may say that its instance ended: one that stops in order closes its connection
 * first.
 */
function hasJustParted({ now, agent }: World): boolean {
  if (!agent || agent.connected || !agent.lastSeenAt) return false
  return now.getTime() - agent.lastSeenAt.getTime() < partingMs
}

/** Heard of again: it runs, or it is started like one that died. */
export function offlineStep({ provider, agent }: World): Step {
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

export function startStep(world: World): Step {
  const { provider } = world
  if (isAnswering(world)) return move('started')
  if (provider.state === 'absent') return vanish()
  if (provider.state === 'stopped') return call('start')
  return keepBooted(world) ?? wait(world, recheckMs)
}

export function restartStep(world: World): Step {
  const { provider, instance } = world
  if (provider.state === 'unknown') return retryLater(world)
  if (provider.state === 'absent') return vanish()
  if (provider.state === 'unreachable') return wait(world, recheckMs, lostReason(world))
  if (instance.restartFrom === null) return { kind: 'note', restartFrom: provider.incarnation ?? 'none' }
  if (provider.incarnation === instance.restartFrom) return call('restart')
  if (provider.state === 'stopped') return call('start')
  return keepBooted(world) ?? (isAnswering(world) ? move('restarted') : wait(world, recheckMs))
}

/** A cluster is stopped when the workers that follow it are; those being made or broken are not waited for. */
function isStillStopping({ status, desired }: World['workers'][number]): boolean {
  return desired === 'stopped' && (status === 'running' || status === 'stopping' || isBooting(status))
}

function isBooting(status: ClusterStatus): boolean {
  return status === 'starting' || status === 'restarting'
}

export function stopStep(world: World): Step {
  switch (world.provider.state) {
    case 'unknown':
      return retryLater(world)
    case 'absent':
      return vanish()
    case 'unreachable':
      return wait(world, recheckMs, lostReason(world))
    case 'stopped':
      return world.workers.some(isStillStopping) ? wait(world, recheckMs, { key: 'workersMoving' }) : move('stopped')
    default:
      return call('stop')
  }
}

/** A start that the provider answered too late may still take effect after the stop. */
export function stoppedStep(world: World): Step {
  const { state } = world.provider
  if (state === 'unknown') return wait(world, restBackoffMs(world.failedCalls))
  if (state === 'absent') return vanish()
  return state === 'running' || state === 'starting' ? call('stop') : settled
}
