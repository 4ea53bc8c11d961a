import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ComputeProvider } from '../../../compute/index.ts'
import { absent } from '../../../compute/provider/compute-provider.ts'
import { type Fault, faultyProvider, type ProviderMethod } from '../../../compute/testing/faulty-provider.ts'
import { createMemoryProvider, type MemoryHarness } from '../../../compute/testing/memory-provider.ts'
import type { ClusterRestores } from '../../cluster-deps.ts'
import { removalRetryMs } from '../../decide/facts.ts'
import { describeReason } from '../../lifecycle/stored-reason.ts'
import { clusterSweep } from '../../sweep/sweep.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../../testing/simulated-agents.ts'
import { requestAction } from '../cluster-actions.ts'
import { repairInstance } from '../instance-repair.ts'
import { orderCluster } from '../orders/cluster-create.ts'
import { addWorkers } from '../orders/worker-add.ts'

let instances: MemoryHarness
let unreachable: Set<string>
let faults: (method: ProviderMethod, instanceId: string | undefined) => Fault | undefined
let agents: SimulatedAgents
let harness: ClusterHarness
let owner: string
let begun: Parameters<ClusterRestores['begin']>[2][]
/** Changes of restores and agents, in this order. */
let changed: string[]
/** By how much the clock of the harness is ahead, ms. */
let ahead: number

/** The memory provider with members that can be away: what they hold is listed and cannot be asked. */
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
  faults = () => undefined
  agents = simulateAgents(instances)
  ahead = 0
  const provider = faultyProvider(withMembers(createMemoryProvider(instances)), (method, id) => faults(method, id), 5)
  begun = []
  changed = []
  const { forgetAgents } = agents
  agents.forgetAgents = async (trx, ids) => {
    changed.push('forget')
    await forgetAgents(trx, ids)
  }
  const restores: ClusterRestores = {
    async begin(_, __, asked) {
      changed.push('begin')
      return `rs_brought00${begun.push(asked)}`
    },
    check: async () => undefined,
    again: async (_, id) => id,
    end: async () => undefined,
    list: async (_, ids) => ids.map((id) => ({ id, state: 'done', reason: null })),
    listKin: async () => [],
  }
  harness = await createClusterHarness({
    provider,
    agents,
    restores,
    clock: { now: () => new Date(Date.now() + ahead) },
  })
  owner = await harness.newOwner()
})
afterEach(() => harness[Symbol.asyncDispose]())

const caller = () => callerOf(owner)
const sweep = () => clusterSweep(harness.deps).run({}, harness.jobContext())
async function running(): Promise<{ clusterId: string; master: string }> {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  expect((await harness.settle(clusterId)).status).toBe('running')
  return { clusterId, master: (await harness.rows(clusterId)).master.id }
}
const repair = (clusterId: string, instanceId?: string) =>
  repairInstance(harness.deps, caller(), { clusterId, instanceId })

