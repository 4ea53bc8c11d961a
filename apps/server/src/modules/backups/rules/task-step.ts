/**
 * Decides the next step of a run or a restore that was requested from an agent. Pure; the reconciler applies the step,
 * and every step may be repeated.
 */
import type { RunState } from '@atoll/contract/backups'
import type { AgentTask } from '../../agents/index.ts'

export type TaskStep =
  /** Nothing yet. */
  | 'wait'
  /** The agent has begun it. */
  | 'begin'
  /** The task has ended: read what came of it. */
  | 'settle'
  /** Ask the agent to end it. */
  | 'cancelTask'
  /** It ends as canceled now: nobody works at it, or nobody can be asked. */
  | 'cancel'
  /** Its agent is lost: it waits again. */
  | 'lose'

export interface TaskFacts {
  state: RunState
  cancelAsked: boolean
  /** Undefined: never asked for, or its agent was forgotten. */
  task: Pick<AgentTask, 'state' | 'isCancelAsked'> | undefined
  /** Its machine has been silent for too long. */
  isLost: boolean
}

export function taskStep({ state, cancelAsked, task, isLost }: TaskFacts): TaskStep {
  if (state === 'Pending') return cancelAsked ? 'cancel' : 'wait'
  if (task?.state === 'done' || task?.state === 'failed') return 'settle'
  if (!task || task.state === 'canceled' || isLost) return cancelAsked ? 'cancel' : 'lose'
  if (cancelAsked && !task.isCancelAsked) return 'cancelTask'
  return task.state === 'running' && state === 'Started' ? 'begin' : 'wait'
}
