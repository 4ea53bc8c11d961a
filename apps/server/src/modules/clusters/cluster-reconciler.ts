/**
 * Decides the next step of a cluster from what is wanted, what is known and what the world shows. Pure; the job
 * cluster.reconcile carries it out, one step at a time, and looks again after each.
 *
 * Inputs   the status (cluster-state.ts), the provider's and the agent's view of the master instance, the deadline.
 * Steps    move (an event for the status machine) · call (one provider call) · note (remember what a restart leaves
 *          behind, before it is left) · park (give up with a reason a person can act on) · wait · settled.
 * Repeats  every step may be repeated: calls are idempotent, a move that happened is not decided again, a note is only
 *          decided while it is missing. Level-driven: nothing depends on which event woke the reconciler.
 * Unreachable is not failed: a provider or an agent that cannot be asked is waited for until the operation's deadline.
 */
import type { ClusterStatus, InstallState } from '@atoll/contract'
import type { Observed } from '../compute/index.ts'
import type { ClusterEvent } from './cluster-state.ts'

/** What the provider shows, or why it cannot be asked. */
export type ProviderView = Observed | { state: 'unknown'; reason: string }

export interface AgentView {
  connected: boolean
  /** New each time the agent process starts. */
  bootId: string | null
  install: InstallState
}

export interface World {
  now: Date
  status: ClusterStatus
  /** Of the operation under way; null when none is. */
  deadlineAt: Date | null
  /** Provider calls since then that failed or led nowhere. */
  failedCalls: number
  lastFailure: string | null
  instance: { installTask: string; restartFrom: string | null; bootBefore: string | null; recoveries: number }
  provider: ProviderView
  agent: AgentView | undefined
}

export type ProviderCall = 'create' | 'start' | 'stop' | 'restart' | 'destroy'

export type Step =
  | { kind: 'move'; event: ClusterEvent }
  /** `recovers`: brings back an instance that died; counted, so that it ends. */
  | { kind: 'call'; call: ProviderCall; recovers: boolean }
  | { kind: 'note'; restartFrom: string }
  | { kind: 'park'; reason: string }
  | { kind: 'wait'; until: Date }
  | { kind: 'settled' }

/** How often one operation brings back an instance that dies. */
export const maxRecoveries = 3
/** A running instance that dies again sooner than this after coming back counts as still dying, ms. */
export const peacefulMs = 10 * 60_000
/** Looked at again after this while a provider or an agent is expected to move; both also announce it. ms */
export const recheckMs = 2000
/** While an agent that is connected works: only in case its report was lost. ms */
export const longRecheckMs = 15_000

const firstBackoffMs = 500
const longestBackoffMs = 30_000

/** ms to wait after the `failures`-th provider call that failed: 0.5 s, doubling, at most 30 s. */
export function backoffMs(failures: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(10, Math.max(0, failures - 1)))
}

const settled: Step = { kind: 'settled' }
const gone =
  'The provider no longer has this instance and its files. Destroy the cluster, or retry if it may come back.'

/** The next step. Past its deadline an operation may still arrive, but no longer wait or try. */
export function decide(world: World): Step {
  const step = nextStep(world)
  const isOpen = step.kind === 'wait' || step.kind === 'call' || step.kind === 'note'
  if (isOpen && world.deadlineAt && world.now >= world.deadlineAt) return park(lateReason(world))
  return step
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
      return removeStep(world, 'removed')
    case 'canceling':
      return removeStep(world, 'cancelEnded')
    case 'restoring':
      return wait(world, recheckMs)
    case 'unpaid':
    case 'errored':
    case 'restore_error':
    case 'destroy_to_be_confirmed':
    case 'waiting_destroy':
    case 'offline':
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
      return wait(world, recheckMs)
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
  if (install?.state === 'failed') return park(install.reason ?? 'The install failed.')
  const boot = keepBooted(world)
  if (boot) return boot
  if (install?.state === 'done' && isAnswering(world)) return move('installed')
  return wait(world, agent?.connected ? longRecheckMs : recheckMs)
}

