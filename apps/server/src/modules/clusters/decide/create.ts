/** Steps of an instance that is being made: from nothing at the provider to an installed personal server. */
import type { Reason } from '@atoll/contract/api'
import { call, isAnswering, keepBooted, lostReason, move, park, recover, retryLater, settled, wait } from './step.ts'
import { awaitedRecheckMs, longRecheckMs, recheckMs, type Step, type World } from './world.ts'

export function fetchStep(world: World): Step {
  switch (world.provider.state) {
    case 'unknown':
      return retryLater(world)
    case 'absent':
      return call('create')
    case 'unreachable':
      return wait(world, recheckMs, lostReason(world))
    default:
      return move('accepted')
  }
}

export function queueStep(world: World): Step {
  switch (world.provider.state) {
    case 'unknown':
      return retryLater(world)
    case 'absent':
      return recover(world, 'create')
    case 'queued':
      return wait(world, recheckMs, { key: 'noRoomYet' })
    case 'awaited':
      // It says so when it comes.
      return wait(world, awaitedRecheckMs, { key: 'noMachineYet' })
    case 'unreachable':
      return wait(world, recheckMs, lostReason(world))
    default:
      return move('provisioned')
  }
}

export function pendingStep(world: World): Step {
  const { agent, instance } = world
  const began = agent?.install.taskId === instance.installTask && agent.install.state !== 'waiting'
  if (began) return move(world.restore ? 'restoreBegun' : 'installBegun')
  return keepBooted(world) ?? wait(world, recheckMs)
}

/** Installs, too: the install's step `restore` waits for the task that brings the files (module backups). */
export function restoreStep(world: World): Step {
  const { restore } = world
  if (restore?.state === 'refused')
    return { kind: 'park', event: 'passwordRefused', reason: restore.reason ?? { key: 'unexpected' } }
  if (restore?.state === 'failed') return park(restore.reason ?? { key: 'unexpected' })
  return installUntil(world, 'restored')
}

/** Another password was given, or the restore ended: `restoreStep` goes on with either. */
export function restoreErrorStep({ restore }: World): Step {
  return restore?.state === 'refused' ? settled : move('givePassword')
}

export function installStep(world: World): Step {
  return installUntil(world, 'installed')
}

function installUntil(world: World, event: 'installed' | 'restored'): Step {
  const { agent, instance } = world
  const install = agent?.install.taskId === instance.installTask ? agent.install : undefined
  if (install?.state === 'failed') return park(installReason(install.reason))
  const boot = keepBooted(world)
  if (boot) return boot
  if (install?.state === 'done' && isAnswering(world)) return move(event)
  return wait(world, agent?.connected ? longRecheckMs : recheckMs)
}

function installReason(said: string | null): Reason {
  return said === null ? { key: 'installFailedSilently' } : { key: 'installFailed', params: { said } }
}
