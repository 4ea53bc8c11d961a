/** The input of the reconciler's decisions, and the steps that it can decide on. */
import type { InstallState } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { ClusterStatus, InstanceRole } from '@atoll/contract/clusters'
import { backoffMs } from '@atoll/contract/wire'
import type { Standing } from '../../billing/index.ts'
import type { Observed } from '../../compute/index.ts'
import type { MadeForRestore } from '../cluster-deps.ts'
import type { ClusterEvent } from '../lifecycle/cluster-state.ts'
import type { Desired } from '../tables.ts'

/** The instance as the provider reports it, or the reason why the provider cannot be asked. */
export type ProviderView =
  | Pick<Observed, 'state' | 'reason' | 'incarnation' | 'location' | 'silentFrom'>
  | { state: 'unknown'; reason: Reason }

export interface AgentView {
  connected: boolean
  lastSeenAt: Date | null
  /** New each time the agent process starts. */
  bootId: string | null
  install: InstallState
}

export interface Facts {
  now: Date
  role: InstanceRole
  /** On a host: its instances cannot be created again from here. */
  selfHosted: boolean
  status: ClusterStatus
  /** The statuses that the current one interrupts, outermost first. */
  resume_stack: readonly ClusterStatus[]
  given_up: boolean
  /** The desired state of this instance, its cluster's before its own. */
  desired: Desired
  /** With billing; read again under the account's lock before anything comes of it. */
  standing: Standing
  /** When the status last changed. */
  changedAt: Date
  /** Of the operation under way; null when none is. */
  deadlineAt: Date | null
  /** Provider calls since the status changed that failed or led nowhere. */
  failedCalls: number
  lastFailure: Reason | null
  instance: {
    installTask: string
    restartFrom: string | null
    /** The member that it is to be moved to; null: it stays. */
    moveTo: string | null
    previousBootId: string | null
    recoveries: number
    /** Noted that the provider lacks it. */
    missing: boolean
    drainTask: string | null
    /** Its agent says that it finished what it had begun. */
    isDrained: boolean
    drainUntil: Date | null
  }
  /** The restore that it is created for, until that has ended; undefined: it is created empty. */
  restore: Pick<MadeForRestore, 'state' | 'reason'> | undefined
  provider: ProviderView
  agent: AgentView | undefined
  /** Of a master: its workers that are not gone. */
  workers: readonly { status: ClusterStatus; desired: Desired }[]
}

export type ProviderCall = 'create' | 'start' | 'stop' | 'restart' | 'move' | 'destroy'

export type Step =
  | { kind: 'move'; event: ClusterEvent }
  /** `recovers`: brings back an instance that died; counted, so that it ends. */
  | { kind: 'call'; call: ProviderCall; recovers: boolean }
  | { kind: 'note'; restartFrom: string }
  /** Nothing is left of a move; `isMoved: false`: it was given up, and the instance stays where it is. */
  | { kind: 'placed'; isMoved: boolean }
  | { kind: 'drained'; inTime: boolean }
  | { kind: 'observed'; missing: boolean }
  /**
   * `vanished`: the provider lacks what should exist. `silenced`: nobody can tell; it goes on when it reports.
   * `passwordRefused`: it waits for another password.
   */
  | { kind: 'park'; event: 'failed' | 'vanished' | 'silenced' | 'passwordRefused'; reason: Reason }
  /** `because`: shown as what holds the operation up. */
  | { kind: 'wait'; until: Date; because: Reason | null }
  | { kind: 'settled' }

/** How often one operation brings back an instance that dies. */
export const maxRecoveries = 3
/** A running instance that dies again sooner than this after coming back counts as still dying, ms. */
export const stabilityWindowMs = 10 * 60_000
/** A move is given up after so many calls in a row that failed. */
export const maxMoveTries = 3
/** A move ends so long before the deadline of its restart, so that the instance can still be booted. ms */
export const moveReserveMs = 5 * 60_000
/** How long a destruction waits to be confirmed, ms. */
export const confirmWithinMs = 24 * 60 * 60_000
/** Observed again after this while a provider or an agent is expected to move; both also announce it. ms */
export const recheckMs = 2000
/** A host that has not come yet announces itself when it comes. ms */
export const awaitedRecheckMs = 60_000
/** While an agent that is connected works: only in case its report was lost. ms */
export const longRecheckMs = 15_000
/** An agent that disconnected longer ago than this did not disconnect because its instance was ending, ms. */
export const partingMs = 60_000
/** A removal that was parked is tried again after this, ms. */
export const removalRetryMs = 5 * 60_000

/** The same for an instance at rest: nobody waits for it, and a provider that is away has many of them. ms */
const longestRestMs = 5 * 60_000

const firstBackoffMs = 500
const longestBackoffMs = 30_000
/** Deciding is pure: the wait is always the same. */
const whole = () => 1

/** ms to wait after the `failures`-th provider call that failed. */
export function callBackoffMs(failures: number): number {
  return backoffMs(failures, { firstMs: firstBackoffMs, longestMs: longestBackoffMs }, whole)
}

/** ms until an instance at rest is observed again that could not be observed `failures` times in a row. */
export function restBackoffMs(failures: number): number {
  return backoffMs(failures, { firstMs: firstBackoffMs, longestMs: longestRestMs }, whole)
}