function runningStep(world: World): Step {
  switch (world.provider.state) {
    case 'absent':
    case 'stopped':
    case 'failed':
      return move('lost')
    default:
      return settled
  }
}

function startStep(world: World): Step {
  const { provider } = world
  if (provider.state === 'absent') return park(gone)
  if (provider.state === 'stopped') return call('start')
  return keepBooted(world) ?? (isAnswering(world) ? move('started') : wait(world, recheckMs))
}

function restartStep(world: World): Step {
  const { provider, instance } = world
  if (provider.state === 'unknown') return retryLater(world)
  if (provider.state === 'absent') return park(gone)
  if (instance.restartFrom === null) return { kind: 'note', restartFrom: provider.incarnation ?? 'none' }
  if (provider.incarnation === instance.restartFrom) return call('restart')
  if (provider.state === 'stopped') return call('start')
  return keepBooted(world) ?? (isAnswering(world) ? move('restarted') : wait(world, recheckMs))
}

function stopStep(world: World): Step {
  switch (world.provider.state) {
    case 'unknown':
      return retryLater(world)
    case 'absent':
      return park(gone)
    case 'stopped':
      return move('stopped')
    default:
      return call('stop')
  }
}

/** A start that the provider answered too late may still take effect after the stop. */
function stoppedStep(world: World): Step {
  const { state } = world.provider
  return state === 'running' || state === 'starting' ? call('stop') : settled
}

function removeStep(world: World, event: 'removed' | 'cancelEnded'): Step {
  if (world.provider.state === 'unknown') return retryLater(world)
  return world.provider.state === 'absent' ? move(event) : call('destroy')
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
      return wait(world, recheckMs)
    default:
      return undefined
  }
}

/** Whether this boot's personal server can be reached. */
function isAnswering({ provider, agent, instance }: World): boolean {
  return provider.state === 'running' && agent?.connected === true && agent.bootId !== instance.bootBefore
}

function recover(world: World, how: 'create' | 'start'): Step {
  if (world.instance.recoveries < maxRecoveries) return { kind: 'call', call: how, recovers: true }
  const said = world.provider.reason ? ` ${world.provider.reason}` : ''
  return park(`The instance ended ${maxRecoveries + 1} times in a row.${said}`)
}

function retryLater(world: World): Step {
  return wait(world, backoffMs(world.failedCalls))
}

/** Until `ms` from now, or the deadline if that is sooner. */
function wait({ now, deadlineAt }: World, ms: number): Step {
  const until = new Date(now.getTime() + ms)
  return { kind: 'wait', until: deadlineAt && deadlineAt < until ? deadlineAt : until }
}

function lateReason({ provider, agent, lastFailure, status }: World): string {
  const doing = lateWords[status] ?? 'It took too long.'
  if (provider.state === 'unknown') return `${doing} The provider could not be asked: ${provider.reason}.`
  if (lastFailure) return `${doing} The provider said last: ${lastFailure}.`
  if (provider.state === 'queued') return `${doing} The provider has no room for it yet.`
  if (provider.state === 'running' && !agent?.connected)
    return `${doing} The instance runs, but its agent does not report.`
  return doing
}

const lateWords: { [S in ClusterStatus]?: string } = {
  fetching: 'No resources were allocated in time.',
  queuing: 'The provider did not provide the instance in time.',
  pending: 'The install did not begin in time.',
  installing: 'The install did not end in time.',
  restoring: 'The restore did not end in time.',
  starting: 'It did not start in time.',
  restarting: 'It did not restart in time.',
  stopping: 'It did not stop in time.',
  destroying: 'It was not removed in time.',
  canceling: 'It was not cancelled in time.',
}

function move(event: ClusterEvent): Step {
  return { kind: 'move', event }
}
function call(provider: ProviderCall): Step {
  return { kind: 'call', call: provider, recovers: false }
}
function park(reason: string): Step {
  return { kind: 'park', reason }
}
