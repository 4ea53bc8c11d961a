/**
 * Parameters of the kinds that carry a secret: in the row they are one sealed text, from the moment that they are asked
 * for until the task has ended. Only what is sent to the agent holds them openly.
 */
import { TaskParams } from '@atoll/contract/agents'
import { z } from 'zod'
import type { Sealer } from '../../../platform/crypto.ts'
import type { AgentTask } from '../task-protocol.ts'

const SealedParams = z.strictObject({ sealed: z.string() })
type SealedParams = z.infer<typeof SealedParams>

export function sealParams(sealer: Pick<Sealer, 'seal'>, params: z.infer<typeof TaskParams>): SealedParams {
  return { sealed: sealer.seal('task parameters', JSON.stringify(params)) }
}

/** `task` as it is sent to its agent. */
export function openParams(sealer: Pick<Sealer, 'open'>, task: AgentTask): AgentTask {
  const { success, data } = SealedParams.safeParse(task.params)
  return success ? { ...task, params: TaskParams.parse(JSON.parse(sealer.open('task parameters', data.sealed))) } : task
}
