/**
 * Steps of an instance that goes, or that failed: drained, removed, and tried again where nobody wants its leftovers.
 */
import { isRemoval } from '../lifecycle/cluster-state.ts'
import { confirmWithinMs, type Facts, longRecheckMs, recheckMs, removalRetryMs, type Step } from './facts.ts'
import { call, isAnswering, move, retryLater, settled, wait } from './step.ts'

/** An instance that is drained first stays until its agent has finished, or until that took too long. */
export function drainStep({ now, instance, provider }: Facts): Step | undefined {
  const { drainTask, isDrained, drainUntil } = instance
  if (drainTask === null) return undefined
  if (isDrained) return { kind: 'drained', inTime: true }
  if (!drainUntil || now >= drainUntil) return { kind: 'drained', inTime: false }
  // Nothing is begun on what does not run.
  const hasEnded = provider.state !== 'running' && provider.state !== 'unknown'
  if (hasEnded) return { kind: 'drained', inTime: true }
  const until = new Date(Math.min(now.getTime() + longRecheckMs, drainUntil.getTime()))
  return { kind: 'wait', until, because: null }
}

export function removeStep(facts: Facts, event: 'removed' | 'cancelEnded'): Step {
  const { state } = facts.provider
  if (state === 'unknown') return retryLater(facts)
  // An unreachable instance is abandoned here; if it returns, the sweeper removes it. For an owner's own machine the
  // call to destroy it is made all the same, which leaves a message for the machine's return.
  if (state !== 'absent' && (state !== 'unreachable' || facts.selfHosted)) return call('destroy')
  return facts.workers.length > 0 ? wait(facts, recheckMs, { key: 'workersMoving' }) : move(event)
}

/** A destruction that is not confirmed in time is dropped: the instance is kept. */
export function confirmStep({ now, changedAt }: Facts): Step {
  const until = new Date(changedAt.getTime() + confirmWithinMs)
  return now >= until ? move('keep') : { kind: 'wait', until, because: null }
}

/** A failure is left to a person, except for removals and for instances that recover without help. */
export function erroredStep(facts: Facts): Step {
  const failed = facts.resume_stack.at(-1)
  if (isRemoval(failed)) {
    const due = new Date(facts.changedAt.getTime() + removalRetryMs)
    const isGone = facts.provider.state === 'absent' && facts.workers.length === 0
    return isGone || facts.now >= due ? move('retry') : { kind: 'wait', until: due, because: null }
  }
  const shouldRun = failed === 'running' || failed === 'starting' || failed === 'restarting'
  return shouldRun && isAnswering(facts) ? move('recovered') : settled
}
