/**
 * The actions that a person may request now, and for every other action the reason why not. Pure: lists show both
 * (`actions`, `refusals`), and a call for a refused action is answered with the same refusal. The status machine has
 * the last word; this file turns its refusals into reasons that are useful to a person.
 */

import type { ErrorKey } from '@atoll/contract/api'
import {
  type ClusterAction,
  type ClusterStatus,
  type ClusterType,
  clusterActions,
  type InstanceAction,
  type InstanceRole,
  instanceActions,
} from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { errorMessage } from '@atoll/texts/refusals'
import { refuse } from '../../../platform/refusal.ts'
import type { Desired } from '../tables.ts'
import {
  type ClusterEvent,
  canBeGivenUp,
  canBeTakenBack,
  isAwaitingHost,
  isEnded,
  isRefused,
  isRemoval,
  isTransitioning,
  type Position,
  shownStatus,
  transition,
} from './cluster-state.ts'

export interface ActionRefusal {
  key: ErrorKey
  params: Record<string, string | number>
}

/** Facts of a cluster besides its position. */
export interface ActionFacts {
  readonly clusterType: ClusterType
  /** Whether the caller owns it; an Admin may act on all clusters, and activate none. */
  readonly isOwner: boolean
  readonly osActive: boolean
  /** A one-time password waits at the agent. */
  readonly hasPassword: boolean
  readonly workerCount: number
  readonly maxWorkers: number
  /** The provider does not have the master. */
  readonly missing: boolean
  /** For a cluster that was given up: another cluster has its address now. */
  readonly addressTaken: boolean
  /** It is suspended: `servers` are stopped, and neither lets anything be ordered. */
  readonly held?: HeldScope | undefined
}
export type HeldScope = 'servers' | 'visitors'

/** Facts of an instance besides its position. */
export interface InstanceFacts {
  readonly role: InstanceRole
  readonly clusterType: ClusterType
  readonly osActive: boolean
  readonly missing: boolean
  readonly clusterStatus: ClusterStatus
  readonly clusterDesired: Desired
  readonly held?: HeldScope | undefined
}

const eventOfAction = {
  start: 'start',
  stop: 'stop',
  restart: 'restart',
  destroyMaster: 'destroy',
  destroyWorker: 'destroy',
  retry: 'retry',
  cancel: 'cancel',
  cancelInstance: 'cancel',
  repair: 'replaced',
  cancelUnpaid: 'cancelUnpaid',
  keep: 'keep',
} as const satisfies { [A in ClusterAction | InstanceAction]?: ClusterEvent }

/** Actions that are moves of the status machine; the others change something beside the status. */
export type MoveAction = keyof typeof eventOfAction

export function eventOf(action: MoveAction): ClusterEvent {
  return eventOfAction[action]
}

/** Why `action` on the cluster is not possible now; undefined when it is. */
export function clusterRefusal(from: Position, facts: ActionFacts, action: ClusterAction): ActionRefusal | undefined {
  const status = shownStatus(from.status, facts.osActive)
  if (isHeldFrom(facts, action)) return { key: 'clusterHeld', params: {} }
  if (action === 'giveUp') return canBeGivenUp(from) ? undefined : giveUpRefusal(from, status)
  if (action === 'takeBack') {
    if (!canBeTakenBack(from)) return from.given_up ? notNow(status, action) : { key: 'notGivenUp', params: {} }
    return facts.addressTaken ? { key: 'addressTaken', params: {} } : undefined
  }
  if (action === 'replaceMachine') return replaceRefusal(from, status, facts)
  if (from.given_up && (action === 'activate' || action === 'addWorker')) return givenUp
  if (action === 'activate') {
    if (!facts.isOwner) return { key: 'ownerOnly', params: {} }
    if (facts.osActive && !isEnded(status)) return { key: 'alreadyActive', params: {} }
    if (from.status !== 'running') return notNow(status, action)
    return facts.hasPassword ? undefined : { key: 'noOneTimePassword', params: {} }
  }
  if (action === 'addWorker') {
    const refusal = from.status === 'running' ? undefined : notNow(status, action)
    // "Wait until it has come to rest" helps only if there is room for another worker afterwards.
    return refusal?.key === 'actionWhileMoving'
      ? (refuseWorkers(facts, 1) ?? refusal)
      : (refusal ?? refuseWorkers(facts, 1))
  }
  return hostRefusal(facts, action) ?? moveRefusal(from, status, facts.missing, action)
}

