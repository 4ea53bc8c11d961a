/**
 * Agents that were away when their owner gave them up. Their row is gone and they prove nothing any more, but for
 * this: one that comes back within 30 days is let in to hear that it shall leave, and to nothing else.
 */
import type { AgentCommand } from '@atoll/contract/agents'
import type { WebSocket } from 'ws'
import type { Db } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { proves, readClaim } from '../enroll/enrollment-service.ts'
import { findFarewell, saveLeft } from '../machine-store.ts'
import { readAgentMessage } from './agent-message.ts'

/** From the farewell to its answer; whoever does not answer hears it again. ms */
const answerMs = 10_000
/** How long those who do not come back are remembered, ms. */
export const farewellLifetimeMs = 30 * 24 * 3600_000

export interface Farewell {
  instanceId: string
  wipe: boolean
}

/** What the agent that `authorization` proves is to be told; undefined when there is nothing to tell it. */
export async function findProvenFarewell(db: Db, authorization: string | undefined): Promise<Farewell | undefined> {
  const claim = readClaim(authorization)
  const farewell = claim && (await findFarewell(db, claim.instanceId))
  if (!claim || !farewell || !proves(claim, farewell.tokenHash)) return undefined
  return { instanceId: claim.instanceId, wipe: farewell.wipe }
}

/** Tells the agent to leave; what it says besides that it has is not listened to. */
export function sayFarewell(
  { db, log }: { db: Db; log: Log },
  socket: WebSocket,
  { instanceId, wipe }: Farewell,
): void {
  const timer = setTimeout(() => socket.terminate(), answerMs)
  socket.on('close', () => clearTimeout(timer))
  socket.on('error', (error) => log.warn({ err: error, instanceId }, 'the connection of a leaving agent failed'))
  socket.on('message', (data, isBinary) => {
    if (isBinary || readAgentMessage(data.toString())?.type !== 'left') return
    db.transaction()
      .execute((trx) => saveLeft(trx, instanceId))
      .catch((error: unknown) => log.error({ err: error, instanceId }, 'a farewell was not noted; it is said again'))
      .finally(() => socket.close(1000, 'farewell'))
  })
  socket.send(JSON.stringify({ type: 'leave', wipe } satisfies AgentCommand))
}
