/** The agents' WebSocket: who may open it, and what this process does with the connections it holds. */
import { agentChannelPath, agentReportIntervalMs } from '@atoll/contract/agents'
import { rates } from '@atoll/contract/wire'
import '@fastify/websocket'
import type { FastifyPluginAsync } from 'fastify'
import { z } from 'zod'
import { createComplaints } from '../../../platform/complaints.ts'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Listener } from '../../../platform/events/index.ts'
import { createGate } from '../../../platform/gate.ts'
import type { Observe } from '../../observe/index.ts'
import { agentWakeChannel } from '../agent-service.ts'
import { decommission, findProvenDecommission, type PendingDecommission } from '../hosts/pending-decommission.ts'
import { type AgentConnection, type AgentConnectionDeps, closeCodes, serveAgent } from './agent-connection.ts'
import { startChannelLease } from './channel-lease.ts'
import { holdUntilProven } from './hold-until-proven.ts'
import { startLivenessReports, startSilenceSweep } from './liveness.ts'
import { type Met, meetDial } from './meet-dial.ts'

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
    const complaints = createComplaints(deps.log)
    const samples = deps.observe.startWriter()
    const met = new WeakMap<object, NonNullable<Met>>()
    const leavers = new WeakMap<object, PendingDecommission>()

    app.get(
      agentChannelPath,
      {
        websocket: true,
        config: {
          rate: rates.dial,
          access: { openBecause: 'an agent proves itself by its own token' },
          // By the token that is shown, which is an agent's own.
          accountOf: ({ headers }) => sha256Hex(headers.authorization ?? ''),
        },
        onRequest: async (request, reply) => {
          const { headers } = request
          const dialled = await gate(() => meetDial(deps, headers))
          const pending = dialled === undefined && (await findProvenDecommission(deps.db, headers.authorization))
          if (pending) return void leavers.set(request, pending)
          if (dialled === undefined) return await reply.code(401).send()
          met.set(request, dialled)
        },
      },
      (socket, request) => {
        const pending = leavers.get(request)
        if (pending) return decommission({ ...deps, complaints }, socket, pending)
        const dialled = met.get(request)
        if (dialled === undefined) throw new Error('an upgrade passed without proof')
        // Taken in and closed: what a refused upgrade says, a WebSocket's client does not hear.
        if ('refusal' in dialled) return socket.close(closeCodes[dialled.refusal], dialled.refusal)
        const { instanceId, prove } = dialled
        const serve = () => {
          const gone = serveAgent(deps, {
            socket,
            instanceId,
            host: request.host,
            connections,
            samples,
            gate,
            complaints,
          })
          leaving.add(gone)
          void gone.finally(() => leaving.delete(gone))
        }
        if (!prove) return serve()
        holdUntilProven(socket, { prove: () => gate(prove), log: deps.log }, (proof, sendOn) => {
          if (proof === 'again') return socket.close(closeCodes.replaced, 'connect again')
          if (proof !== 'serves') return socket.close(closeCodes[proof], proof)
          serve()
          sendOn()
        })
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
      complaints.flush()
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
