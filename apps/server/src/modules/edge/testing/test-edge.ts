/** An edge on a database of its own, the instances behind it, and what visitors who mean harm need. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createTestDatabase } from '@atoll/testkit'
import { systemClock } from '../../../platform/clock.ts'
import { createDatabase, type Database, type Db } from '../../../platform/db/index.ts'
import { createListener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { dialEdge } from '../../relay/testing/dialled-instance.ts'
import type { EdgeLimits } from '../edge-server.ts'
import type { EdgeCertificates } from '../edge-tls.ts'
import { addTraffic, createEdge, type Edge, type EdgeDeps } from '../index.ts'
import type { EdgeRoute } from '../route-cache.ts'

/** How requests get from the edge to an instance. */
export const ways = ['straight', 'over the relay'] as const
export type Way = (typeof ways)[number]

/** For tests in which one visitor does the work of many. */
export const withoutLimits: EdgeLimits = {
  edgeVisitorRequests: 100_000,
  edgeBodyRate: { bytesPerSecond: 0, windowMs: 30_000 },
  edgeAnswerMs: 120_000,
}

export interface TestEdge {
  port: number
  edge: Edge
  db: Db
  pool: Database['pool']
  routes: Map<string, EdgeRoute>
  /** A new name at which `instance` answers. */
  serve(instance: Server, way: Way): Promise<string>
  /** Sends `text` as it is on a connection of its own, which stays open. */
  send(text: string): Socket
  close(): Promise<void>
}

export async function startTestEdge(
  config: Partial<EdgeDeps['config']> = {},
  certificates?: EdgeCertificates,
): Promise<TestEdge> {
  const testDatabase = await createTestDatabase()
  const database = createDatabase({ connectionString: testDatabase.url })
  const listener = await createListener({ connection: { connectionString: testDatabase.url }, log: silentLog })
  const routes = new Map<string, EdgeRoute>()
  const edge = createEdge({
    db: database.db,
    clock: systemClock,
    listener,
    log: silentLog,
    config: {
      host: '127.0.0.1',
      product: 'Atoll',
      trustProxy: 0,
      ...withoutLimits,
      ...config,
    },
    peerProofs: ['proof'],
    agents: {
      meetDial: async ({ authorization: id }) => (id === undefined ? undefined : { instanceId: id }),
      listEnrolled: async (ids) => [...ids],
    },
    findRoute: async (host) => routes.get(host),
    addTraffic: (at, counted) => addTraffic(database.db, at, counted),
    ...(certificates && { openCertificates: () => certificates }),
  })
  const port = await edge.listen(0)
  const servers = new Set<Server>()
  const open = new Set<{ destroy(): void }>()
  let serial = 0

  return {
    port,
    edge,
    db: database.db,
    pool: database.pool,
    routes,
    async serve(instance, way) {
      serial += 1
      const [host, instanceId] = [`reef${serial}.atoll.test`, `in_instance${serial}0000`]
      if (!instance.listening) await once(instance.listen(0, '127.0.0.1'), 'listening')
      servers.add(instance)
      const { port: instancePort } = instance.address() as AddressInfo // a TCP listener's address is always this
      if (way === 'over the relay') open.add((await dialEdge(port, instanceId, instance)).socket)
      routes.set(host, {
        clusterId: `cl_cluster${serial}0000`,
        clusterHost: host,
        instanceId,
        ...(way === 'straight' ? { host: '127.0.0.1', port: instancePort } : { host: '', port: 0, viaRelay: true }),
        serving: true,
      })
      return host
    },
    send(text) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined) // cut by the edge
      socket.write(text)
      open.add(socket)
      return socket
    },
    async close() {
      for (const one of open) one.destroy()
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      await edge.close(100)
      await listener.close()
      await database.close()
      await testDatabase.drop()
    },
  }
}
