/**
 * Decides the next step of one machine, a master or a worker, from what is wanted, what is known and what the world
 * shows. Pure; the job cluster.reconcile carries it out, one step at a time, and looks again after each.
 *
 * Inputs   the position (cluster-state.ts), what is wanted, the provider's and the agent's view, the deadline, and for a
 *          master its workers. A worker follows its cluster only by what is wanted of it (`wishStep`).
 * Steps    move (an event for the status machine) · call (one provider call) · note (remember what a restart leaves
 *          behind, before it is left) · drained (its agent has finished, or was waited for long enough) · sight (the
 *          provider has it, or lacks it) · park (give up with a reason a person can act on) · wait · settled.
 * Writers  nobody here; the job writes under the cluster's row lock, fenced by the machine's revision.
 * Repeats  every step may be repeated: calls are idempotent, a move that happened is not decided again, the others are
 *          only decided while they are missing. Level-driven: nothing depends on which event woke the reconciler.
 * Ends     every status that is not at rest has a deadline; past it a machine may still arrive, but no longer wait or try:
 *          it is parked. A removal that was parked is tried again every few minutes, since nobody wants its leftovers.
 * Unreachable is not failed: a provider or an agent that cannot be asked is waited for until the deadline.
 */
import type { ClusterStatus, Reason, ReasonKey } from '@atoll/contract'
import { type ClusterEvent, isRefused, transition } from './cluster-state.ts'
import {
  awaitedRecheckMs,
  backoffMs,
  longRecheckMs,
  maxRecoveries,
  type ProviderCall,
  recheckMs,
  removalRetryMs,
  restBackoffMs,
  type Step,
  type World,
} from './reconcile-world.ts'

const settled: Step = { kind: 'settled' }

/** The next step. Past its deadline an operation may still arrive, but no longer wait or try. */
export function decide(world: World): Step {
  const step = sightStep(world) ?? wishStep(world) ?? nextStep(world)
  const isOpen = step.kind === 'wait' || step.kind === 'call' || step.kind === 'note'
  const isLate = world.deadlineAt !== null && world.now >= world.deadlineAt
  // What is at rest has nothing to give up, even where an operation was left open.
  const canFail = !isRefused(transition(world, 'failed'))
  if (isOpen && isLate && canFail) return park(lateReason(world))
  return step
}

/** What was missing is back, or what a failed operation left behind has gone since. */
function sightStep({ status, trail, selfHosted, instance, provider, agent }: World): Step | undefined {
  if (provider.state === 'unknown' || selfHosted) return undefined
  const isLacking = provider.state === 'absent' || (provider.state === 'unreachable' && !agent?.connected)
  if (instance.missing && !isLacking) return { kind: 'sight', missing: false }
  const failed = trail.at(-1)
  const shouldExist = status === 'errored' && failed !== undefined && vanishable.has(failed)
  return shouldExist && isLacking && !instance.missing ? { kind: 'sight', missing: true } : undefined
}

/** Statuses of machines that were complete once: what is absent then has taken files with it. */
const vanishable: ReadonlySet<ClusterStatus> = new Set(['running', 'stopping', 'stopped', 'starting', 'restarting'])

/** A machine at rest whose cluster, or whose owner, wants it elsewhere. */
function wishStep(world: World): Step | undefined {
  const { status, trail, wanted } = world
  if (wanted === 'destroyed') {
    const isParked = status === 'errored' && isRemoval(trail.at(-1))
    const canBeDestroyed = status !== 'destroying' && !isRefused(transition({ status, trail }, 'destroy'))
    return canBeDestroyed && !isParked ? move('destroy') : undefined
  }
  if (status === 'running' && wanted === 'stopped') return move('stop')
  if (status === 'stopped' && wanted === 'running') return move('start')
  return undefined
}

function nextStep(world: World): Step {
  switch (world.status) {
    case 'paid':
      return move('allocated')
    case 'fetching':
      return fetchStep(world)
    case 'queuing':
      return queueStep(world)
    case 'pending':
      return pendingStep(world)
    case 'installing':
      return installStep(world)
    case 'running':
    case 'inactivated':
      return runningStep(world)
    case 'starting':
      return startStep(world)
    case 'restarting':
      return restartStep(world)
    case 'stopping':
      return stopStep(world)
    case 'stopped':
      return stoppedStep(world)
    case 'destroying':
      return drainStep(world) ?? removeStep(world, 'removed')
    case 'canceling':
      return removeStep(world, 'cancelEnded')
    case 'errored':
      return erroredStep(world)
    case 'offline':
      return offlineStep(world)
    case 'restoring':
      return wait(world, recheckMs)
    case 'unpaid':
    case 'restore_error':
    case 'destroy_to_be_confirmed':
    case 'waiting_destroy':
    case 'destroyed':
    case 'canceled':
      return settled
  }
}

