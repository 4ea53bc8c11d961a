/** A kind of task as this agent carries it out: its kind in the contract, and `run`. */
import type { TaskKind, TaskLane } from '@atoll/contract/agents'
import type { z } from 'zod'

export interface TaskContext<Params> {
  taskId: string
  params: Params
  /** Aborted when the task is canceled, and when the agent stops; it then runs again after the next start. */
  signal: AbortSignal
  /** Says how far it is; of what comes faster than one in a second, the newest. */
  progress(value: Record<string, unknown>): void
}

export interface AgentTask {
  kind: string
  lane: TaskLane
  /** Rejects when the parameters or the result are not of this kind, and when it failed. */
  run(context: TaskContext<unknown>): Promise<unknown>
}

/**
 * `run` may be killed anywhere and is then run again from its start. Its error is shown to people: a sentence they can
 * act on.
 */
export function defineAgentTask<Params extends z.ZodType, Result extends z.ZodType>(
  { kind, lane, params, result }: TaskKind<Params, Result>,
  run: (context: TaskContext<z.output<Params>>) => Promise<z.input<Result>>,
): AgentTask {
  return {
    kind,
    lane,
    run: async (context) => result.parse(await run({ ...context, params: params.parse(context.params) })),
  }
}
