/** Steps of an instance that its bills ask for: it waits to be paid, is stopped for what is owed, or goes for it. */
import { type ClusterEvent, isRefused, transition } from '../lifecycle/cluster-state.ts'
import { type Facts, restBackoffMs, type Step } from './facts.ts'
import { call, move, settled, wait } from './step.ts'

/**
 * The move that the standing with billing requires. An instance in transition comes to rest first; one that is being
 * removed has nothing to pay for.
 */
export function moneyStep(facts: Facts): Step | undefined {
  const event = askedEvent(facts)
  return event && !isRefused(transition(facts, event)) ? move(event) : undefined
}

/** Events that follow from a standing, which is read again when they are applied. */
export const moneyEvents = [
  'paid',
  'expired',
  'cancelUnpaid',
  'overdue',
  'overdueSettled',
  'graceEnded',
] as const satisfies readonly ClusterEvent[]
export type MoneyEvent = (typeof moneyEvents)[number]

export function isMoneyEvent(event: ClusterEvent): event is MoneyEvent {
  return moneyEvents.some((one) => one === event)
}

/** The event for an instance in this standing, whatever its status. */
export function askedEvent({
  status,
  desired,
  standing,
}: Pick<Facts, 'status' | 'desired' | 'standing'>): MoneyEvent | undefined {
  if (status === 'unpaid') {
    if (standing === 'unpaid') return desired === 'destroyed' ? 'cancelUnpaid' : undefined
    return standing === 'lapsed' ? 'expired' : 'paid'
  }
  if (desired === 'destroyed') return undefined
  const isStopped = status === 'waiting_destroy'
  switch (standing) {
    case 'overdue':
      return 'overdue'
    case 'graceOver':
      return isStopped ? 'graceEnded' : 'overdue'
    default:
      return isStopped ? 'overdueSettled' : undefined
  }
}

/** Stopped at the provider, with all that it keeps. */
export function waitingStep(facts: Facts): Step {
  switch (facts.provider.state) {
    case 'unknown':
      return wait(facts, restBackoffMs(facts.failedCalls))
    case 'running':
    case 'starting':
      return call('stop')
    default:
      return settled
  }
}
