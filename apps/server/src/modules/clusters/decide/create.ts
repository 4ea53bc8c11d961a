/** Steps of an instance that is being made: from nothing at the provider to an installed personal server. */
import type { Reason } from '@atoll/contract/api'
import { awaitedRecheckMs, type Facts, longRecheckMs, recheckMs, type Step } from './facts.ts'
import { call, isAnswering, keepBooted, lostReason, move, park, recover, retryLater, settled, wait } from './step.ts'

export function fetchStep(facts: Facts): Step {
  switch (facts.provider.state) {
    case 'unknown':
      return retryLater(facts)
    case 'absent':
      return call('create')
    case 'unreachable':
      return wait(facts, recheckMs, lostReason(facts))
    default:
      return move('accepted')
  }
}

export function queueStep(facts: Facts): Step {
  switch (facts.provider.state) {
    case 'unknown':
      return retryLater(facts)
    case 'absent':
      return recover(facts, 'create')
    case 'queued':
      return wait(facts, recheckMs, { key: 'noRoomYet' })
    case 'awaited':
      // It says so when it comes.
      return wait(facts, awaitedRecheckMs, { key: 'noMachineYet' })
    case 'unreachable':
      return wait(facts, recheckMs, lostReason(facts))
    default:
      return move('provisioned')
  }
}

export function pendingStep(facts: Facts): Step {
  const { agent, instance } = facts
  const began = agent?.install.taskId === instance.installTask && agent.install.state !== 'waiting'
  if (began) return move(facts.restore ? 'restoreBegun' : 'installBegun')
  return keepBooted(facts) ?? wait(facts, recheckMs)
}

/** Installs, too: the install's step `restore` waits for the task that brings the files (module backups). */
export function restoreStep(facts: Facts): Step {
  const { restore } = facts
  if (restore?.state === 'refused')
    return { kind: 'park', event: 'passwordRefused', reason: restore.reason ?? { key: 'unexpected' } }
  if (restore?.state === 'failed') return park(restore.reason ?? { key: 'unexpected' })
  return installUntil(facts, 'restored')
}

/** Another password was given, or the restore ended: `restoreStep` goes on with either. */
export function restoreErrorStep({ restore }: Facts): Step {
  return restore?.state === 'refused' ? settled : move('givePassword')
}

export function installStep(facts: Facts): Step {
  return installUntil(facts, 'installed')
}

function installUntil(facts: Facts, event: 'installed' | 'restored'): Step {
  const { agent, instance } = facts
  const install = agent?.install.taskId === instance.installTask ? agent.install : undefined
  if (install?.state === 'failed') return park(installReason(install.reason))
  const boot = keepBooted(facts)
  if (boot) return boot
  if (install?.state === 'done' && isAnswering(facts)) return move(event)
  return wait(facts, agent?.connected ? longRecheckMs : recheckMs)
}

function installReason(said: string | null): Reason {
  return said === null ? { key: 'installFailedSilently' } : { key: 'installFailed', params: { said } }
}
