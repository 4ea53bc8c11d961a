/**
 * Agents that were away when their owner gave them up. Their row is gone and they prove nothing any more, but for
 * this: one that comes back within 30 days is let in to be asked to leave, and for nothing else.
 */
import { type AgentCommand, type AgentMessage, taskKinds } from '@atoll/contract/agents'
import type { RawData, WebSocket } from 'ws'
import type { Complaints } from '../../../platform/complaints.ts'
import { newId } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { readAgentMessage } from '../agent-message.ts'
import { proves, readClaim } from '../enroll/enrollment-service.ts'
import { agentPace, paceMessages } from '../paced-messages.ts'
import { deletePendingDecommission, findPendingDecommission } from './host-store.ts'

/** From its connection to its leave; an agent that has not left by then is asked again when it next connects. ms */
const answerMs = 10_000
/** How long those who do not come back are remembered, ms. */
export const decommissionLifetimeMs = 30 * 24 * 3600_000

export interface PendingDecommission {
  instanceId: string
  wipe: boolean
}

/** The pending leave of the agent that `authorization` proves; undefined if there is none. */
export async function findProvenDecommission(
  db: Db,
  authorization: string | undefined,
): Promise<PendingDecommission | undefined> {
  const claim = readClaim(authorization)
  const pending = claim && (await findPendingDecommission(db, claim.instanceId))
  if (!claim || !pending || !proves(claim, pending.tokenHash)) return undefined
  return { instanceId: claim.instanceId, wipe: pending.wipe }
}

/**
 * Asks the agent to leave, once its state shows whether it knows tasks; all it sends but `left` is ignored. It has no
 * more of a pace than one that stays.
 */
export function decommission(
  { db, log, complaints }: { db: Db; log: Log; complaints: Complaints },
  socket: WebSocket,
  { instanceId, wipe }: PendingDecommission,
): void {
  const timer = setTimeout(() => socket.terminate(), answerMs)
  let isAsked = false
  let hasLeft = false
  const paced = paceMessages(socket, agentPace, {
    take,
    onHeldBack: () =>
      complaints.warn(instanceId, 'an agent that is to leave sends faster than any does; it is held back'),
  })
  socket.on('close', () => {
    clearTimeout(timer)
    paced.stop()
  })
  socket.on('error', (error) => log.warn({ err: error, instanceId }, 'the connection of a leaving agent failed'))

  function take(data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : readAgentMessage(data.toString())
    if (message?.type === 'state' && !isAsked) {
      isAsked = true
      for (const command of commandsToLeave(message, wipe)) socket.send(JSON.stringify(command))
    }
    if (message?.type !== 'left' || hasLeft) return
    hasLeft = true
    deletePendingDecommission(db, instanceId)
      .catch((error: unknown) => log.error({ err: error, instanceId }, 'a leave was not noted; it is asked again'))
      .finally(() => socket.close(1000, 'decommissioned'))
  }
}

/** No row is left that knows its tasks: what it still does ends, and what it has done it may forget. */
function commandsToLeave({ tasks }: Extract<AgentMessage, { type: 'state' }>, wipe: boolean): AgentCommand[] {
  const { kind } = taskKinds.leave
  return [
    ...tasks.map(({ taskId }) => ({ type: 'taskSeen', taskId }) as const),
    { type: 'task', taskId: newId('at'), kind, params: { wipe } },
  ]
}
