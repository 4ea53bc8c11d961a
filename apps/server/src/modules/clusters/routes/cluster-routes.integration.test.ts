import { customerInfo, subscriptionPeriod } from '@atoll/contract/billing'
import {
  clusterActivation,
  clusterMonitor,
  clusterRename,
  clusterRestart,
  clusterRetry,
  clusterStart,
  clusterStop,
  clusterUsage,
  clusterUsers,
  createCluster,
  destroyMaster,
  instanceDetails,
  mostWorkerCommands,
  resourceInitNew,
  resourceList,
  selfHostCommand,
} from '@atoll/contract/clusters'
import type { Call, CallInput } from '@atoll/contract/wire'
import { type ApiClient, createApiClient, Refused } from '@atoll/testkit'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mountCalls } from '../../../http/calls.ts'
import { acceptBodies } from '../../../http/request/body.ts'
import { createHttpServer } from '../../../http/server.ts'
import { sha256Hex } from '../../../platform/crypto.ts'
import { silentLog } from '../../../platform/log.ts'
import { refuse } from '../../../platform/refusal.ts'
import { createMemoryProvider, type MemoryWorld } from '../../compute/testing/memory-provider.ts'
import { type ClusterWorld, createClusterWorld, testOrder } from '../testing/cluster-world.ts'
import { type SimulatedAgents, simulateAgents } from '../testing/simulated-agents.ts'

const instances: MemoryWorld = new Map()
let agents: SimulatedAgents
let world: ClusterWorld
let app: FastifyInstance
let origin: string

