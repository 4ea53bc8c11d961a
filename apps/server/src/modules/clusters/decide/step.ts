/** Helpers that build the steps of an instance, and conditions that several statuses share. */
import type { Reason } from '@atoll/contract/api'
import type { ClusterEvent } from '../lifecycle/cluster-state.ts'
import { callBackoffMs, type Facts, maxRecoveries, type ProviderCall, recheckMs, type Step } from './facts.ts'

/** Nothing is left to do: the instance is in its desired state. */
export const settled: Step = { kind: 'settled' }

/** An event for the status machine. */
export function move(event: ClusterEvent): Step {
  return { kind: 'move', event }
}

/** One call of the provider; not counted as a recovery. */
export function call(provider: ProviderCall): Step {
  return { kind: 'call', call: provider, recovers: false }
}

/** Gives up, for a reason that a person can act on. */
export function park(reason: Reason): Step {
  return { kind: 'park', event: 'failed', reason }
}

/** Gives up on instances that the provider no longer has. */
export function vanish(): Step {
  return { kind: 'park', event: 'vanished', reason: { key: 'gone' } }
}

/** The step that gets an instance running; undefined if it runs already. */
export function keepBooted(facts: Facts): Step | undefined {
  switch (facts.provider.state) {
    case 'unknown':
      return retryLater(facts)
    case 'absent':
      return recover(facts, 'create')
    case 'stopped':
    case 'failed':
      return recover(facts, 'start')
    case 'queued':
    case 'awaited':
      return wait(facts, recheckMs, { key: facts.selfHosted ? 'noMachineYet' : 'noRoomYet' })
    case 'unreachable':
      return wait(facts, recheckMs, lostReason(facts))
    default:
      return undefined
  }
}

/** Why an instance cannot be reached: it is silent, or its host is. */
export function lostReason({ selfHosted, provider }: Facts): Reason {
  if (selfHosted) return { key: 'machineSilent' }
  return { key: 'hostLost', params: { host: ('location' in provider && provider.location) || '?' } }
}

/** Whether this boot's personal server can be reached. */
export function isAnswering({ provider, agent, instance }: Facts): boolean {
  const mayRun = provider.state === 'running' || provider.state === 'unreachable'
  return mayRun && agent?.connected === true && agent.bootId !== instance.previousBootId
}

/** Creates or starts an instance that ended without a request, at most `maxRecoveries` times. */
export function recover(facts: Facts, how: 'create' | 'start'): Step {
  if (facts.instance.recoveries < maxRecoveries) return { kind: 'call', call: how, recovers: true }
  const { provider } = facts
  const said = provider.state !== 'unknown' ? provider.reason : null
  return park({
    key: 'endedTooOften',
    params: { times: maxRecoveries + 1 },
    ...(said !== null && { cause: { key: 'said', params: { said } } }),
  })
}

/** Until a provider that could not be asked is asked again. */
export function retryLater(facts: Facts): Step {
  return wait(facts, callBackoffMs(facts.failedCalls))
}

/** Until `ms` from now, or the deadline if that is sooner. */
export function wait({ now, deadlineAt }: Facts, ms: number, because: Reason | null = null): Step {
  const until = new Date(now.getTime() + ms)
  return { kind: 'wait', until: deadlineAt && deadlineAt < until ? deadlineAt : until, because }
}
