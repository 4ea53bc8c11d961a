/** A real api process's share of agents: HTTP server, enrollment call and channel on a database. For tests. */
import { tmpdir } from 'node:os'
import { agentMessageLimit } from '@atoll/contract/agents'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { mountCalls } from '../../../http/calls.ts'
import { acceptBodies } from '../../../http/request/body.ts'
import { createHttpServer } from '../../../http/server.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Database, type Trx } from '../../../platform/db/index.ts'
import { createListener, type Listener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { refuse } from '../../../platform/refusal.ts'
import { createObserve, type Observe, type SampleWriter } from '../../observe/index.ts'
import { enrollPlugin } from '../enroll/enroll-plugin.ts'
import type { EnrollDeps } from '../enroll/enrollment-service.ts'
import { type AgentRef, type Agents, createAgents, type InstanceOwner } from '../index.ts'

export interface AgentsApp {
  agents: Agents
  observe: Observe
  /** The instances of the samples that were taken, in order. */
  sampled: string[]
  app: FastifyInstance
  database: Database
  listener: Listener
  origin: string
  close(): Promise<void>
}

export interface AgentsAppOptions {
  databaseUrl: string
  /** 0: any free one. */
  port?: number
  ownerDid: string
  publicUrl: string
  onAgentChange?(trx: Trx, agent: AgentRef): Promise<void>
  onTaskChange?: InstanceOwner['onTaskChange']
  taskKinds?: Parameters<typeof createAgents>[0]['taskKinds']
  admitWorker?: EnrollDeps['admitWorker']
  replaceMaster?: EnrollDeps['replaceMaster']
  /** How many times as often as built in everything may be asked; default: 1000. */
  rateFactor?: number
  /** The agent's archive that it offers; undefined: none. */
  archive?: string
}

/** The same in every process, so that each derives the same tokens. */
const key = Buffer.alloc(32, 7)

export async function startAgentsApp(options: AgentsAppOptions): Promise<AgentsApp> {
  const database = createDatabase({ connectionString: options.databaseUrl })
  const listener = await createListener({ connection: { connectionString: options.databaseUrl }, log: silentLog })
  const observe = createObserve({
    db: database.db,
    clock: systemClock,
    log: silentLog,
    onMeasured: async () => undefined,
  })
  const sampled: string[] = []
  const agents = createAgents({
    observe: { startWriter: () => noteSamples(observe.startWriter(), sampled) },
    db: database.db,
    clock: systemClock,
    sealer: createSealer(key),
    listener,
    log: silentLog,
    config: { enrollUrl: 'http://localhost', dataDir: tmpdir() },
    ...(options.taskKinds && { taskKinds: options.taskKinds }),
    owner: {
      admitWorker: options.admitWorker ?? (async () => undefined),
      replaceMaster: options.replaceMaster ?? (async () => undefined),
      onAgentChange: options.onAgentChange ?? (async () => undefined),
      onTaskChange: options.onTaskChange ?? (async () => undefined),
      describeInstance: async (_, instanceId) => ({
        clusterId: 'cl_testtesttesttest',
        instanceId,
        clusterName: 'Reef',
        owner: { did: options.ownerDid, terminusName: 'reef@atoll.test' },
        publicUrl: options.publicUrl,
        product: 'Atoll',
      }),
    },
  })
  const app = await createHttpServer({
    config: {
      publicUrl: 'http://localhost',
      trustProxy: 0,
      rateFactor: options.rateFactor ?? 1000,
      signInRatePerMinute: 1_000_000,
    },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  await app.register(websocket, { options: { maxPayload: agentMessageLimit } })
  mountCalls(app, agents.routes, async () => refuse('signedOut'))
  await app.register(agents.plugin)
  const { archive } = options
  if (archive !== undefined)
    await app.register(
      enrollPlugin({ config: { enrollUrl: 'http://localhost', dataDir: tmpdir() }, log: silentLog, archive }),
    )
  const origin = await app.listen({ port: options.port ?? 0, host: '127.0.0.1' })
  await listener.ready()
  return {
    agents,
    observe,
    sampled,
    app,
    database,
    listener,
    origin,
    async close() {
      await app.close()
      await listener.close()
      await database.close()
    },
  }
}

function noteSamples(writer: SampleWriter, sampled: string[]): SampleWriter {
  return {
    ...writer,
    add(instanceId, metrics) {
      sampled.push(instanceId)
      writer.add(instanceId, metrics)
    },
  }
}