beforeAll(async () => {
  agents = simulateAgents(instances)
  world = await createClusterWorld({ provider: createMemoryProvider(instances), agents })
  app = await createHttpServer({
    config: { publicUrl: 'http://localhost', trustProxy: 0 },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  const expiresAt = new Date(Date.now() + 60_000)
  mountCalls(app, [...world.clusters.routes, ...world.billing.routes], async (userid, token) =>
    token === 'good' ? { userid, sessionId: 'ss_test', role: 'User', expiresAt } : refuse('signedOut'),
  )
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await world[Symbol.asyncDispose]()
})

async function signIn(name?: string): Promise<ApiClient & { userid: string }> {
  const userid = await world.newOwner(name)
  return { ...createApiClient(origin, { userid, token: 'good' }), userid }
}

/** Agents report into rows when they change; here the test does it. */
async function reportAgents(clusterId: string): Promise<void> {
  const { master } = await world.rows(clusterId)
  await world.db.transaction().execute((trx) => world.onAgentChange(trx, { clusterId, instanceId: master.id }))
}

async function runningCluster(api: ApiClient): Promise<string> {
  const { clusterId } = await api.ask(createCluster, testOrder)
  await world.settle(clusterId)
  await reportAgents(clusterId)
  return clusterId
}

describe('the calls', () => {
  test('an order is listed at once, and moves to pending activation', async () => {
    const api = await signIn('lagoon')
    expect(await api.ask(resourceList, {})).toEqual([])
    const { clusterId } = await api.ask(createCluster, testOrder)
    expect(await api.ask(resourceList, {})).toMatchObject([
      {
        clusterId,
        status: 'fetching',
        statusStr: 'Fetching',
        url: null,
        actions: ['destroyMaster', 'cancel'],
        error: null,
      },
    ])
    await world.settle(clusterId)
    await reportAgents(clusterId)
    expect(await api.ask(resourceList, {})).toMatchObject([
      {
        clusterId,
        status: 'inactivated',
        statusStr: 'Pending activation',
        clusterStatus: 'running',
        osActive: false,
        url: 'http://lagoon.atoll.localhost',
        actions: ['stop', 'restart', 'destroyMaster', 'addWorker', 'activate'],
        cpuCoreTotalCount: 2,
        memoryTotalSize: 512,
        workers: [],
        owner: { userid: api.userid, terminusName: 'lagoon@atoll.test' },
      },
    ])
  })

  test('the one-time password is there until activation, and no longer', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    expect(await api.ask(clusterActivation, { clusterId })).toMatchObject({ password: 'ONE-TIME' })
    const detail = await api.ask(instanceDetails, { clusterId })
    expect(detail).toMatchObject({
      userPassword: 'ONE-TIME',
      instanceCount: 1,
      operations: [{ kind: 'create', state: 'done' }],
    })
    expect(detail.data[0]?.status).toBe('inactivated')
    agents.activated = true
    try {
      await reportAgents(clusterId)
      const active = await api.ask(instanceDetails, { clusterId })
      expect(active.userPassword).toBeUndefined()
      expect(active.data[0]?.status).toBe('running')
      await expect(api.ask(clusterActivation, { clusterId })).rejects.toMatchObject({ code: 409 })
      expect(await api.ask(resourceList, {})).toMatchObject([{ status: 'running', osActive: true }])
    } finally {
      agents.activated = false
    }
  })

  test('initNew is what its parts answer', async () => {
    const api = await signIn()
    const empty = await api.ask(resourceInitNew, {})
    expect(empty).toMatchObject({ resourceDetail: null, resourceMetrics: null, resourceData: [] })
    const clusterId = await runningCluster(api)
    const home = await api.ask(resourceInitNew, {})
    expect(home.resourceData).toEqual(await api.ask(resourceList, {}))
    const { now, ...customer } = await api.ask(customerInfo, {})
    expect(home.customerInfo).toEqual({ ...customer, now: expect.any(String) })
    expect(Date.parse(home.customerInfo.now)).toBeLessThanOrEqual(Date.parse(now))
    expect(home.clusterUserAndPeriod.subscriptionPeriod).toEqual(await api.ask(subscriptionPeriod, {}))
    expect(home.resourceDetail).toEqual(await api.ask(instanceDetails, { clusterId }))
    expect(home.clusterUserAndPeriod.clusterUser).toEqual(await api.ask(clusterUsers, {}))
    expect(home.instanceInfo).toMatchObject({ limit: { vCpuQuota: 16, vCpuUsed: 2, maxWorkers: 8 } })
    expect(home.instanceInfo.data).toContainEqual(
      expect.objectContaining({ name: 'big', regionId: 'there', available: false }),
    )
    expect(home.instanceInfo.pricePackage).toMatchObject({ small: { amount: 0, currency: 'usd', interval: 'month' } })
  })

  test('usage and monitor answer before the first measurement', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    expect(await api.ask(clusterUsage, { clusterId })).toMatchObject({
      storage: { value: 0, unitLabel: 'GB', quota: 1 },
      traffic: { value: 0, unitLabel: 'GB' },
    })
    expect(await api.ask(clusterMonitor, { clusterId, range: '7d' })).toMatchObject({
      metrics: { stepMs: 40 * 60_000, workers: null, lastUpdatedAt: null },
    })
  })

  test('monitor answers for one instance of the cluster, and for no other', async () => {
    const api = await signIn()
    const [clusterId, other] = [await runningCluster(api), await runningCluster(api)]
    const [mine, theirs] = await Promise.all(
      [clusterId, other].map(
        async (id) => (await api.ask(instanceDetails, { clusterId: id })).data[0]?.instanceId ?? '',
      ),
    )
    expect(await api.ask(clusterMonitor, { clusterId, instanceId: mine })).toMatchObject({
      metrics: { stepMs: 3 * 60_000, workers: null },
    })
    await expect(api.ask(clusterMonitor, { clusterId, instanceId: theirs })).rejects.toMatchObject({ code: 404 })
  })

  test('actions answer the new status, and a destroyed cluster is gone for every call', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    expect(await api.ask(clusterStop, { clusterId })).toEqual({ status: 'stopping' })
    await expect(api.ask(clusterStart, { clusterId })).rejects.toMatchObject({ code: 409 })
    await world.settle(clusterId)
    expect(await api.ask(clusterStart, { clusterId })).toEqual({ status: 'starting' })
    await world.settle(clusterId)
    expect(await api.ask(destroyMaster, { clusterId, confirm: 'true' })).toEqual({ status: 'destroying' })
    await world.settle(clusterId)
    expect(await api.ask(resourceList, {})).toEqual([])
    expect((await api.send(clusterStop, { clusterId })).code).toBe(404)
    expect((await api.send(instanceDetails, { clusterId })).code).toBe(404)
  })

  test('another name is shown, told to the personal server and written down; its address stays', async () => {
    const api = await signIn('atolls')
    const clusterId = await runningCluster(api)
    const [before] = await api.ask(resourceList, {})
    expect(await api.ask(clusterRename, { clusterId, name: ' Home 2 ' })).toEqual({ name: 'Home 2' })
    expect(await api.ask(resourceList, {})).toMatchObject([
      { name: 'Home 2', url: before?.url, status: before?.status },
    ])
    const { master } = await world.rows(clusterId)
    expect(await world.intake.describeInstance(world.db, master.id)).toMatchObject({ clusterName: 'Home 2' })
    const records = world.db.selectFrom('audit_records').select(['action', 'object_name', 'before', 'after'])
    expect(await records.where('object_id', '=', clusterId).where('action', '=', 'cluster.rename').execute()).toEqual([
      {
        action: 'cluster.rename',
        object_name: 'Home 2',
        before: `{"clusterName":"${before?.name}"}`,
        after: '{"clusterName":"Home 2"}',
      },
    ])
    // The case of its own name may change.
    expect(await api.ask(clusterRename, { clusterId, name: 'home 2' })).toEqual({ name: 'home 2' })
  })

  test('a name that is taken or malformed is refused, and one that is the same changes nothing', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    const other = await api.ask(createCluster, { ...testOrder, name: 'Reef' })
    expect(await api.send(clusterRename, { clusterId, name: 'REEF' })).toMatchObject({
      code: 409,
      message: 'There is already an Atoll named REEF.',
    })
    expect((await api.send(clusterRename, { clusterId, name: ' ' })).message).toContain('A name has 2 to 32')
    await api.ask(clusterRename, { clusterId: other.clusterId, name: 'Reef' })
    const records = world.db.selectFrom('audit_records').select('seq').where('object_id', '=', other.clusterId)
    expect(await records.where('action', '=', 'cluster.rename').execute()).toEqual([])
  })

  test('a repeated action under the same requestId is answered the same, not refused', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    const request = { clusterId, requestId: 'stop-once-1' }
    expect(await api.ask(clusterStop, request)).toEqual({ status: 'stopping' })
    expect(await api.ask(clusterStop, request)).toEqual({ status: 'stopping' })
    expect((await api.send(clusterRestart, request)).code).toBe(409)
    expect((await world.rows(clusterId)).operations.map((operation) => operation.kind)).toEqual(['create', 'stop'])
  })

  test('an unknown field and a malformed id are refused by name, and a destroy without its yes waits for it', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    const { status } = await api.ask(destroyMaster, { clusterId, confirm: false })
    expect(status).toBe('destroy_to_be_confirmed')
    const restore = { ...testOrder, restore: 'x' } as unknown as CallInput<typeof createCluster> // malformed
    expect((await api.send(createCluster, restore)).message).toContain('restore')
    expect((await api.send(clusterStop, { clusterId: "cl_';drop--" })).message).toContain('clusterId')
  })

  test('a refused action is told in the caller’s language', async () => {
    const api = await signIn()
    const clusterId = await runningCluster(api)
    expect((await api.send(clusterStart, { clusterId }, { locale: 'zh-CN' })).message).toBe('它已在运行。')
  })
})

