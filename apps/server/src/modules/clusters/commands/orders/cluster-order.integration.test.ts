import { atollNames } from '@atoll/contract/clusters'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { raiseDoubt, settleDoubt } from '../../../../platform/careful/index.ts'
import { createMemoryProvider } from '../../../compute/testing/memory-provider.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { simulateAgents } from '../../testing/simulated-agents.ts'
import { orderCluster } from './cluster-create.ts'
import { orderSelfHost } from './self-host-order.ts'

let harness: ClusterHarness
beforeAll(async () => {
  harness = await createClusterHarness({ provider: createMemoryProvider(new Map()), agents: simulateAgents(new Map()) })
})
afterAll(() => harness[Symbol.asyncDispose]())

const order = (owner: string, changes: object = {}) =>
  orderCluster(harness.deps, callerOf(owner), { ...testOrder, ...changes })
async function keyOf(answer: Promise<unknown>): Promise<string> {
  return await answer.then(
    () => 'accepted',
    (refusal) => refusal.key ?? String(refusal),
  )
}
async function clustersOf(owner: string) {
  return await harness.db.selectFrom('clusters').selectAll().where('owner', '=', owner).orderBy('created_at').execute()
}

describe('an order', () => {
  test('is answered at once, paid, and leaves cluster, master, operation and one job', async () => {
    const owner = await harness.newOwner('reef')
    const answer = await order(owner)
    expect(answer).toEqual({ clusterId: expect.stringMatching(/^cl_/), status: 'fetching', amount: 0, paid: true })
    const { cluster, master, operations } = await harness.rows(answer.clusterId)
    expect(cluster).toMatchObject({ name: atollNames[0], host_label: 'reef', desired: 'running' })
    expect(master).toMatchObject({ role: 'master', cpu_core_count: 2 })
    expect(operations).toMatchObject([{ kind: 'create', state: 'running' }])
    expect(await harness.countJobs(answer.clusterId)).toBe(1)
  })

  test.each([
    ['cloudUnknown', { cloudName: 'moon' }],
    ['regionUnknown', { regionId: 'moon' }],
    ['offeringUnknown', { offering: 'moon' }],
    ['offeringSoldOut', { offering: 'big', regionId: 'there' }],
    ['versionUnknown', { version: '0.0.0' }],
    ['clusterNameMalformed', { name: '<b>' }],
    ['clusterNameMalformed', { name: 'x' }],
  ])('is refused with %s for %j', async (key, changes) => {
    const owner = await harness.newOwner()
    expect(await keyOf(order(owner, changes))).toBe(key)
    expect(await clustersOf(owner)).toEqual([])
  })

  test('needs permission and an ID', async () => {
    const unnamed = await harness.newOwner(null)
    expect(await keyOf(order(unnamed))).toBe('idNotBound')
    const forbidden = await harness.newOwner()
    await harness.db
      .updateTable('accounts')
      .set({ can_create_cluster: false })
      .where('account_id', '=', forbidden)
      .execute()
    expect(await keyOf(order(forbidden))).toBe('createNotPermitted')
  })

  test('over the quota names the figure; of two at the same instant one wins', async () => {
    const owner = await harness.newOwner(undefined, 3)
    const answers = await Promise.allSettled([order(owner), order(owner)])
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = answers.find((answer) => answer.status === 'rejected')
    expect(refused?.reason).toMatchObject({ key: 'vCpuQuotaPassed', params: { wanted: 4, quota: 3 } })
    expect(await clustersOf(owner)).toHaveLength(1)
  })

  test('of one self-hosted cluster too many is refused; one that is destroyed leaves room', async () => {
    const owner = await harness.newOwner()
    const another = () =>
      orderSelfHost(harness.deps, callerOf(owner), { clusterType: 'SelfHost', reverseProxy: 'none' })
    const answers = await Promise.allSettled([another(), another(), another(), another()])
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(await keyOf(another())).toBe('selfHostTooMany')
    expect(await keyOf(order(owner))).toBe('accepted')
    const gone = (await clustersOf(owner))[0]?.id ?? ''
    await harness.db.updateTable('clusters').set({ status: 'destroyed' }).where('id', '=', gone).execute()
    expect(await keyOf(another())).toBe('accepted')
  })

  test('with a requestId makes one cluster, however often and however fast it is sent', async () => {
    const owner = await harness.newOwner()
    const requestId = 'order-0001'
    const first = await Promise.all([1, 2, 3].map(() => order(owner, { requestId })))
    const again = await order(owner, { requestId })
    expect(new Set([...first, again].map((answer) => answer.clusterId)).size).toBe(1)
    expect(again).toEqual(first[0])
    expect(await clustersOf(owner)).toHaveLength(1)
    expect(await keyOf(order(owner, { requestId, name: 'Another' }))).toBe('requestIdReused')
  })

  test('with the requestId of somebody else is an order of its own', async () => {
    const requestId = 'order-0002'
    const [one, two] = [await harness.newOwner(), await harness.newOwner()]
    const answers = [await order(one, { requestId }), await order(two, { requestId })]
    expect(answers[0]?.clusterId).not.toBe(answers[1]?.clusterId)
  })

  test('that was refused can be sent again with the same requestId', async () => {
    const owner = await harness.newOwner(undefined, 1)
    const requestId = 'order-0003'
    expect(await keyOf(order(owner, { requestId }))).toBe('vCpuQuotaPassed')
    await harness.db.updateTable('accounts').set({ vcpu_quota: 2 }).where('account_id', '=', owner).execute()
    expect(await keyOf(order(owner, { requestId }))).toBe('accepted')
  })

  test('gets the next free name and host label; a taken name is refused without regard to case', async () => {
    const owner = await harness.newOwner('lagoon')
    await Promise.all([order(owner), order(owner), order(owner)])
    const clusters = await clustersOf(owner)
    expect(clusters.map((cluster) => cluster.name).sort()).toEqual([...atollNames.slice(0, 3)].sort())
    expect(clusters.map((cluster) => cluster.host_label).sort()).toEqual(['lagoon', 'lagoon-2', 'lagoon-3'])
    expect(await keyOf(order(owner, { name: atollNames[1].toUpperCase() }))).toBe('clusterNameTaken')
  })

  test('by two people with the same local part gets two labels, also at the same instant', async () => {
    const owners = await Promise.all([harness.newOwner('pearl'), harness.newOwner('pearl@reef.test')])
    await Promise.all(owners.map((owner) => order(owner)))
    const labels = await Promise.all(owners.map(async (owner) => (await clustersOf(owner))[0]?.host_label))
    expect(labels.sort()).toEqual(['pearl', 'pearl-2'])
  })

  test('gets the label of a cluster that is gone, and a name is free again', async () => {
    const owner = await harness.newOwner('coral')
    const [first, second] = [await order(owner), await order(owner)]
    await destroy(second.clusterId, 30)
    expect((await harness.rows((await order(owner)).clusterId)).cluster.host_label).toBe('coral-2')
    await destroy(first.clusterId, 10)
    const { clusterId: next } = await order(owner)
    expect((await harness.rows(next)).cluster).toMatchObject({ host_label: 'coral', name: atollNames[0] })
  })

  test('by another person does not get the label of a cluster that is gone for a year, also not of one given up', async () => {
    const [owner, other] = [await harness.newOwner('kelp'), await harness.newOwner('kelp@reef.test')]
    const labelFor = async (userid: string) => {
      const { clusterId } = await order(userid)
      const label = (await harness.rows(clusterId)).cluster.host_label
      // An order that was canceled leaves nothing behind.
      await harness.db.updateTable('clusters').set({ status: 'canceled' }).where('id', '=', clusterId).execute()
      return label
    }
    const { clusterId } = await order(owner)
    await destroy(clusterId, 364)
    expect([await labelFor(other), await labelFor(owner)]).toEqual(['kelp-2', 'kelp'])
    await destroy(clusterId, 366)
    await raiseDoubt(harness.db, 'clock', 'it jumped', harness.deps.clock.now())
    expect(await labelFor(other)).toBe('kelp-2')
    await settleDoubt(harness.db, 'clock')
    expect(await labelFor(other)).toBe('kelp')
    await harness.db
      .updateTable('clusters')
      .set({ status: 'errored', given_up_at: daysAgo(500) })
      .where('id', '=', clusterId)
      .execute()
    expect([await labelFor(other), await labelFor(owner)]).toEqual(['kelp-2', 'kelp'])
  })

  const daysAgo = (days: number) => new Date(harness.deps.clock.now().getTime() - days * 24 * 60 * 60_000)
  async function destroy(clusterId: string, days: number): Promise<void> {
    const gone = { status: 'destroyed', changed_at: daysAgo(days) } as const
    await harness.db.updateTable('clusters').set(gone).where('id', '=', clusterId).execute()
  }
})
