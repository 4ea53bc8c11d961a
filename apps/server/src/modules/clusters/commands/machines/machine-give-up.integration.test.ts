import type { Locale } from '@atoll/contract/wire'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ComputeProvider } from '../../../compute/index.ts'
import { absent } from '../../../compute/provider/compute-provider.ts'
import { createMemoryProvider, type MemoryHarness } from '../../../compute/testing/memory-provider.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../../testing/simulated-agents.ts'
import { findActiveCluster } from '../../views/active-clusters.ts'
import { toResource } from '../../views/cluster-json.ts'
import { findRouteByHost } from '../../views/cluster-route.ts'
import { getActivation } from '../../views/cluster-service.ts'
import { listClusters } from '../../views/cluster-views.ts'
import { listMeteredInstances } from '../../views/figures/metered-instances.ts'
import { requestAction } from '../cluster-actions.ts'
import { keepInstance } from '../destroy-confirm.ts'
import { orderCluster } from '../orders/cluster-create.ts'
import { giveUpMachine, takeMachineBack } from './machine-give-up.ts'

const locale: Locale = 'en-US'
let instances: MemoryHarness
let unreachable: Set<string>
let agents: SimulatedAgents
let harness: ClusterHarness
let owner: string
/** Clusters that are made of one backup, as the module of backups says. */
let family: Set<string>

function withMembers(provider: ComputeProvider): ComputeProvider {
  return {
    ...provider,
    inspect: async (id) =>
      unreachable.has(id)
        ? { ...absent, state: 'unreachable', reason: 'm2 is away', location: 'm2' }
        : provider.inspect(id),
  }
}

beforeEach(async () => {
  instances = new Map()
  unreachable = new Set()
  family = new Set()
  agents = simulateAgents(instances)
  agents.activated = true
  harness = await createClusterHarness({
    provider: withMembers(createMemoryProvider(instances)),
    agents,
    restores: {
      begin: () => Promise.reject(new Error('This world has no backups')),
      check: () => Promise.reject(new Error('This world has no backups')),
      again: () => Promise.reject(new Error('This world has no backups')),
      end: async () => undefined,
      list: async () => [],
      listKin: async (_db, { clusterId }) => [...family].filter((id) => family.has(clusterId) && id !== clusterId),
    },
  })
  owner = await harness.newOwner()
})
afterEach(() => harness[Symbol.asyncDispose]())

const caller = () => callerOf(owner)
const body = (clusterId: string) => ({ clusterId })
const giveUp = (clusterId: string) => giveUpMachine(harness.deps, caller(), body(clusterId))
const takeBack = (clusterId: string) => takeMachineBack(harness.deps, caller(), body(clusterId))
const ask = (action: 'start' | 'stop' | 'retry' | 'destroyMaster', clusterId: string) =>
  requestAction(harness.deps, caller(), { call: action, action, body: { clusterId, confirm: true } })

async function report(clusterId: string): Promise<void> {
  const { master } = await harness.rows(clusterId)
  await harness.db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId: master.id }))
}

/** Active, as its agent says. */
async function running(): Promise<{ clusterId: string; master: string }> {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  await harness.settle(clusterId)
  await report(clusterId)
  const { master } = await harness.rows(clusterId)
  expect(master).toMatchObject({ status: 'running', os_active: true })
  return { clusterId, master: master.id }
}

async function lose({ clusterId, master }: { clusterId: string; master: string }): Promise<void> {
  agents.silent = true
  unreachable.add(master)
  expect(await harness.settle(clusterId)).toMatchObject({ status: 'offline' })
  agents.silent = false
}

async function shown(clusterId: string) {
  const viewer = caller()
  const row = (await listClusters(harness.db, viewer)).find(({ id }) => id === clusterId)
  if (!row) throw new Error('it is not listed')
  return toResource(row, { config: harness.deps.config, viewer, locale, maxWorkers: 3, hosts: new Map() })
}

