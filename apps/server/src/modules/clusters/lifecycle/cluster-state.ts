/**
 * The status machine of clusters and instances: the one place that decides a status (spec §4, design/lifecycle).
 *
 * States   every status of spec §4. `destroyed` and `canceled` are final, every other status can be left.
 *          `inactivated` is how `running` is shown before activation (`shownStatus`); rows store `running`. The table
 *          still answers for it, so that a caller with a shown status gets the same answer.
 * Resume   three statuses are interruptions that lead back: `errored` (retry → the status that failed),
 *          `destroy_to_be_confirmed` (keep) and `waiting_destroy` (settled). Entering one pushes the previous status
 *          onto the resume stack, going back pops it; every other move empties it. A cluster that ran before
 *          `waiting_destroy` was stopped at the provider, so it goes back by starting; it stays stopped if another
 *          cluster has taken over its ID meanwhile (`overdueSettledBeside`).
 * Given up a flag beside the status of a cluster that failed or is silent (`canBeGivenUp`): the status stays, and until
 *          the cluster is taken back only events that destroy it or concern its bills are accepted.
 * Subject  a cluster's status is its master's; workers go through the same statuses, except for activation.
 * Writers  the commands (requests of a person) and reconcile/job.ts (changes of the world and of bills), both through
 *          `transition` and in a transaction that holds the cluster's row.
 * Repeats  pure. Asking twice is safe: the second time the status has moved on and the event is refused, which the
 *          reconciler treats as a lost race and a person sees as a sentence.
 */
import type { ClusterStatus } from '@atoll/contract/clusters'
import { statusLabels } from '@atoll/texts/statuses'

/** Requests of a person (verbs), followed by events of time or the world (participles). */
export const clusterEvents = [
  'start',
  'stop',
  'restart',
  'retry',
  'destroy',
  'askDestroy',
  'keep',
  'cancel',
  'cancelUnpaid',
  'givePassword',
  'paid',
  'expired',
  'allocated',
  'accepted',
  'provisioned',
  'installBegun',
  'installed',
  'restoreBegun',
  'restored',
  'passwordRefused',
  'started',
  'stopped',
  'restarted',
  'activated',
  'lost',
  'vanished',
  'recovered',
  'replaced',
  'machineReplaced',
  'failed',
  'silenced',
  'reported',
  'overdue',
  'overdueSettled',
  'overdueSettledBeside',
  'graceEnded',
  'cancelEnded',
  'removed',
] as const
export type ClusterEvent = (typeof clusterEvents)[number]

type Row = { readonly [E in ClusterEvent]?: ClusterStatus | 'back' }

/** A machine that joined: another may come in its place. */
const replaceable = { machineReplaced: 'destroyed' } as const satisfies Row
/** Accepted in every status that owns something at a provider. */
const destroyable = { destroy: 'destroying', askDestroy: 'destroy_to_be_confirmed' } as const satisfies Row
const running = {
  ...destroyable,
  ...replaceable,
  stop: 'stopping',
  restart: 'restarting',
  activated: 'running',
  lost: 'starting',
  vanished: 'errored',
  silenced: 'offline',
  overdue: 'waiting_destroy',
} as const satisfies Row

/** An absent cell is a refusal. */
export const transitions: { readonly [S in ClusterStatus]: Row } = {
  unpaid: { paid: 'paid', cancelUnpaid: 'canceled', expired: 'canceled' },
  paid: { ...destroyable, allocated: 'fetching' },
  fetching: { ...destroyable, accepted: 'queuing', cancel: 'canceling', failed: 'errored' },
  queuing: { ...destroyable, provisioned: 'pending', cancel: 'canceling', failed: 'errored' },
  pending: { ...destroyable, ...replaceable, installBegun: 'installing', restoreBegun: 'restoring', failed: 'errored' },
  installing: { ...destroyable, ...replaceable, installed: 'running', failed: 'errored' },
  restoring: {
    ...destroyable,
    ...replaceable,
    restored: 'running',
    passwordRefused: 'restore_error',
    failed: 'errored',
  },
  restore_error: { ...destroyable, ...replaceable, givePassword: 'restoring', overdue: 'waiting_destroy' },
  running,
  inactivated: running,
  stopping: { ...destroyable, stopped: 'stopped', vanished: 'errored', failed: 'errored' },
  stopped: { ...destroyable, start: 'starting', vanished: 'errored', overdue: 'waiting_destroy' },
  starting: { ...destroyable, started: 'running', vanished: 'errored', failed: 'errored' },
  restarting: { ...destroyable, ...replaceable, restarted: 'running', vanished: 'errored', failed: 'errored' },
  errored: {
    ...destroyable,
    ...replaceable,
    retry: 'back',
    replaced: 'destroyed',
    recovered: 'running',
    overdue: 'waiting_destroy',
  },
  destroy_to_be_confirmed: { destroy: 'destroying', keep: 'back' },
  waiting_destroy: {
    ...destroyable,
    overdueSettled: 'back',
    overdueSettledBeside: 'stopped',
    graceEnded: 'destroying',
  },
  offline: {
    ...destroyable,
    ...replaceable,
    reported: 'running',
    vanished: 'errored',
    replaced: 'destroyed',
    overdue: 'waiting_destroy',
  },
  canceling: { cancelEnded: 'canceled', failed: 'errored' },
  destroying: { removed: 'destroyed', failed: 'errored' },
  destroyed: {},
  canceled: {},
}