function fetchStep(world: World): Step {
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

function queueStep(world: World): Step {
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

function pendingStep(world: World): Step {
  const { agent, instance } = world
  const began = agent?.install.taskId === instance.installTask && agent.install.state !== 'waiting'
  if (began) return move('installBegun')
  return keepBooted(world) ?? wait(world, recheckMs)
}

function installStep(world: World): Step {
  const { agent, instance } = world
  const install = agent?.install.taskId === instance.installTask ? agent.install : undefined
  if (install?.state === 'failed') return park(installReason(install.reason))
  const boot = keepBooted(world)
  if (boot) return boot
  if (install?.state === 'done' && isAnswering(world)) return move('installed')
  return wait(world, agent?.connected ? longRecheckMs : recheckMs)
}

function installReason(said: string | null): Reason {
  return said === null ? { key: 'installFailedSilently' } : { key: 'installFailed', params: { said } }
}

function runningStep(world: World): Step {
  switch (world.provider.state) {
    case 'unknown':
      // Whatever woke us may be that it died.
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
      return world.provider.silentFrom ? { kind: 'wait', until: world.provider.silentFrom, because: null } : settled
    default:
      return settled
  }
}

/** Heard of again: it runs, or it is started like one that died. */
function offlineStep({ provider, agent }: World): Step {
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

function startStep(world: World): Step {
  const { provider } = world
  if (isAnswering(world)) return move('started')
  if (provider.state === 'absent') return vanish()
  if (provider.state === 'stopped') return call('start')
  return keepBooted(world) ?? wait(world, recheckMs)
}

function restartStep(world: World): Step {
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
function isStillStopping({ status, wanted }: World['workers'][number]): boolean {
  return wanted === 'stopped' && (status === 'running' || status === 'stopping' || isBooting(status))
}

function isBooting(status: ClusterStatus): boolean {
  return status === 'starting' || status === 'restarting'
}

function stopStep(world: World): Step {
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
function stoppedStep(world: World): Step {
  const { state } = world.provider
  if (state === 'unknown') return wait(world, restBackoffMs(world.failedCalls))
  if (state === 'absent') return vanish()
  return state === 'running' || state === 'starting' ? call('stop') : settled
}

/** A machine that is drained first stays until its agent has finished, or until that took too long. */
function drainStep({ now, instance, agent, provider }: World): Step | undefined {
  const { drainTask, drainUntil } = instance
  if (drainTask === null) return undefined
  if (agent?.drainedTask === drainTask) return { kind: 'drained', inTime: true }
  if (!drainUntil || now >= drainUntil) return { kind: 'drained', inTime: false }
  // Nothing is begun on what does not run.
  const hasEnded = provider.state !== 'running' && provider.state !== 'unknown'
  if (hasEnded) return { kind: 'drained', inTime: true }
  const until = new Date(Math.min(now.getTime() + longRecheckMs, drainUntil.getTime()))
  return { kind: 'wait', until, because: null }
}

function removeStep(world: World, event: 'removed' | 'cancelEnded'): Step {
  const { state } = world.provider
  if (state === 'unknown') return retryLater(world)
  // What cannot be reached is nobody's from here on: should it come back, the sweeper removes it. A machine of the
  // owner's own is given up by the call, which leaves word for when it comes back.
  if (state !== 'absent' && (state !== 'unreachable' || world.selfHosted)) return call('destroy')
  return world.workers.length > 0 ? wait(world, recheckMs, { key: 'workersMoving' }) : move(event)
}

function isRemoval(status: ClusterStatus | undefined): boolean {
  return status === 'destroying' || status === 'canceling'
}

/** What failed is left to a person, except for what comes right by itself and for removals. */
function erroredStep(world: World): Step {
  const failed = world.trail.at(-1)
  if (isRemoval(failed)) {
    const due = new Date(world.changedAt.getTime() + removalRetryMs)
    const isGone = world.provider.state === 'absent' && world.workers.length === 0
    return isGone || world.now >= due ? move('retry') : { kind: 'wait', until: due, because: null }
  }
  const shouldRun = failed === 'running' || failed === 'starting' || failed === 'restarting'
  return shouldRun && isAnswering(world) ? move('recovered') : settled
}

/** What an instance needs that should run; undefined when it does. */
function keepBooted(world: World): Step | undefined {
  switch (world.provider.state) {
    case 'unknown':
      return retryLater(world)
    case 'absent':
      return recover(world, 'create')
    case 'stopped':
    case 'failed':
      return recover(world, 'start')
    case 'queued':
    case 'awaited':
      return wait(world, recheckMs, { key: world.selfHosted ? 'noMachineYet' : 'noRoomYet' })
    case 'unreachable':
      return wait(world, recheckMs, lostReason(world))
    default:
      return undefined
  }
}

function lostReason({ selfHosted, provider }: World): Reason {
  if (selfHosted) return { key: 'machineSilent' }
  return { key: 'hostLost', params: { host: ('location' in provider && provider.location) || '?' } }
}

/** Whether this boot's personal server can be reached. */
function isAnswering({ provider, agent, instance }: World): boolean {
  const mayRun = provider.state === 'running' || provider.state === 'unreachable'
  return mayRun && agent?.connected === true && agent.bootId !== instance.bootBefore
}

function recover(world: World, how: 'create' | 'start'): Step {
  if (world.instance.recoveries < maxRecoveries) return { kind: 'call', call: how, recovers: true }
  const { provider } = world
  const said = provider.state !== 'unknown' ? provider.reason : null
  return park({
    key: 'endedTooOften',
    params: { times: maxRecoveries + 1 },
    ...(said !== null && { cause: { key: 'said', params: { said } } }),
  })
}

function retryLater(world: World): Step {
  return wait(world, backoffMs(world.failedCalls))
}

/** Until `ms` from now, or the deadline if that is sooner. */
function wait({ now, deadlineAt }: World, ms: number, because: Reason | null = null): Step {
  const until = new Date(now.getTime() + ms)
  return { kind: 'wait', until: deadlineAt && deadlineAt < until ? deadlineAt : until, because }
}

function lateReason({ provider, agent, lastFailure, status }: World): Reason {
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

function move(event: ClusterEvent): Step {
  return { kind: 'move', event }
}
function call(provider: ProviderCall): Step {
  return { kind: 'call', call: provider, recovers: false }
}
function park(reason: Reason): Step {
  return { kind: 'park', event: 'failed', reason }
}
function vanish(): Step {
  return { kind: 'park', event: 'vanished', reason: { key: 'gone' } }
}