/** Actions that would start servers which a suspension has stopped. */
const startsServers: ReadonlySet<ClusterAction | InstanceAction> = new Set(['start', 'restart', 'retry', 'repair'])

function isHeldFrom({ held }: Pick<ActionFacts, 'held'>, action: ClusterAction | InstanceAction): boolean {
  if (held === undefined) return false
  return action === 'addWorker' || (held === 'servers' && startsServers.has(action))
}

const givenUp: ActionRefusal = { key: 'givenUp', params: {} }

function replaceRefusal(
  from: Position,
  status: ClusterStatus,
  { clusterType }: Pick<ActionFacts, 'clusterType'>,
): ActionRefusal | undefined {
  if (clusterType !== 'SelfHost') return { key: 'selfHostOnly', params: {} }
  if (from.given_up && !isEnded(from.status) && !isRemoval(from.status)) return givenUp
  if (isAwaitingHost(from)) return { key: 'noMachineToReplace', params: {} }
  return isRefused(transition(from, 'machineReplaced')) ? notNow(status, 'replaceMachine') : undefined
}

function giveUpRefusal({ given_up, status: stored }: Position, status: ClusterStatus): ActionRefusal {
  if (given_up) return givenUp
  return isEnded(stored) || isRemoval(stored) ? notNow(status, 'giveUp') : { key: 'nothingToGiveUp', params: {} }
}

/** Why an action cannot be carried out on a host from here. */
function hostRefusal(
  { clusterType }: Pick<ActionFacts, 'clusterType'>,
  action: ClusterAction | InstanceAction,
): ActionRefusal | undefined {
  if (clusterType !== 'SelfHost') return undefined
  if (action === 'start' || action === 'stop') return { key: 'selfHostPower', params: {} }
  return action === 'repair' ? { key: 'nothingToRepair', params: {} } : undefined
}

/** Why `quantity` more workers would be too many; undefined when they are not. */
export function refuseWorkers(
  { workerCount, maxWorkers }: Pick<ActionFacts, 'workerCount' | 'maxWorkers'>,
  quantity: number,
): ActionRefusal | undefined {
  const wanted = workerCount + quantity
  return wanted > maxWorkers ? { key: 'tooManyWorkers', params: { wanted, most: maxWorkers } } : undefined
}

/** Why `action` on the instance is not possible now; undefined when it is. */
export function instanceRefusal(
  from: Position,
  facts: InstanceFacts,
  action: InstanceAction,
): ActionRefusal | undefined {
  const isMaster = facts.role === 'master'
  if (isHeldFrom(facts, action)) return { key: 'clusterHeld', params: {} }
  if (action === 'destroyWorker' && isMaster) return { key: 'masterByCluster', params: {} }
  const status = isMaster ? shownStatus(from.status, facts.osActive) : from.status
  const refusal = hostRefusal(facts, action) ?? moveRefusal(from, status, facts.missing, action)
  if (refusal || isMaster || (facts.clusterDesired === 'running' && !from.given_up)) return refusal
  // A worker follows its cluster: while that is stopped, it can be got rid of, and nothing else.
  if (action === 'destroyWorker' || action === 'cancelInstance' || action === 'keep') return undefined
  if (from.given_up) return givenUp
  return { key: 'clusterNotRunning', params: { status: facts.clusterStatus } }
}

function moveRefusal(
  from: Position,
  status: ClusterStatus,
  missing: boolean,
  action: MoveAction,
): ActionRefusal | undefined {
  if (action === 'repair' && !missing && !isEnded(from.status)) return { key: 'nothingToRepair', params: {} }
  // Said where the status alone would let it.
  if (from.given_up && isRefused(transition(from, eventOf(action))) && accepts({ ...from, given_up: false }, action))
    return givenUp
  const event = action === 'cancelInstance' && from.status === 'unpaid' ? 'cancelUnpaid' : eventOf(action)
  return isRefused(transition(from, event)) ? notNow(status, action) : undefined
}