/** A status and the way back to the statuses it interrupts, outermost first. */
export interface Position {
  readonly status: ClusterStatus
  readonly resume_stack: readonly ClusterStatus[]
  /** Its owner gave the machine up. Changed by nothing but giving up and taking back; left out: no. */
  readonly given_up?: boolean
}
/** `status` does not accept `event`. */
export interface Refused {
  readonly refused: ClusterEvent
  readonly status: ClusterStatus
}

/** Events that a machine that was given up still accepts; also `retry` of a removal that failed. */
const leftToGivenUp: ReadonlySet<ClusterEvent> = new Set([
  'destroy',
  'askDestroy',
  'keep',
  'removed',
  'cancelEnded',
  'failed',
  'cancelUnpaid',
  'paid',
  'expired',
  'overdue',
  'overdueSettled',
  'overdueSettledBeside',
  'graceEnded',
])

function isLeftToGivenUp({ resume_stack }: Position, event: ClusterEvent): boolean {
  return leftToGivenUp.has(event) || (event === 'retry' && isRemoval(resume_stack.at(-1)))
}

/** Whether its owner may give the machine up now: it failed, or is not heard from. */
export function canBeGivenUp({ status, given_up = false }: Position): boolean {
  return !given_up && (status === 'errored' || status === 'offline')
}

/** Whether its owner may take a machine back that was given up; one that is being destroyed is past that. */
export function canBeTakenBack({ status, given_up = false }: Position): boolean {
  return given_up && !isRemoval(status) && !isEnded(status)
}

/** Whether a host is awaited that never came: before the first, or after that was waited for too long. */
export function isAwaitingHost({ status, resume_stack }: Position): boolean {
  const awaited = status === 'errored' ? resume_stack.at(-1) : status
  return awaited === 'fetching' || awaited === 'queuing'
}

const interruptions: ReadonlySet<ClusterStatus> = new Set(['errored', 'destroy_to_be_confirmed', 'waiting_destroy'])

/** The position after `event`, or the refusal. Total: never throws. */
export function transition(from: Position, event: ClusterEvent): Position | Refused {
  const target = transitions[from.status][event]
  if (target === undefined || (from.given_up && !isLeftToGivenUp(from, event)))
    return { refused: event, status: from.status }
  if (target !== 'back')
    return { status: target, resume_stack: interruptions.has(target) ? [...from.resume_stack, from.status] : [] }
  const status = from.resume_stack.at(-1)
  if (status === undefined) return { refused: event, status: from.status }
  if (event === 'overdueSettled' && status === 'running') return { status: 'starting', resume_stack: [] }
  return { status, resume_stack: from.resume_stack.slice(0, -1) }
}

export function isRefused(outcome: Position | Refused): outcome is Refused {
  return 'refused' in outcome
}

/** Gone for good: dropped from lists, counts against no quota, can have nothing at a provider. */
export function isEnded(status: ClusterStatus): boolean {
  return status === 'destroyed' || status === 'canceled'
}

export function isRemoval(status: ClusterStatus | undefined): boolean {
  return status === 'destroying' || status === 'canceling'
}

/** Statuses that the reconciler, not a person, has to bring to an end. */
const transitional: ReadonlySet<ClusterStatus> = new Set([
  'paid',
  'fetching',
  'queuing',
  'pending',
  'installing',
  'restoring',
  'stopping',
  'starting',
  'restarting',
  'destroying',
  'canceling',
])
export function isTransitioning(status: ClusterStatus): boolean {
  return transitional.has(status)
}

/** The status in which it serves: what waits to be confirmed goes on as it was. */
export function servedStatus({ status, resume_stack }: Position): ClusterStatus {
  return status === 'destroy_to_be_confirmed' ? (resume_stack.at(-1) ?? status) : status
}

/** A running cluster without an active OS is shown as inactivated (spec §4). */
export function shownStatus(status: ClusterStatus, osActive: boolean): ClusterStatus {
  return status === 'running' && !osActive ? 'inactivated' : status
}

/**
 * Statuses for instance details: the first running instance is shown as inactivated while a one-time password exists
 * (spec §4, "unactived").
 */
export function shownInstanceStatuses(statuses: readonly ClusterStatus[], hasPassword: boolean): ClusterStatus[] {
  const first = hasPassword ? statuses.indexOf('running') : -1
  return statuses.map((status, index) => (index === first ? 'inactivated' : status))
}

/** The English label, as `statusStr` carries it. */
export function statusStr(status: ClusterStatus): string {
  return statusLabels['en-US'][status]
}
