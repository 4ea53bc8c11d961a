/** Requests to the agents of hosts: to restart, and to leave. */
import { taskKinds } from '@atoll/contract/agents'
import { newId, type Sealer } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { AgentRef } from '../agent-store.ts'
import type { OnTaskChange } from '../tasks/task-exchange.ts'
import { requestTask } from '../tasks/task-service.ts'
import { findFirstTask, saveTaskChange } from '../tasks/task-store.ts'
import { deletePendingDecommission, findWipe, insertPendingDecommission } from './host-store.ts'

/** Asks the agent to restart: once, even if called repeatedly while the boot `bootId` lasts. */
export async function requestRestart(sealer: Sealer, db: Db, instanceId: string, bootId: string): Promise<void> {
  await requestTask(sealer, db, taskKinds.restart, { taskId: newId('at'), instanceId, params: { bootId } })
}

/** Asks the agent to leave, now or, should it be away, when it comes back within 30 days. Again: nothing changes. */
export async function requestLeave(sealer: Sealer, db: Db, instanceId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const wipe = await findWipe(trx, instanceId)
    if (wipe === undefined || (await findFirstTask(trx, instanceId, taskKinds.leave.kind))) return
    await requestTask(sealer, trx, taskKinds.leave, { taskId: newId('at'), instanceId, params: { wipe } })
    await insertPendingDecommission(trx, instanceId)
  })
}

/**
 * The agent left, as it was asked: nothing has to be said any more. False, and nothing changes, for one that was asked
 * nothing: it still is where it should be, whatever it says.
 */
export async function endLeave(trx: Trx, agent: AgentRef, onTaskChange: OnTaskChange): Promise<boolean> {
  const task = await findFirstTask(trx, agent.instanceId, taskKinds.leave.kind)
  if (!task) return false
  const change = { state: 'done', result: {}, reason: null } as const
  if (await saveTaskChange(trx, task.id, change)) await onTaskChange(trx, agent, { ...task, ...change })
  await deletePendingDecommission(trx, agent.instanceId)
  return true
}
