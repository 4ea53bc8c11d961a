/** Two edges before one instance, and accounts whose plans say whether they may be served. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import { WebSocketServer } from 'ws'
import { systemClock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { FileDatabase } from '../../../platform/db/testing/use-database.ts'
import { createListener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { putOnPlan } from '../../accounts/account-service.ts'
import { requestPlan } from '../../billing/sell/change-plan.ts'
import { type Harness, openHarness } from '../../billing/testing/billing-harness.ts'
import { catalogOf, testPlans } from '../../billing/testing/test-plans.ts'
import { listLivingClusterIds, listOwners } from '../../clusters/index.ts'
import { createEdge } from '../../edge/index.ts'
import { withoutLimits } from '../../edge/testing/test-edge.ts'
import { createVisitor } from '../../edge/testing/visitor.ts'
import { createTrafficLimits } from '../limits/traffic-limits.ts'
import { createMeters } from '../readings/meters.ts'

/** Traffic included in Free, bytes. */
export const quota = 50_000_000_000

export interface Place {
  harness: Harness
  clusterId: string
  host: string
  /** A visitor of each edge. */
  visits: ReturnType<typeof createVisitor>[]
}

export type TwoEdges = Awaited<ReturnType<typeof startTwoEdges>>

export const callerOf = ({ userid }: Harness) => ({
  userid,
  did: 'did:key:zTest',
  sessionId: 'ss_test',
  role: 'User' as const,
  ip: '127.0.0.1',
})

export async function startTwoEdges(database: FileDatabase) {
  const { db } = database
  /** Accounts that were limited or served again, in order. */
  const turns: string[] = []
  const harnesses = new Map<string, Harness>()
  const hosts = new Map<string, { clusterId: string; owner: string }>()
  const limits = createTrafficLimits({
    db,
    clock: systemClock,
    log: silentLog,
    listOwners,
    listLivingClusterIds,
    async readRoom(from: Db, userid: string) {
      const harness = harnesses.get(userid)
      if (!harness) throw new Error(`${userid} has no desk`)
      return await harness.billing.trafficRoom(from, userid)
    },
    onTurn: async (_, userid) => void turns.push(userid),
  })
  const instance = createServer(async (req, res) => res.end(`${(await text(req)).length}`))
  const sockets = new WebSocketServer({ noServer: true })
  instance.on('upgrade', (req, socket, head) =>
    sockets.handleUpgrade(req, socket, head, (ws) => ws.on('message', (data) => ws.send(data))),
  )
  instance.listen(0, '127.0.0.1')
  await once(instance, 'listening')
  const instancePort = (instance.address() as AddressInfo).port // a TCP listener's address is always this
  const edges = [await startEdge(), await startEdge()]

  async function startEdge() {
    const listener = await createListener({ connection: { connectionString: database.url }, log: silentLog })
    const edge = createEdge({
      db,
      clock: systemClock,
      listener,
      log: silentLog,
      config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits, edgeUpgradedGraceMs: 50 },
      peerProofs: ['proof'],
      agents: { meetDial: async () => undefined, listEnrolled: async (ids) => [...ids] },
      async findRoute(host) {
        const place = hosts.get(host)
        if (!place) return undefined
        const to = { instanceId: 'in_instance0000', host: '127.0.0.1', port: instancePort, serving: true }
        return { ...place, ...to, clusterHost: host, ...(await limits.ofOwner(place.owner)) }
      },
      addTraffic: limits.count,
    })
    return { edge, port: await edge.listen(0), listener }
  }

  /** An account that may sell itself these plans, with a cluster that both edges serve. */
  async function openPlace(plans = testPlans, catalog = catalogOf(plans)): Promise<Place> {
    const { accounts } = (await openHarness(database)).deps
    const harness = await openHarness(database, {
      catalog,
      meters: createMeters({ clock: systemClock }),
      onCapSet: (trx, userid) => limits.forget(trx, userid),
      onStorageTurn: async () => undefined,
      accounts: {
        ...accounts,
        async putOnPlan(trx, userid, plan) {
          await putOnPlan(trx, userid, plan)
          await limits.forget(trx, userid)
        },
      },
    })
    await harness.credit(100_000)
    harnesses.set(harness.userid, harness)
    const clusterId = await harness.insertCluster()
    const host = `${clusterId.slice(3).toLowerCase()}.atoll.test`
    hosts.set(host, { clusterId, owner: harness.userid })
    return { harness, clusterId, host, visits: edges.map(({ port }) => createVisitor(port, host)) }
  }

  const statuses = ({ visits }: Place) => Promise.all(visits.map(async (visit) => (await visit()).status))
  return {
    limits,
    turns,
    edges,
    openPlace,
    statuses,
    use: (clusterId: string, bytes: number) =>
      limits.count(new Date(), [{ clusterId, kind: 'edge', in: bytes, out: 0 }]),
    raise: ({ harness }: Place) => requestPlan(harness.deps, callerOf(harness), { planLevel: 1 }),
    untilAll: (place: Place, status: number) =>
      until(`every edge answers ${status}`, async () => (await statuses(place)).every((one) => one === status)),
    async close() {
      for (const { edge, listener } of edges) {
        await edge.close(100)
        await listener.close()
      }
      instance.closeAllConnections()
      instance.close()
    },
  }
}
