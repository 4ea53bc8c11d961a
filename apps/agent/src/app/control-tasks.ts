/** The tasks of lane `control`, by which the control plane takes care of this agent. */
import { taskKinds } from '@atoll/contract/agents'
import type { Activation } from '../activation/activation.ts'
import { type AgentTask, defineAgentTask } from '../kernel/agent-task.ts'
import { untilAborted } from '../kernel/until-aborted.ts'
import type { Drain } from '../tasks/drain.ts'

export interface ControlTasksOptions {
  draining: Drain
  activation: Pick<Activation, 'rotate'>
  bootId: string
  /** Restarts the process. */
  restart(): void
  /** Gives up who this agent was, then says so and ends the process. */
  leave(wipe: boolean): Promise<void>
}

export function controlTasks({ draining, activation, bootId, restart, leave }: ControlTasksOptions): AgentTask[] {
  return [
    defineAgentTask(taskKinds.drain, async ({ taskId, signal }) => {
      try {
        await untilAborted(draining.begin(taskId), signal)
      } catch (error) {
        draining.giveUp(taskId)
        throw error
      }
      return {}
    }),
    defineAgentTask(taskKinds.rotate, async ({ taskId }) => {
      await activation.rotate(taskId)
      return {}
    }),
    defineAgentTask(taskKinds.restart, async ({ params, signal }) => {
      if (params.bootId === bootId) {
        restart()
        // Done is what the next boot finds.
        await untilAborted(new Promise<never>(() => undefined), signal)
      }
      return {}
    }),
    defineAgentTask(taskKinds.leave, async ({ params, signal }) => {
      // Leaving stops the tasks, this one too.
      await untilAborted(leave(params.wipe), signal)
      return {}
    }),
  ]
}
