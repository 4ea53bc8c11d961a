/**
 * Tracks connected agents, even if processes die. An api process records every 3 s, in one statement, its live
 * connections. A sweep runs every 2 s in every process and clears connections that were not recorded for 10 s, so an
 * agent whose api process was killed shows as disconnected at most 12 s later. Times are the database's, so the clocks
 * of processes need not agree. A live connection that was swept nevertheless (its process was stopped for a while) is
 * ended by the next record, and the agent reconnects.
 */
import { agentReportIntervalMs } from '@atoll/contract/agents'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker, type Ticker } from '../../../platform/ticker.ts'
import { type AgentRef, clearSilentConnections, touchConnections } from '../agent-store.ts'
import { type AgentConnection, closeCodes } from './agent-connection.ts'

const noteEveryMs = 3000
const sweepEveryMs = 2000
const clearAfterMs = 10_000
/** An agent reports every 5 s; one that missed three is not there (`agentReportIntervalMs`). */
const silentMs = 3 * agentReportIntervalMs
const sweepLimit = 200

/** Notes this process's living connections, and ends the silent ones. */
export function startLivenessReports(deps: { db: Db; log: Log; connections: Map<string, AgentConnection> }): Ticker {
  return startTicker(noteEveryMs, deps.log, 'noting connected agents', async () => {
    const all = [...deps.connections.values()]
    const isSilent = (connection: AgentConnection) => performance.now() - connection.receivedAt > silentMs
    for (const connection of all.filter(isSilent)) connection.end(closeCodes.silent, 'silent for too long')
    const living = all.filter((connection) => !isSilent(connection))
    if (living.length === 0) return
    const ours = new Set(
      await touchConnections(
        deps.db,
        living.map(({ id }) => id),
      ),
    )
    for (const connection of living) {
      if (!ours.has(connection.id) && connection.isOpened) connection.end(closeCodes.replaced, 'connect again')
    }
  })
}

/** Clears connections whose process died. Safe to run in any number of processes. */
export function startSilenceSweep(deps: {
  db: Db
  log: Log
  onAgentChange(trx: Trx, agent: AgentRef): Promise<void>
}): Ticker {
  return startTicker(sweepEveryMs, deps.log, 'finding silent agents', async () => {
    const cleared = await deps.db.transaction().execute(async (trx) => {
      const refs = await clearSilentConnections(trx, clearAfterMs, sweepLimit)
      for (const ref of refs) await deps.onAgentChange(trx, ref)
      return refs
    })
    if (cleared.length > 0) deps.log.warn({ count: cleared.length }, 'agents fell silent')
  })
}
