/**
 * Tasks for agents without tasks, whose state has no `tasks`: each kind they know as the command it was, and its end as
 * the field that reported it. Kinds that they do not know wait until they have been updated.
 */
import { type AgentCommand, type AgentState, taskKinds } from '@atoll/contract/agents'
import type { AgentTask } from '../task-protocol.ts'

/** The old command for `task`; undefined for a kind that has none. */
export function oldCommandFor({ id: taskId, kind, params }: AgentTask): AgentCommand | undefined {
  if (kind === taskKinds.drain.kind) return { type: 'drain', taskId, ...taskKinds.drain.params.parse(params) }
  if (kind === taskKinds.rotate.kind) return { type: 'rotate', taskId }
  if (kind === taskKinds.restart.kind) return { type: 'restart', ...taskKinds.restart.params.parse(params) }
  if (kind === taskKinds.leave.kind) return { type: 'leave', ...taskKinds.leave.params.parse(params) }
  return undefined
}

/** Whether `state`, of an agent without tasks, says that `task` is done. `leave` ends by the message `left`. */
export function isDoneByOldState({ id, kind, params }: AgentTask, state: AgentState): boolean {
  if (kind === taskKinds.drain.kind) return state.drainedTask === id
  if (kind === taskKinds.rotate.kind) return state.rotatedTask === id
  return kind === taskKinds.restart.kind && taskKinds.restart.params.parse(params).bootId !== state.bootId
}
