/** The calls about a cluster, from its order to its end, as its owner asks them. */
import { customerInfo, subscriptionPeriod } from '@atoll/contract/billing'
import {
  cancelInstance,
  clusterActivation,
  clusterInstallLog,
  clusterMonitor,
  clusterRename,
  clusterRestart,
  clusterStart,
  clusterStop,
  clusterUsage,
  clusterUsers,
  createCluster,
  destroyMaster,
  instanceDetails,
  ResourcePage,
  resourceInitNew,
  resourceList,
} from '@atoll/contract/clusters'
import { type CallInput, codes } from '@atoll/contract/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CalledHarness, openCalledHarness } from '../testing/called-harness.ts'
import { type ClusterHarness, testOrder } from '../testing/cluster-harness.ts'

let called: CalledHarness
let harness: ClusterHarness
beforeAll(async () => {
  called = await openCalledHarness()
  harness = called.harness
})
afterAll(() => called[Symbol.asyncDispose]())

describe('the calls', () => {
  test('a cluster is shown at its host of a linked domain, and at the deployment’s own address besides', async () => {
    const api = await called.signIn('lena')
    const [clusterId, other] = [await called.runningCluster(api), await called.runningCluster(api)]
    const addresses = async () => {
      const [{ resourceData }, listed] = [await api.ask(resourceInitNew, {}), await api.ask(resourceList, {})]
      expect(resourceData).toEqual(listed)
      return new Map(listed.map(({ clusterId: id, url, secondUrl }) => [id, { url, secondUrl }]))
    }
    const before = await addresses()
    const edgeUrl = before.get(clusterId)?.url
    expect(before.get(clusterId)).toEqual({ url: expect.stringMatching(/\.atoll\.localhost$/), secondUrl: null })
    const at = new Date()
    const { number } = await harness.db
      .insertInto('domains')
      .values({
        userid: api.userid,
        name: 'reef.example',
        is_apex: true,
        method: 'cname',
        status: 'BINDING',
        txt_token: 'x',
        proven_at: at,
        checks_since: at,
        created_at: at,
        updated_at: at,
      })
      .returning('number')
      .executeTakeFirstOrThrow()
    const host = 'lena.reef.example'
    await harness.db
      .insertInto('cluster_hosts')
      .values({ host, domain: number, cluster_id: clusterId, owner: api.userid })
      .execute()
    const domain = harness.db.updateTable('domains').where('number', '=', number)
    expect(await addresses()).toEqual(before)
    await domain.set({ status: 'ALLOCATED' }).execute()
    const linked = await addresses()
    expect(linked.get(clusterId)).toEqual({ url: `https://${host}`, secondUrl: edgeUrl })
    expect(linked.get(other)).toEqual(before.get(other))
    await domain.set({ problem: 'delegationLost', problem_since: at }).execute()
    expect(await addresses()).toEqual(before)
  })

  test('lists and details carry of an install its steps and last lines, and the whole log has a call of its own', async () => {
    const api = await called.signIn('harbour')
    const clusterId = await called.runningCluster(api)
    const at = '2026-03-01T10:00:00.000Z'
    const lines = Array.from({ length: 150 }, (_, line) => `10:00:00 agent ${line} ${'x'.repeat(100)}`)
    const log = ['prepare', 'start'].map((step) => ({ step, state: 'done', startedAt: at, endedAt: at, lines }))
    const { master } = await harness.rows(clusterId)
    await harness.db
      .updateTable('instances')
      .set({ install_log: JSON.stringify(log) })
      .where('id', '=', master.id)
      .execute()
    const [{ resourceData }, listed] = [await api.ask(resourceInitNew, {}), await api.ask(resourceList, {})]
    for (const cluster of [resourceData[0], listed[0]])
      expect(JSON.parse(cluster?.installLog ?? '')).toEqual([
        { ...log[0], lines: [] },
        { ...log[1], lines: lines.slice(-3) },
      ])
    const { data } = await api.ask(instanceDetails, { clusterId })
    expect(data[0]?.installLog).toBe(listed[0]?.installLog)
    const instanceId = master.id
    for (const asked of [{ clusterId }, { clusterId, instanceId }])
      expect(JSON.parse((await api.ask(clusterInstallLog, asked)).installLog)).toEqual(log)
    const other = await called.signIn('jetty')
    const theirs = await called.runningCluster(other)
    for (const asked of [{ clusterId }, { clusterId, instanceId }, { clusterId: theirs, instanceId }])
      await expect(other.ask(clusterInstallLog, asked)).rejects.toMatchObject({ code: codes.notFound })
  })

  test('who asks for a page of clusters gets it with its figures, and without one the list as it was', async () => {
    const api = await called.signIn('quayside')
    const ids = [await called.runningCluster(api), await called.runningCluster(api)]
    const pageOf = async (page: number) => {
      const { code, data } = await api.send(resourceList, { page, rowsPerPage: 1 })
      expect(code).toBe(codes.ok)
      return ResourcePage.parse(data)
    }
    for (const [at, id] of ids.entries()) {
      const { resources, ...figures } = await pageOf(at + 1)
      expect(resources.map(({ clusterId }) => clusterId)).toEqual([id])
      expect(figures).toEqual({ page: at + 1, rowsPerPage: 1, rowsNumber: 2 })
    }
    expect((await pageOf(3)).resources).toEqual([])
    expect((await api.ask(resourceList, {})).map(({ clusterId }) => clusterId)).toEqual(ids)
    expect(await api.send(resourceList, { page: 0 })).toMatchObject({ code: codes.badParameter })
  })

  test('an order is listed at once, and moves to pending activation', async () => {
    const api = await called.signIn('lagoon')
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
    await harness.settle(clusterId)
    await called.reportAgents(clusterId)
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
        owner: { userid: api.did, terminusName: 'lagoon@atoll.test' },
      },
    ])
  })

  test('the one-time password is there until activation, and no longer', async () => {
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    expect(await api.ask(clusterActivation, { clusterId })).toMatchObject({ password: 'ONE-TIME' })
    const detail = await api.ask(instanceDetails, { clusterId })
    expect(detail).toMatchObject({
      userPassword: 'ONE-TIME',
      instanceCount: 1,
      operations: [{ kind: 'create', state: 'done' }],
    })
    expect(detail.data[0]?.status).toBe('inactivated')
    called.agents.activated = true
    try {
      await called.reportAgents(clusterId)
      const active = await api.ask(instanceDetails, { clusterId })
      expect(active.userPassword).toBeUndefined()
      expect(active.data[0]?.status).toBe('running')
      await expect(api.ask(clusterActivation, { clusterId })).rejects.toMatchObject({ code: 409 })
      expect(await api.ask(resourceList, {})).toMatchObject([{ status: 'running', osActive: true }])
    } finally {
      called.agents.activated = false
    }
  })

  test('initNew is what its parts answer', async () => {
    const api = await called.signIn()
    const empty = await api.ask(resourceInitNew, {})
    expect(empty).toMatchObject({ resourceDetail: null, resourceMetrics: null, resourceData: [] })
    const clusterId = await called.runningCluster(api)
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

  test('the home page answers while the first cluster is one that was canceled', async () => {
    const api = await called.signIn()
    const { clusterId } = await api.ask(createCluster, testOrder)
    const { master } = await harness.rows(clusterId)
    await api.ask(cancelInstance, { instanceId: master.id })
    await harness.settle(clusterId)
    const home = await api.ask(resourceInitNew, {})
    expect(home.resourceData).toMatchObject([{ clusterId, status: 'canceled' }])
    expect(home.resourceDetail).toMatchObject({ data: [], instanceCount: 0 })
    expect(home.resourceMetrics).toMatchObject({ metrics: { content: { cpu: [] }, lastUpdatedAt: null } })
    const instance = { clusterId, instanceId: master.id }
    await expect(api.ask(clusterMonitor, instance)).rejects.toMatchObject({ code: 404 })
  })

  test('usage and monitor answer before the first measurement', async () => {
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    expect(await api.ask(clusterUsage, { clusterId })).toMatchObject({
      // It was ordered with 1024 MiB.
      storage: { value: 0, unitLabel: 'GB', quota: 1.074 },
      traffic: { value: 0, unitLabel: 'GB' },
    })
    expect(await api.ask(clusterMonitor, { clusterId, range: '7d' })).toMatchObject({
      metrics: { stepMs: 40 * 60_000, workers: null, lastUpdatedAt: null },
    })
  })

  test('monitor answers for one instance of the cluster, and for no other', async () => {
    const api = await called.signIn()
    const [clusterId, other] = [await called.runningCluster(api), await called.runningCluster(api)]
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
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    expect(await api.ask(clusterStop, { clusterId })).toEqual({ status: 'stopping' })
    await expect(api.ask(clusterStart, { clusterId })).rejects.toMatchObject({ code: 409 })
    await harness.settle(clusterId)
    expect(await api.ask(clusterStart, { clusterId })).toEqual({ status: 'starting' })
    await harness.settle(clusterId)
    expect(await api.ask(destroyMaster, { clusterId, confirm: 'true' })).toEqual({ status: 'destroying' })
    await harness.settle(clusterId)
    expect(await api.ask(resourceList, {})).toEqual([])
    expect((await api.send(clusterStop, { clusterId })).code).toBe(404)
    expect((await api.send(instanceDetails, { clusterId })).code).toBe(404)
  })

  test('another name is shown, sent to the personal server and audited; its address stays', async () => {
    const api = await called.signIn('atolls')
    const clusterId = await called.runningCluster(api)
    const [before] = await api.ask(resourceList, {})
    expect(await api.ask(clusterRename, { clusterId, name: ' Home 2 ' })).toEqual({ name: 'Home 2' })
    expect(await api.ask(resourceList, {})).toMatchObject([
      { name: 'Home 2', url: before?.url, status: before?.status },
    ])
    const { master } = await harness.rows(clusterId)
    expect(await harness.intake.describeInstance(harness.db, master.id)).toMatchObject({ clusterName: 'Home 2' })
    const records = harness.db.selectFrom('audit_entries').select(['action', 'object_name', 'before', 'after'])
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
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    const other = await api.ask(createCluster, { ...testOrder, name: 'Reef' })
    expect(await api.send(clusterRename, { clusterId, name: 'REEF' })).toMatchObject({
      code: 409,
      message: 'There is already an Atoll named REEF.',
    })
    expect((await api.send(clusterRename, { clusterId, name: ' ' })).message).toContain('A name has 2 to 32')
    await api.ask(clusterRename, { clusterId: other.clusterId, name: 'Reef' })
    const records = harness.db.selectFrom('audit_entries').select('seq').where('object_id', '=', other.clusterId)
    expect(await records.where('action', '=', 'cluster.rename').execute()).toEqual([])
  })

  test('a repeated action under the same requestId is answered the same, not refused', async () => {
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    const request = { clusterId, requestId: 'stop-once-1' }
    expect(await api.ask(clusterStop, request)).toEqual({ status: 'stopping' })
    expect(await api.ask(clusterStop, request)).toEqual({ status: 'stopping' })
    expect((await api.send(clusterRestart, request)).code).toBe(409)
    expect((await harness.rows(clusterId)).operations.map((operation) => operation.kind)).toEqual(['create', 'stop'])
  })

  test('an unknown field and a malformed id are refused by name, and a destroy without its yes waits for it', async () => {
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    const { status } = await api.ask(destroyMaster, { clusterId, confirm: false })
    expect(status).toBe('destroy_to_be_confirmed')
    const restore = { ...testOrder, restore: 'x' } as unknown as CallInput<typeof createCluster> // malformed
    expect((await api.send(createCluster, restore)).message).toContain('restore')
    expect((await api.send(clusterStop, { clusterId: "cl_';drop--" })).message).toContain('clusterId')
  })

  test('a refused action is explained in the caller’s language', async () => {
    const api = await called.signIn()
    const clusterId = await called.runningCluster(api)
    expect((await api.send(clusterStart, { clusterId }, { locale: 'zh-CN' })).message).toBe('它已在运行。')
  })
})