describe('an instance that its provider lacks', () => {
  test('is found by the sweep, shown as missing, and created again by a repair', async () => {
    const { clusterId, master } = await running()
    await expect(repair(clusterId)).rejects.toMatchObject({ key: 'nothingToRepair' })
    instances.delete(master)
    await harness.database.pool.query('delete from graphile_worker._private_jobs')
    await sweep()
    expect(await harness.countJobs(clusterId)).toBe(1)
    const lost = await harness.settle(clusterId)
    expect(lost).toMatchObject({ status: 'errored', resume_stack: ['running'], missing: true })
    expect(describeReason(lost.error, 'en-US')).toContain('no longer has this instance')
    expect(await repair(clusterId)).toEqual({ status: 'fetching' })
    const renewed = await harness.settle(clusterId)
    expect(renewed).toMatchObject({ status: 'running', missing: false, os_active: false, role: 'master' })
    expect(renewed.id).not.toBe(master)
    expect([...instances.keys()]).toEqual([renewed.id])
    expect((await harness.rows(clusterId)).operations.at(-1)).toMatchObject({ kind: 'repair', state: 'done' })
  })

  describe('with a backup', () => {
    const restore = { backupId: 'bk_reef000000', snapshotId: 'sn_reef000000' }
    const bring = (clusterId: string, who = caller(), instanceId?: string) =>
      repairInstance(harness.deps, who, { clusterId, restore, ...(instanceId !== undefined && { instanceId }) })
    let clusterId: string
    let worker: string
    beforeEach(async () => {
      // The row of a restore is another module's.
      await harness.database.pool.query('alter table instances drop constraint instances_restore_id_fkey')
      const { clusterId: id, master } = await running()
      clusterId = id
      const { instanceIds } = await addWorkers(harness.deps, caller(), { clusterId, offering: 'small', quantity: 1 })
      worker = instanceIds[0] ?? ''
      await harness.settle(clusterId)
      instances.delete(master)
      await harness.settle(clusterId)
    })

    test('is created for that snapshot, with the same address, and its workers wait as they are', async () => {
      const before = await harness.rows(clusterId)
      changed = []
      await bring(clusterId)
      // The backup is locked before agents, as its reconciler does.
      expect(changed).toEqual(['begin', 'forget'])
      expect(begun).toMatchObject([{ clusterId, ...restore, offering: { name: 'small' } }])
      const { cluster, master, operations } = await harness.rows(clusterId)
      expect(master).toMatchObject({ restore_id: 'rs_brought001', has_run: false })
      expect(cluster.host_label).toBe(before.cluster.host_label)
      expect(operations.at(-1)?.steps.map(({ step }) => step)).toContain('restoring')
      expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', missing: false, os_active: false })
      expect((await harness.rows(clusterId)).workers).toMatchObject([{ id: worker, status: 'running' }])
    })

    test('only by its owner, and never a worker, which has no files', async () => {
      const admin = callerOf(await harness.newOwner(), 'Admin')
      await expect(bring(clusterId, admin)).rejects.toMatchObject({ key: 'ownerOnly' })
      instances.delete(worker)
      await harness.settle(clusterId)
      await repair(clusterId)
      await harness.settle(clusterId)
      await expect(bring(clusterId, caller(), worker)).rejects.toMatchObject({ key: 'restoreOfWorker' })
      expect(begun).toEqual([])
    })
  })

  test('that comes back is taken up again automatically', async () => {
    const { clusterId, master } = await running()
    const kept = instances.get(master)
    instances.clear()
    await harness.settle(clusterId)
    if (kept) instances.set(master, kept)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', missing: false, error: null })
  })

  test('a list that is late proves nothing', async () => {
    const stale: Fault = 'stale'
    faults = (method) => (method === 'list' ? stale : undefined)
    await sweep()
    const { clusterId } = await running()
    // The list still says that there is nothing.
    await sweep()
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', missing: false })
    faults = () => undefined
    await sweep()
    faults = (method) => (method === 'list' ? stale : undefined)
    await requestAction(harness.deps, caller(), { call: 'd', action: 'destroyMaster', body: { clusterId } })
    await harness.settle(clusterId)
    // And now it still names what is gone.
    await sweep()
    expect(instances.size).toBe(0)
  })
})

describe('an instance whose host is away', () => {
  test('is offline with the reason, and runs again when its host is back', async () => {
    const { clusterId, master } = await running()
    agents.silent = true
    unreachable.add(master)
    const offline = await harness.settle(clusterId)
    expect(offline).toMatchObject({ status: 'offline', missing: true })
    expect(describeReason(offline.error, 'zh-CN')).toContain('机器“m2”无法访问')
    unreachable.clear()
    agents.silent = false
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', missing: false, error: null })
    expect(instances.get(master)?.boots).toBe(1)
  })

  test('is well while its agent speaks', async () => {
    const { clusterId, master } = await running()
    unreachable.add(master)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
  })

  test('is replaced by a repair, and removed when its host comes back', async () => {
    const { clusterId } = await running()
    const { instanceIds } = await addWorkers(harness.deps, caller(), { clusterId, offering: 'small', quantity: 1 })
    const [old = ''] = instanceIds
    await harness.settle(clusterId)
    unreachable.add(old)
    agents.silent = true
    await harness.reconcile(clusterId)
    agents.silent = false
    expect((await harness.rows(clusterId)).workers[0]?.status).toBe('offline')
    await repair(clusterId, old)
    await harness.settle(clusterId)
    const { workers } = await harness.rows(clusterId)
    expect(workers).toMatchObject([{ status: 'running', ordinal: 1 }])
    expect(instances.size).toBe(3)
    unreachable.clear()
    await sweep()
    expect(instances.has(old)).toBe(false)
    expect(instances.size).toBe(2)
  })

  test('is destroyed at once, and what is left of it when its host comes back', async () => {
    const { clusterId, master } = await running()
    agents.silent = true
    unreachable.add(master)
    await harness.settle(clusterId)
    await requestAction(harness.deps, caller(), { call: 'd', action: 'destroyMaster', body: { clusterId } })
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(instances.size).toBe(1)
    unreachable.clear()
    await sweep()
    expect(instances.size).toBe(0)
  })
})