describe('a machine that is offline and was given up', () => {
  test('keeps its status and all it has, is charged on, and frees its address for another cluster', async () => {
    const old = await running()
    const { cluster } = await harness.rows(old.clusterId)
    await expect(giveUp(old.clusterId)).rejects.toMatchObject({ key: 'nothingToGiveUp' })
    await lose(old)
    expect((await shown(old.clusterId)).actions).toEqual(['destroyMaster', 'repair', 'giveUp'])
    expect(await giveUp(old.clusterId)).toEqual({ status: 'offline' })
    await expect(giveUp(old.clusterId)).rejects.toMatchObject({ key: 'givenUp' })
    expect(await shown(old.clusterId)).toMatchObject({
      status: 'offline',
      url: null,
      actions: ['destroyMaster', 'takeBack'],
      refusals: {
        restart: expect.stringMatching(/./),
        activate: 'Its machine was given up. Destroy it, or take it back first.',
      },
    })

    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    await harness.settle(clusterId)
    expect((await harness.rows(clusterId)).cluster.host_label).toBe(cluster.host_label)
    const host = `${cluster.host_label}.atoll.localhost`
    expect(await findRouteByHost(harness.deps, harness.db, host)).toMatchObject({ clusterId })
    expect((await shown(old.clusterId)).actions).toEqual(['destroyMaster'])
    await expect(takeBack(old.clusterId)).rejects.toMatchObject({ key: 'addressTaken' })

    // The host is back, and the provider says that it runs: nobody hears it.
    unreachable.clear()
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'offline' })
    expect(instances.get(old.master)?.state).toBe('running')
    const metered = await listMeteredInstances(harness.db)
    expect(metered.map(({ instanceId }) => instanceId)).toContain(old.master)
  })

  test('runs again once it is taken back', async () => {
    const old = await running()
    await lose(old)
    await giveUp(old.clusterId)
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    await harness.settle(clusterId)
    await ask('destroyMaster', clusterId)
    await harness.settle(clusterId)
    unreachable.clear()
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'offline' })
    expect(await takeBack(old.clusterId)).toEqual({ status: 'offline' })
    await expect(takeBack(old.clusterId)).rejects.toMatchObject({ key: 'notGivenUp' })
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'running', given_up: false })
    const audit = await harness.db
      .selectFrom('audit_entries')
      .select('action')
      .where('object_id', '=', old.clusterId)
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['cluster.giveUpMachine', 'cluster.takeBack']),
    )
  })

  test('is kept given up where its destruction is asked and taken back, and is destroyed at last', async () => {
    const old = await running()
    await lose(old)
    await giveUp(old.clusterId)
    await requestAction(harness.deps, caller(), {
      call: 'd',
      action: 'destroyMaster',
      body: { clusterId: old.clusterId, confirm: false },
    })
    expect((await shown(old.clusterId)).actions).toEqual(['destroyMaster', 'keep', 'takeBack'])
    await keepInstance(harness.deps, caller(), body(old.clusterId))
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'offline', given_up: true })
    unreachable.clear()
    await ask('destroyMaster', old.clusterId)
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'destroyed' })
    expect(instances.size).toBe(0)
  })

  test('errored: nothing is retried, and what comes back is not taken up', async () => {
    const old = await running()
    const kept = instances.get(old.master)
    instances.clear()
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'errored' })
    expect(await giveUp(old.clusterId)).toEqual({ status: 'errored' })
    await expect(ask('retry', old.clusterId)).rejects.toMatchObject({ key: 'givenUp' })
    if (kept) instances.set(old.master, kept)
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'errored' })
    await takeBack(old.clusterId)
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'running' })
  })
})

describe('of two clusters of one backup only one uses the ID', () => {
  test('a stopped one is not started beside it, until that one is stopped', async () => {
    const [one, two] = [await running(), await running()]
    await ask('stop', one.clusterId)
    await harness.settle(one.clusterId)
    family = new Set([one.clusterId, two.clusterId])
    await expect(ask('start', one.clusterId)).rejects.toMatchObject({ key: 'rivalActive' })
    await ask('stop', two.clusterId)
    await harness.settle(two.clusterId)
    expect(await ask('start', one.clusterId)).toEqual({ status: 'starting' })
  })

  test('one that failed is not retried beside it', async () => {
    const [one, two] = [await running(), await running()]
    const kept = instances.get(one.master)
    instances.delete(one.master)
    expect(await harness.settle(one.clusterId)).toMatchObject({ status: 'errored' })
    family = new Set([one.clusterId, two.clusterId])
    await expect(ask('retry', one.clusterId)).rejects.toMatchObject({ key: 'rivalActive' })
    await ask('stop', two.clusterId)
    await harness.settle(two.clusterId)
    if (kept) instances.set(one.master, kept)
    expect((await ask('retry', one.clusterId)).status).not.toBe('errored')
  })

  test('one that was given up no longer counts, and returns only when the other is stopped', async () => {
    const old = await running()
    await lose(old)
    expect(await findActiveCluster(harness.db, [old.clusterId])).toMatchObject({ clusterId: old.clusterId })
    // Ordered before: it has an address of its own.
    const next = await running()
    family = new Set([old.clusterId, next.clusterId])
    await giveUp(old.clusterId)
    expect(await findActiveCluster(harness.db, [old.clusterId])).toBeUndefined()
    await expect(takeBack(old.clusterId)).rejects.toMatchObject({ key: 'rivalActive' })
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'offline', given_up: true })
    await ask('stop', next.clusterId)
    await harness.settle(next.clusterId)
    unreachable.clear()
    await takeBack(old.clusterId)
    expect(await harness.settle(old.clusterId)).toMatchObject({ status: 'running' })
    await expect(ask('start', next.clusterId)).rejects.toMatchObject({ key: 'rivalActive' })
  })

  test('a new one is activated once the old one is given up', async () => {
    const old = await running()
    await lose(old)
    agents.activated = false
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    await harness.settle(clusterId)
    await report(clusterId)
    family = new Set([old.clusterId, clusterId])
    await expect(getActivation(harness.deps, caller(), clusterId)).rejects.toMatchObject({ key: 'restoreGuarded' })
    await giveUp(old.clusterId)
    expect(await getActivation(harness.deps, caller(), clusterId)).toMatchObject({ password: 'ONE-TIME' })
  })
})
