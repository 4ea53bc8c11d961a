/** The agents' WebSocket: who may open it, and what this process does with the connections it holds. */
import { agentChannelPath, agentReportIntervalMs } from '@atoll/contract/agents'
import '@fastify/websocket'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import type { Listener } from '../../../platform/events/index.ts'
import { createGate } from '../../../platform/gate.ts'
import type { Observe } from '../../observe/index.ts'
import { agentWakeChannel } from '../agent-service.ts'
import { findProvenInstance } from '../enroll/enrollment-service.ts'
import { decommission, findProvenDecommission, type PendingDecommission } from '../hosts/pending-decommission.ts'
import { type AgentConnection, type AgentConnectionDeps, closeCodes, serveAgent } from './agent-connection.ts'
import { startChannelLease } from './channel-lease.ts'
import { startLivenessReports, startSilenceSweep } from './liveness.ts'

export interface AgentChannelDeps extends AgentConnectionDeps {
  listener: Listener
  observe: Pick<Observe, 'startWriter'>
}

const Wake = z.object({
  instanceId: z.string(),
  what: z.enum(['install', 'tasks', 'config', 'replaced', 'forgotten']),
})

/** Agents that are served by the database at a time; each step takes up to three of the pool's connections. */
const servedAtOnce = 3

/** Needs `@fastify/websocket` with `maxPayload: agentMessageLimit`, which `http/app.ts` registers for everyone. */
export function agentChannelPlugin(deps: AgentChannelDeps): FastifyPluginAsync {
  return async (app) => {
    const connections = new Map<string, AgentConnection>()
    const leaving = new Set<Promise<void>>()
    const gate = createGate(servedAtOnce)
    const samples = deps.observe.startWriter()
    const proven = new WeakMap<object, string>()
    const leavers = new WeakMap<object, PendingDecommission>()

    app.get(
      agentChannelPath,
      {
        websocket: true,
        onRequest: async (request, reply) => {
          const instanceId = await gate(() => findProvenInstance(deps.db, request.headers.authorization))
          const pending =
            instanceId === undefined && (await findProvenDecommission(deps.db, request.headers.authorization))
          if (pending) return void leavers.set(request, pending)
          if (instanceId === undefined) return await reply.code(401).send()
          proven.set(request, instanceId)
        },
      },
      (socket, request) => {
        const pending = leavers.get(request)
        if (pending) return decommission(deps, socket, pending)
        const instanceId = proven.get(request)
        if (instanceId === undefined) throw new Error('an upgrade passed without proof')
        const gone = serveAgent(deps, { socket, instanceId, connections, samples, gate })
        leaving.add(gone)
        void gone.finally(() => leaving.delete(gone))
      },
    )

    const stopListening = [
      deps.listener.on(agentWakeChannel, (payload) => obeyWake(connections, Wake.parse(payload))),
      // Wakes that the listener missed are read from the database.
      deps.listener.onResync(() => {
        for (const connection of connections.values()) {
          connection.checkOwnership()
          connection.offer('install')
          connection.offer('tasks')
        }
      }),
    ]
    const reports = startLivenessReports({ ...deps, connections })
    const sweep = startSilenceSweep(deps)
    const lease = await startChannelLease(deps)
    const beats = setInterval(() => {
      for (const connection of connections.values()) connection.beat()
    }, agentReportIntervalMs)

    app.addHook('preClose', async () => {
      clearInterval(beats)
      for (const stop of stopListening) stop()
      for (const connection of connections.values()) connection.end(1001, 'the server stops')
    })
    app.addHook('onClose', async () => {
      await Promise.all(leaving)
      await Promise.all([reports.stop(), sweep.stop(), lease.stop(), samples.stop()])
    })
  }
}

function obeyWake(connections: Map<string, AgentConnection>, { instanceId, what }: z.infer<typeof Wake>): void {
  const connection = connections.get(instanceId)
  if (!connection) return
  if (what === 'install' || what === 'tasks' || what === 'config') connection.offer(what)
  else if (what === 'forgotten') connection.end(closeCodes.forgotten, 'the instance is gone')
  else connection.checkOwnership()
}