describe('a provider that refuses', () => {
  test('to destroy: parked with its words, retried automatically, and gone when it gives in', async () => {
    const { clusterId } = await running()
    faults = (method) => (method === 'destroy' ? 'final' : undefined)
    await requestAction(harness.deps, caller(), { call: 'd', action: 'destroyMaster', body: { clusterId } })
    await harness.reconcile(clusterId)
    const { master } = await harness.rows(clusterId)
    expect(master).toMatchObject({ status: 'errored', resume_stack: ['destroying'] })
    expect(describeReason(master.error, 'en-US')).toBe('The provider refused: destroy: no room for this size.')
    faults = () => undefined
    await harness.reconcile(clusterId)
    expect((await harness.rows(clusterId)).master.status).toBe('errored')
    ahead = removalRetryMs
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(instances.size).toBe(0)
    const { operations } = await harness.rows(clusterId)
    expect(operations.map(({ kind, state, asked_by }) => [kind, state, asked_by])).toEqual([
      ['create', 'done', owner],
      ['destroy', 'failed', owner],
      ['destroy', 'done', null],
    ])
  })

  test('to destroy a worker: asked again with its cluster, whatever was to be waited for', async () => {
    const { clusterId } = await running()
    await addWorkers(harness.deps, caller(), { clusterId, offering: 'small', quantity: 1 })
    await harness.settle(clusterId)
    faults = (method) => (method === 'destroy' ? 'final' : undefined)
    const destroy = () =>
      requestAction(harness.deps, caller(), { call: 'd', action: 'destroyMaster', body: { clusterId } })
    await destroy()
    await harness.reconcile(clusterId)
    const { master, workers } = await harness.rows(clusterId)
    expect([master, ...workers]).toMatchObject([
      { status: 'errored', resume_stack: ['destroying'] },
      { status: 'errored', resume_stack: ['destroying'] },
    ])
    faults = () => undefined
    await destroy()
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(instances.size).toBe(0)
    const { operations } = await harness.rows(clusterId)
    const last = operations.filter(({ state, kind }) => state === 'done' && kind.startsWith('destroy'))
    expect(last.map(({ kind }) => kind).toSorted()).toEqual(['destroy', 'destroyWorker'])
  })

  test('for want of room: errored with that reason in both languages, and a retry goes on', async () => {
    faults = (method) => (method === 'ensureInstance' ? 'soldOut' : undefined)
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    const sold = await harness.settle(clusterId)
    expect(sold).toMatchObject({ status: 'errored', resume_stack: ['fetching'] })
    expect(describeReason(sold.error, 'en-US')).toContain('no room for this size now')
    expect(describeReason(sold.error, 'zh-CN')).toContain('没有这种规格的余量')
    faults = () => undefined
    await requestAction(harness.deps, caller(), { call: 'r', action: 'retry', body: { clusterId } })
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', error: null })
  })

  test('for a while: what holds the operation up is shown while it runs', async () => {
    faults = (method) => (method === 'ensureInstance' ? 'error' : undefined)
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    await harness.reconcile(clusterId)
    const { master } = await harness.rows(clusterId)
    expect(describeReason(master.last_failure, 'en-US')).toBe(
      'Last answer of the provider: ensureInstance: 503 Service Unavailable.',
    )
    faults = () => undefined
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', last_failure: null })
  })
})