describe('someone else’s cluster', () => {
  const calls: [Call, object][] = [
    [instanceDetails, {}],
    [clusterUsage, {}],
    [clusterMonitor, { range: '12h' }],
    [clusterActivation, {}],
    [clusterStart, {}],
    [clusterStop, {}],
    [clusterRestart, {}],
    [clusterRetry, {}],
    [destroyMaster, { confirm: true }],
  ]
  test.each(calls.map(([call, body]) => [call.name, call, body] as const))(
    'is to %s what a missing one is',
    async (_name, call, body) => {
      const owner = await signIn()
      const stranger = await signIn()
      const clusterId = await runningCluster(owner)
      const before = await world.rows(clusterId)
      const theirs = await stranger.send(call, { ...body, clusterId })
      const missing = await stranger.send(call, { ...body, clusterId: 'cl_aaaaaaaaaaaaaaaaaaaa' })
      expect(theirs).toEqual(missing)
      expect(theirs.code).toBe(404)
      expect(await world.rows(clusterId)).toEqual(before)
      expect((await createApiClient(origin).send(call, { ...body, clusterId })).code).toBe(506)
    },
  )

  test('is in no list, whatever the filter says', async () => {
    const owner = await signIn()
    const stranger = await signIn()
    await runningCluster(owner)
    expect(await stranger.ask(resourceList, { clusterUserid: owner.userid })).toEqual([])
    expect(await stranger.ask(clusterUsers, {})).toMatchObject([{ userid: stranger.userid }])
    expect(await owner.ask(resourceList, { clusterUserid: owner.userid })).toHaveLength(1)
    await expect(createApiClient(origin).ask(resourceList, {})).rejects.toBeInstanceOf(Refused)
  })
})

