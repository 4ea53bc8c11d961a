/** Two edges, a plan, and what visitors of an account notice that has used it up. */
import { once } from 'node:events'
import http, { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { createListener, type Listener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { putOnPlan } from '../../accounts/account-service.ts'
import { requestPlan } from '../../billing/plans/change-plan.ts'
import { type Desk, openDesk } from '../../billing/testing/billing-desk.ts'
import { catalogOf, testPlans } from '../../billing/testing/test-plans.ts'
import { readCurrentUsage } from '../../billing/usage/current-usage.ts'
import { setCap } from '../../billing/usage/set-cap.ts'
import { listLivingClusterIds, listOwners } from '../../clusters/index.ts'
import { createEdge, type Edge, sumTraffic } from '../../edge/index.ts'
import { withoutLimits } from '../../edge/testing/test-edge.ts'
import { createVisitor } from '../../edge/testing/visitor.ts'
import { createMeters } from '../readings/meters.ts'
import { createTrafficLimits, type TrafficLimits } from './traffic-limits.ts'

const sentence = 'Your traffic limit has been exceeded. Upgrade your plan to increase your traffic.'
/** What Free includes, bytes. */
const quota = 50_000_000_000
/** Counted by the hour, and the hour may change in between. */
const begin = new Date()
const database = useDatabase()
let limits: TrafficLimits
/** Accounts that were limited or served again, in order. */
const turns: string[] = []
const edges: { edge: Edge; port: number; listener: Listener }[] = []
let instance: Server
let instancePort: number
const desks = new Map<string, Desk>()
const hosts = new Map<string, { clusterId: string; owner: string }>()

beforeAll(async () => {
  const { db } = database
  const readRoom = async (from: Db, userid: string) => {
    const desk = desks.get(userid)
    if (!desk) throw new Error(`${userid} has no desk`)
    return await desk.billing.trafficRoom(from, userid)
  }
  const onTurn = async (_: unknown, userid: string) => void turns.push(userid)
  limits = createTrafficLimits({
    db,
    clock: systemClock,
    log: silentLog,
    readRoom,
    onTurn,
    listOwners,
    listLivingClusterIds,
  })
  instance = createServer(async (req, res) => res.end(`${(await text(req)).length}`))
  const sockets = new WebSocketServer({ noServer: true })
  instance.on('upgrade', (req, socket, head) =>
    sockets.handleUpgrade(req, socket, head, (ws) => ws.on('message', (data) => ws.send(data))),
  )
  instance.listen(0, '127.0.0.1')
  await once(instance, 'listening')
  instancePort = (instance.address() as AddressInfo).port // a TCP listener's address is always this
  for (let count = 0; count < 2; count += 1) edges.push(await startEdge())
})
afterAll(async () => {
  for (const { edge, listener } of edges) {
    await edge.close(100)
    await listener.close()
  }
  instance.closeAllConnections()
  instance.close()
})

async function startEdge() {
  const listener = await createListener({ connection: { connectionString: database.url }, log: silentLog })
  const edge = createEdge({
    db: database.db,
    clock: systemClock,
    listener,
    log: silentLog,
    config: { host: '127.0.0.1', product: 'Atoll', trustProxy: 0, ...withoutLimits, edgeUpgradedGraceMs: 50 },
    peerProof: 'proof',
    agents: { proveInstance: async () => undefined, listEnrolled: async (ids) => [...ids] },
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

interface Place {
  desk: Desk
  clusterId: string
  host: string
  visits: ReturnType<typeof createVisitor>[]
}

/** An account that may sell itself these plans, with a cluster that both edges serve. */
async function openPlace(plans = testPlans, catalog = catalogOf(plans)): Promise<Place> {
  const { accounts } = (await openDesk(database)).deps
  const desk = await openDesk(database, {
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
  await desk.credit(100_000)
  desks.set(desk.userid, desk)
  const clusterId = await desk.insertCluster()
  const host = `${clusterId.slice(3).toLowerCase()}.atoll.test`
  hosts.set(host, { clusterId, owner: desk.userid })
  return { desk, clusterId, host, visits: edges.map(({ port }) => createVisitor(port, host)) }
}

const use = (clusterId: string, bytes: number) =>
  limits.count(new Date(), [{ clusterId, kind: 'edge', in: bytes, out: 0 }])
const callerOf = ({ userid }: Desk) => ({ userid, sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' })
const raise = ({ desk }: Place) => requestPlan(desk.deps, callerOf(desk), { planLevel: 1 })
const statuses = ({ visits }: Place) => Promise.all(visits.map(async (visit) => (await visit()).status))
const untilAll = (place: Place, status: number) =>
  until(`every edge answers ${status}`, async () => (await statuses(place)).every((one) => one === status))

describe('an account that has used up its traffic', () => {
  test('is served by no edge until its plan is raised; what is under way ends whole', async () => {
    const place = await openPlace()
    const { clusterId, host, visits } = place
    await use(clusterId, quota - 50_000)
    expect(await statuses(place)).toEqual([200, 200])

    const upload = http.request({ port: edges[0]?.port, method: 'POST', headers: { host }, agent: false })
    const uploaded = once(upload, 'response')
    upload.write('a'.repeat(1000))
    const socket = new WebSocket(`ws://127.0.0.1:${edges[1]?.port}/`, { headers: { host } })
    onTestFinished(() => socket.terminate())
    const closed = once(socket, 'close')
    await once(socket, 'open')

    expect((await visits[0]?.({ method: 'POST', body: 'b'.repeat(60_000) }))?.body.toString()).toBe('60000')
    await untilAll(place, 503)
    upload.end('a'.repeat(4000))
    const [answer] = await uploaded
    expect([answer.statusCode, await text(answer)]).toEqual([200, '5000'])
    await closed
    const refused = http.request({
      port: edges[1]?.port,
      headers: { host, connection: 'Upgrade', upgrade: 'websocket' },
      agent: false,
    })
    const [page] = await once(refused.end(), 'response')
    expect([page.statusCode, await text(page)]).toEqual([503, expect.stringContaining(sentence)])
    const { owner } = hosts.get(host) ?? { owner: '' }
    const told = await database.pool.query('select topic, object_id from changes where account = $1', [owner])
    expect(told.rows).toContainEqual({ topic: 'cluster', object_id: clusterId })
    expect(told.rows).toContainEqual({ topic: 'account', object_id: owner })
    // Everything was counted once, what ended after the limit, too.
    await until('counted', async () => (await sumTraffic(database.db, clusterId, begin)).in >= quota + 15_000)

    await raise(place)
    await untilAll(place, 200)
    expect(await limits.limitedUntil(owner)).toBeUndefined()
    expect(turns.filter((userid) => userid === owner)).toHaveLength(2)
  })

  test('is told so in the page of its visitor’s language, with when to come again', async () => {
    const place = await openPlace()
    await use(place.clusterId, quota)
    await untilAll(place, 503)
    const line = await place.visits[0]?.()
    expect(line?.body.toString()).toContain(sentence)
    const wait = Number(line?.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(3600)
    const page = await place.visits[1]?.({ headers: { accept: 'text/html', 'accept-language': 'en' } })
    expect([page?.headers['content-language'], page?.body.toString()]).toEqual([
      'en-US',
      expect.stringContaining(sentence),
    ])
    const chinese = await place.visits[1]?.({ headers: { accept: 'text/html', 'accept-language': 'zh-CN' } })
    expect(chinese?.body.toString()).toContain('流量已超出上限')
  })

  test('is served on where more is charged, up to the cap, and again when that is raised', async () => {
    const [free, ...others] = testPlans
    if (!free) throw new Error('There is no Free plan')
    const place = await openPlace([{ ...free, overage: { cloud_traffic: { usd: '0.03' } } }, ...others])
    const { desk, clusterId } = place
    await use(clusterId, quota + 20_000_000_000)
    expect(await statuses(place)).toEqual([200, 200])
    await setCap(desk.deps, callerOf(desk), { amount: 100 })
    await use(clusterId, 10_000_000_000)
    expect(await statuses(place)).toEqual([200, 200])
    await use(clusterId, 5_000_000_000)
    await untilAll(place, 503)
    await setCap(desk.deps, callerOf(desk), { amount: 200 })
    await untilAll(place, 200)
  })

  test('is told to edges with the bandwidth of its plan, that of a new plan and of a new catalogue', async () => {
    let plans = testPlans
    const place = await openPlace(plans, { current: () => catalogOf(plans).current() })
    const { clusterId, desk } = place
    const rate = async () => (await limits.ofOwner(desk.userid)).bytesPerSecond
    expect(await rate()).toBeUndefined()
    await use(clusterId, 1000)
    expect(await rate()).toBe(20 * 125_000)
    await raise(place)
    await use(clusterId, 1000)
    expect(await rate()).toBe(20 * 125_000)
    const other = await openPlace(plans, { current: () => catalogOf(plans).current() })
    await use(other.clusterId, 1000)
    plans = plans.map((plan) => ({ ...plan, quotas: { ...plan.quotas, bandwidthMbit: 80 } }))
    await use(other.clusterId, 1000)
    expect((await limits.ofOwner(other.desk.userid)).bytesPerSecond).toBe(20 * 125_000)
    await limits.forgetAll()
    await use(other.clusterId, 1000)
    expect((await limits.ofOwner(other.desk.userid)).bytesPerSecond).toBe(80 * 125_000)
    const { rows } = await database.pool.query("select 1 from changes where object_id = $1 and topic = 'cluster'", [
      other.clusterId,
    ])
    // The edges heard of it each time.
    expect(rows).toHaveLength(2)
  })

  test('whose plan falls below what it used is told so and stopped with what it moves next', async () => {
    let plans = testPlans
    const place = await openPlace(plans, { current: () => catalogOf(plans).current() })
    const { clusterId, desk } = place
    await use(clusterId, 20_000_000_000)
    expect(await statuses(place)).toEqual([200, 200])
    plans = plans.map((plan) => ({ ...plan, quotas: { ...plan.quotas, trafficGB: plan.level === 0 ? 10 : 300 } }))
    await limits.forgetAll()
    await use(clusterId, 1000)
    await untilAll(place, 503)
    expect(await limits.limitedUntil(desk.userid)).toBeInstanceOf(Date)
    const usage = await readCurrentUsage(desk.deps, database.db, desk.userid)
    expect(usage.products.find(({ product }) => product === 'cloud_traffic')).toMatchObject({ state: 'limited' })
    await raise(place)
    await untilAll(place, 200)
  })

  test('that asked for a lower plan keeps what it paid for until the period ends', async () => {
    const place = await openPlace()
    const { clusterId, desk } = place
    await raise(place)
    await use(clusterId, quota + 20_000_000_000)
    await requestPlan(desk.deps, callerOf(desk), { planLevel: 0 })
    await limits.forgetAll()
    await use(clusterId, 1000)
    expect(await limits.limitedUntil(desk.userid)).toBeUndefined()
    expect(await statuses(place)).toEqual([200, 200])
  })

  test('does not stop others', async () => {
    const [place, other] = [await openPlace(), await openPlace()]
    await Promise.all([use(place.clusterId, quota), use(other.clusterId, 1000)])
    await untilAll(place, 503)
    expect(await statuses(other)).toEqual([200, 200])
  })
})
