/** Access to a cluster: by strangers, by visitors through its host, and by hosts through a command. */
import {
  clusterActivation,
  clusterMonitor,
  clusterRestart,
  clusterRetry,
  clusterStart,
  clusterStop,
  clusterUsage,
  clusterUsers,
  destroyMaster,
  instanceDetails,
  mostWorkerCommands,
  resourceList,
  selfHostCommand,
} from '@atoll/contract/clusters'
import type { Call } from '@atoll/contract/wire'
import { type ApiClient, createApiClient, Refused } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../platform/crypto.ts'
import { type CalledHarness, openCalledHarness } from '../testing/called-harness.ts'
import type { ClusterHarness } from '../testing/cluster-harness.ts'
import { listClusterUsers } from '../views/cluster-views.ts'

let called: CalledHarness
let harness: ClusterHarness
beforeAll(async () => {
  called = await openCalledHarness()
  harness = called.harness
})
afterAll(() => called[Symbol.asyncDispose]())

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
      const owner = await called.signIn()
      const stranger = await called.signIn()
      const clusterId = await called.runningCluster(owner)
      const before = await harness.rows(clusterId)
      const theirs = await stranger.send(call, { ...body, clusterId })
      const missing = await stranger.send(call, { ...body, clusterId: 'cl_aaaaaaaaaaaaaaaaaaaa' })
      expect(theirs).toEqual(missing)
      expect(theirs.code).toBe(404)
      expect(await harness.rows(clusterId)).toEqual(before)
      expect((await createApiClient(called.origin).send(call, { ...body, clusterId })).code).toBe(506)
    },
  )

  test('is in no list, whatever the filter says', async () => {
    const owner = await called.signIn()
    const stranger = await called.signIn()
    await called.runningCluster(owner)
    expect(await stranger.ask(resourceList, { clusterUserid: owner.did })).toEqual([])
    expect(await stranger.ask(clusterUsers, {})).toMatchObject([{ userid: stranger.did, role: 'User' }])
    expect(await owner.ask(resourceList, { clusterUserid: owner.did })).toHaveLength(1)
    await expect(createApiClient(called.origin).ask(resourceList, {})).rejects.toBeInstanceOf(Refused)
  })
})

test('the users of clusters say who is an Admin', async () => {
  const admin = await called.signIn()
  const owner = await called.signIn()
  await called.runningCluster(owner)
  await harness.db.updateTable('accounts').set({ role: 'Admin' }).where('account_id', '=', admin.userid).execute()
  const users = await listClusterUsers(harness.db, { userid: admin.userid, role: 'Admin' })
  expect(users).toContainEqual(expect.objectContaining({ userid: admin.did, role: 'Admin' }))
  expect(users).toContainEqual(expect.objectContaining({ userid: owner.did, role: 'User' }))
})

describe('the way to a cluster', () => {
  test('is found by host in any spelling, and serves only while it runs', async () => {
    const api = await called.signIn('motu')
    const clusterId = await called.runningCluster(api)
    const find = (host: string) => harness.clusters.findRouteByHost(harness.db, host)
    const route = await find('motu.atoll.localhost')
    expect(route).toMatchObject({ clusterId, host: '127.0.0.1', port: 40_000, serving: true })
    expect(await find('MOTU.atoll.localhost:4802')).toEqual(route)
    for (const host of ['atoll.localhost', 'a.motu.atoll.localhost', 'motu.evil.test', "x' or 1.atoll.localhost"]) {
      expect(await find(host)).toBeUndefined()
    }
    await api.ask(clusterStop, { clusterId })
    expect(await find('motu.atoll.localhost')).toMatchObject({ serving: false, starting: false })
    await harness.settle(clusterId)
    await api.ask(clusterStart, { clusterId })
    expect(await find('motu.atoll.localhost')).toMatchObject({ serving: false, starting: true })
  })

  test.each([
    ['Cloud', 'none', true, 'atafu'],
    ['SelfHost', 'frp', true, 'fangatau'],
    ['SelfHost', 'none', false, 'reao'],
    ['SelfHost', 'cloudflare', false, 'tatakoto'],
  ] as const)('of %s with %s passes our edge: %s, which its owner sees', async (type, proxy, viaEdge, name) => {
    const api = await called.signIn(name)
    const id = await called.runningCluster(api)
    const kept = { cluster_type: type, reverse_proxy: proxy }
    await harness.db.updateTable('clusters').set(kept).where('id', '=', id).execute()
    expect(await api.ask(resourceList, {})).toMatchObject([{ clusterId: id, viaEdge }])
    const route = await harness.clusters.findRouteByHost(harness.db, `${name}.atoll.localhost`)
    expect(route !== undefined).toBe(viaEdge)
  })
})

describe('a command for a host', () => {
  const listTokenHashes = async (clusterId: string) =>
    (await harness.db.selectFrom('worker_enrollments').selectAll().where('cluster_id', '=', clusterId).execute()).map(
      (row) => row.enroll_token_hash,
    )

  async function selfHosted(api: ApiClient): Promise<string> {
    const clusterId = await called.runningCluster(api)
    await harness.db.updateTable('clusters').set({ cluster_type: 'SelfHost' }).where('id', '=', clusterId).execute()
    return clusterId
  }

  test('is the same one for the same request, and then made and recorded once', async () => {
    const api = await called.signIn()
    const clusterId = await selfHosted(api)
    const body = { clusterId, role: 'worker' as const, requestId: 'press-of-a-button' }
    const answers = await Promise.all([1, 2, 3].map(() => api.ask(selfHostCommand, body)))
    expect(new Set(answers.map(({ enrollToken }) => enrollToken)).size).toBe(1)
    expect(await listTokenHashes(clusterId)).toEqual([sha256Hex(answers[0]?.enrollToken ?? '')])
    const records = await harness.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'cluster.issueToken')
      .where('object_id', '=', clusterId)
      .execute()
    expect(records).toHaveLength(1)
    const other = await api.ask(selfHostCommand, { ...body, requestId: 'another-press' })
    expect(other.enrollToken).not.toBe(answers[0]?.enrollToken)
    const reused = await api.send(selfHostCommand, { ...body, role: 'master' })
    expect([reused.code, reused.message]).toEqual([409, expect.stringContaining('requestId')])
    const [key] = await harness.db.selectFrom('request_keys').select('answer').where('owner', '=', api.userid).execute()
    expect(JSON.stringify(key)).not.toContain(answers[0]?.enrollToken)
  })

  test('stays good while at most so many newer ones are not used', async () => {
    const api = await called.signIn()
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
