import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryWorld } from '../../compute/testing/memory-provider.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { orderCluster } from '../commands/cluster-create.ts'
import { type ClusterWorld, callerOf, createClusterWorld, testOrder } from '../testing/cluster-world.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { listEnds, listMeteredInstances } from './metered-instances.ts'

let world: ClusterWorld

beforeAll(async () => {
  const instances: MemoryWorld = new Map()
  world = await createClusterWorld({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
})
afterAll(() => world[Symbol.asyncDispose]())

test('an instance of a cloud is metered until it ends, and it is known whether it is stopped and when it ended', async () => {
  const owner = await world.newOwner('reef')
  const caller = callerOf(owner)
  const { clusterId } = await orderCluster(world.deps, caller, testOrder)
  await world.settle(clusterId)
  const { id: instanceId, disk_mib } = (await world.rows(clusterId)).master
  const metered = async () => (await listMeteredInstances(world.db)).filter((one) => one.clusterId === clusterId)
  const expected = { instanceId, clusterId, owner, diskTotal: disk_mib * 1024 * 1024 }
  expect(await metered()).toEqual([{ ...expected, stopped: false }])
  await requestAction(world.deps, caller, { call: 'clusterStop', action: 'stop', body: { clusterId } })
  await world.settle(clusterId)
  expect(await metered()).toEqual([{ ...expected, stopped: true }])
  expect(await listEnds(world.db, [instanceId, 'in_unknown'])).toEqual([])
  expect(await listEnds(world.db, [])).toEqual([])
  const body = { clusterId, confirm: true }
  await requestAction(world.deps, caller, { call: 'destroyMaster', action: 'destroyMaster', body })
  await world.settle(clusterId)
  expect(await metered()).toEqual([])
  const { changed_at: at } = await world.db
    .selectFrom('instances')
    .select('changed_at')
    .where('id', '=', instanceId)
    .executeTakeFirstOrThrow()
  expect(await listEnds(world.db, [instanceId])).toEqual([{ instanceId, at }])
})

test('a machine of its owner’s is not metered', async () => {
  const owner = await world.newOwner('lagoon')
  const { clusterId } = await orderCluster(world.deps, callerOf(owner), testOrder)
  await world.db.updateTable('clusters').set({ cluster_type: 'SelfHost' }).where('id', '=', clusterId).execute()
  expect((await listMeteredInstances(world.db)).filter((one) => one.clusterId === clusterId)).toEqual([])
})
