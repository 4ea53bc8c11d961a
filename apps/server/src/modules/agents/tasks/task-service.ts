/**
 * Requests tasks of agents. The caller chooses the task's id; changes of the task are passed to `onTaskChange`, in the
 * transaction that records them.
 */
import { type TaskKind, TaskParams } from '@atoll/contract/agents'
import type { z } from 'zod'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { wakeAgent } from '../agent-service.ts'
import type { AgentTask } from '../task-protocol.ts'
import { sealParams } from './sealed-params.ts'
import { insertTask, saveCancel } from './task-store.ts'

export interface TaskRequest<Params> {
  /** Of the caller's making (`newId`); no other task ever has it. */
  taskId: string
  instanceId: string
  params: Params
}

/**
 * Asks the agent for a task: offered now if it is connected, and on each connect until its report names it. While an
 * open task of this kind asks for the same, nothing is added, and that one's id is the answer; parameters that are
 * secret are never the same. Undefined where the agent is not known. Throws on parameters that the kind does not allow.
 */
export async function requestTask<Params extends z.ZodType>(
  sealer: Pick<Sealer, 'seal'>,
  trx: Db | Trx,
  { kind, lane, params: shape, isSecret = false }: TaskKind<Params>,
  { taskId, instanceId, params }: TaskRequest<z.input<Params>>,
): Promise<string | undefined> {
  const open = TaskParams.parse(shape.parse(params))
  const sent = isSecret ? sealParams(sealer, open) : open
  const openId = await insertTask(trx, { id: taskId, instanceId, kind, lane, params: sent })
  await wakeAgent(trx, { instanceId, what: 'tasks' })
  return openId
}

/** Ends a task that was never sent to its agent; undefined where it was sent, or has ended. */
export async function cancelUnsent(trx: Trx, taskId: string): Promise<AgentTask | undefined> {
  return await saveCancel(trx, taskId, { onlyUnsent: true })
}

/**
 * Asks that the task ends. One that was never sent to its agent has ended on return; another ends when its agent
 * reports an end, perhaps done. Undefined when it had ended before.
 */
export async function cancelTask(trx: Trx, taskId: string): Promise<AgentTask | undefined> {
  const task = await saveCancel(trx, taskId)
  if (task) await wakeAgent(trx, { instanceId: task.instanceId, what: 'tasks' })
  return task
}
