import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryHarness } from '../../../compute/testing/memory-provider.ts'
import { requestAction } from '../../commands/cluster-actions.ts'
import { orderCluster } from '../../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { simulateAgents } from '../../testing/simulated-agents.ts'
import { listEnds, listMeteredInstances } from './metered-instances.ts'

let harness: ClusterHarness

beforeAll(async () => {
  const instances: MemoryHarness = new Map()
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
})
afterAll(() => harness[Symbol.asyncDispose]())

test('an instance of a cloud is metered until it ends, and it is known whether it is stopped and when it ended', async () => {
  const owner = await harness.newOwner('reef')
  const caller = callerOf(owner)
  const { clusterId } = await orderCluster(harness.deps, caller, testOrder)
  await harness.settle(clusterId)
  const { id: instanceId, disk_mib } = (await harness.rows(clusterId)).master
  const metered = async () => (await listMeteredInstances(harness.db)).filter((one) => one.clusterId === clusterId)
  const expected = { instanceId, clusterId, owner, diskTotal: disk_mib * 1024 * 1024 }
  expect(await metered()).toEqual([{ ...expected, stopped: false }])
  await requestAction(harness.deps, caller, { call: 'clusterStop', action: 'stop', body: { clusterId } })
  await harness.settle(clusterId)
  expect(await metered()).toEqual([{ ...expected, stopped: true }])
  expect(await listEnds(harness.db, [instanceId, 'in_unknown'])).toEqual([])
  expect(await listEnds(harness.db, [])).toEqual([])
  const body = { clusterId, confirm: true }
  await requestAction(harness.deps, caller, { call: 'destroyMaster', action: 'destroyMaster', body })
  await harness.settle(clusterId)
  expect(await metered()).toEqual([])
  const { changed_at: at } = await harness.db
    .selectFrom('instances')
    .select('changed_at')
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()
  expect(await listEnds(harness.db, [instanceId])).toEqual([{ instanceId, at }])
})

test('a machine of its owner’s is not metered', async () => {
  const owner = await harness.newOwner('lagoon')
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  await harness.db.updateTable('clusters').set({ cluster_type: 'SelfHost' }).where('id', '=', clusterId).execute()
  expect((await listMeteredInstances(harness.db)).filter((one) => one.clusterId === clusterId)).toEqual([])
})