/** Why the status machine does not accept `action` in `status`, in the words that help most. */
function notNow(status: ClusterStatus, action: ClusterAction | InstanceAction): ActionRefusal {
  const params = { status, action }
  const isRunning = status === 'running' || status === 'inactivated'
  if (isEnded(status)) return { key: 'actionAfterEnd', params }
  if (action === 'keep') return { key: 'nothingToKeep', params: {} }
  if (action === 'cancelUnpaid') return { key: 'nothingUnpaid', params: {} }
  if (status === 'destroying' || status === 'canceling') return { key: 'alreadyDestroying', params: {} }
  if (action === 'retry' && status !== 'restore_error') return { key: 'nothingToRetry', params: {} }
  if ((action === 'cancel' || action === 'cancelInstance') && canBeDestroyed(status))
    return { key: 'tooLateToCancel', params }
  if (action === 'start' && isRunning) return { key: 'alreadyRunning', params: {} }
  if (action === 'stop' && status === 'stopped') return { key: 'alreadyStopped', params: {} }
  if (action === 'stop' && status === 'stopping') return { key: 'alreadyStopping', params: {} }
  if (isTransitioning(status) && action === 'start' && status !== 'stopping') return { key: 'startsByItself', params }
  if (isTransitioning(status) && isPossibleAfter(status, action)) return { key: 'actionWhileMoving', params }
  if (action === 'stop' || action === 'restart' || action === 'addWorker' || action === 'activate') {
    return { key: 'notRunning', params }
  }
  return { key: 'actionRefused', params }
}

function accepts(from: Position, action: MoveAction): boolean {
  return !isRefused(transition(from, eventOf(action)))
}

function canBeDestroyed(status: ClusterStatus): boolean {
  return !isRefused(transition({ status, resume_stack: [] }, 'destroy'))
}

/** Whether what moves will allow `action` once it rests, as it does when nothing fails. */
function isPossibleAfter(status: ClusterStatus, action: ClusterAction | InstanceAction): boolean {
  const rest = status === 'stopping' ? 'stopped' : 'running'
  if (action === 'giveUp' || action === 'takeBack') return false
  if (action === 'activate' || action === 'addWorker' || action === 'replaceMachine') return rest === 'running'
  return !isRefused(transition({ status: rest, resume_stack: [] }, eventOf(action)))
}

export interface Offer<Action extends string> {
  actions: Action[]
  /** For each of the others, why not. */
  refusals: Partial<Record<Action, string>>
}

/** The actions that the cluster allows now, in the order of `clusterActions`, and the reasons against the others. */
export function offerOfCluster(from: Position, facts: ActionFacts, locale: Locale): Offer<ClusterAction> {
  return makeOffer(clusterActions, (action) => clusterRefusal(from, facts, action), locale)
}

/** The actions that the instance allows now, in the order of `instanceActions`, and the reasons against the others. */
export function offerOfInstance(from: Position, facts: InstanceFacts, locale: Locale): Offer<InstanceAction> {
  return makeOffer(instanceActions, (action) => instanceRefusal(from, facts, action), locale)
}

/** To who sees what only others may act on. */
export function offerNone<Action extends string>(all: readonly Action[], locale: Locale): Offer<Action> {
  return makeOffer(all, () => ({ key: 'ownerOnly', params: {} }), locale)
}

function makeOffer<Action extends string>(
  all: readonly Action[],
  refusalOf: (action: Action) => ActionRefusal | undefined,
  locale: Locale,
): Offer<Action> {
  const actions: Action[] = []
  const refusals: Partial<Record<Action, string>> = {}
  for (const action of all) {
    const refusal = refusalOf(action)
    if (refusal) refusals[action] = errorMessage(refusal.key, locale, refusal.params)
    else actions.push(action)
  }
  return { actions, refusals }
}

/** Refuses with `refusal`, if there is one. */
export function refuseIf(refusal: ActionRefusal | undefined): void {
  if (refusal) refuse(refusal.key, refusal.params)
}
