/**
 * States of a run of a backup, and of a restore (spec §4: task states). The one table decides; the store writes.
 *   Pending    waits for its machine, for the password, or for room; `reason` says for which
 *   Started    its task was asked of the agent
 *   Running    the agent has begun it
 *   Completed, Failed, Canceled   its end, written once
 * A run whose agent is lost goes back to Pending: its task is given up first, and what that one still reports changes
 * nothing, as the row names another task or none.
 */
import type { RunState } from '@atoll/contract/backups'

export const runEvents = ['send', 'begin', 'lose', 'complete', 'fail', 'cancel'] as const
export type RunEvent = (typeof runEvents)[number]

const table: Record<RunState, Partial<Record<RunEvent, RunState>>> = {
  Pending: { send: 'Started', fail: 'Failed', cancel: 'Canceled' },
  Started: { begin: 'Running', lose: 'Pending', complete: 'Completed', fail: 'Failed', cancel: 'Canceled' },
  Running: { begin: 'Running', lose: 'Pending', complete: 'Completed', fail: 'Failed', cancel: 'Canceled' },
  Completed: {},
  Failed: {},
  Canceled: {},
}

/** The state after `event`; undefined where the event comes too late or too soon, and changes nothing. */
export function nextRunState(state: RunState, event: RunEvent): RunState | undefined {
  return table[state][event]
}