describe('the way to a cluster', () => {
  test('is found by host in any spelling, and serves only while it runs', async () => {
    const api = await signIn('motu')
    const clusterId = await runningCluster(api)
    const find = (host: string) => world.clusters.findRouteByHost(world.db, host)
    const route = await find('motu.atoll.localhost')
    expect(route).toMatchObject({ clusterId, host: '127.0.0.1', port: 40_000, serving: true })
    expect(await find('MOTU.atoll.localhost:4802')).toEqual(route)
    for (const host of ['atoll.localhost', 'a.motu.atoll.localhost', 'motu.evil.test', "x' or 1.atoll.localhost"]) {
      expect(await find(host)).toBeUndefined()
    }
    await api.ask(clusterStop, { clusterId })
    expect(await find('motu.atoll.localhost')).toMatchObject({ serving: false, starting: false })
    await world.settle(clusterId)
    await api.ask(clusterStart, { clusterId })
    expect(await find('motu.atoll.localhost')).toMatchObject({ serving: false, starting: true })
  })
})

describe('a command for a host', () => {
  const listTokenHashes = async (clusterId: string) =>
    (await world.db.selectFrom('worker_enrollments').selectAll().where('cluster_id', '=', clusterId).execute()).map(
      (row) => row.enroll_token_hash,
    )

  async function selfHosted(api: ApiClient): Promise<string> {
    const clusterId = await runningCluster(api)
    await world.db.updateTable('clusters').set({ cluster_type: 'SelfHost' }).where('id', '=', clusterId).execute()
    return clusterId
  }

  test('is the same one for the same request, and then made and recorded once', async () => {
    const api = await signIn()
    const clusterId = await selfHosted(api)
    const body = { clusterId, role: 'worker' as const, requestId: 'press-of-a-button' }
    const answers = await Promise.all([1, 2, 3].map(() => api.ask(selfHostCommand, body)))
    expect(new Set(answers.map(({ enrollToken }) => enrollToken)).size).toBe(1)
    expect(await listTokenHashes(clusterId)).toEqual([sha256Hex(answers[0]?.enrollToken ?? '')])
    const records = await world.db
      .selectFrom('audit_records')
      .selectAll()
      .where('action', '=', 'cluster.issueToken')
      .where('object_id', '=', clusterId)
      .execute()
    expect(records).toHaveLength(1)
    const other = await api.ask(selfHostCommand, { ...body, requestId: 'another-press' })
    expect(other.enrollToken).not.toBe(answers[0]?.enrollToken)
    const reused = await api.send(selfHostCommand, { ...body, role: 'master' })
    expect([reused.code, reused.message]).toEqual([409, expect.stringContaining('requestId')])
    const [key] = await world.db.selectFrom('request_keys').select('answer').where('owner', '=', api.userid).execute()
    expect(JSON.stringify(key)).not.toContain(answers[0]?.enrollToken)
  })

  test('stays good while at most so many newer ones are not used', async () => {
    const api = await signIn()
    const [clusterId, beside] = [await selfHosted(api), await selfHosted(api)]
    const { enrollToken: others } = await api.ask(selfHostCommand, { clusterId: beside, role: 'worker' })
    const made: string[] = []
    for (let count = 0; count < mostWorkerCommands + 2; count += 1) {
      const { enrollToken } = await api.ask(selfHostCommand, { clusterId, role: 'worker' })
      made.push(sha256Hex(enrollToken))
    }
    expect((await listTokenHashes(clusterId)).sort()).toEqual(made.slice(-mostWorkerCommands).sort())
    expect(await listTokenHashes(beside)).toEqual([sha256Hex(others)])
  })
})
