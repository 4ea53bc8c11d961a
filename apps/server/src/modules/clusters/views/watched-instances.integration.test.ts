import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryWorld } from '../../compute/testing/memory-provider.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { orderCluster } from '../commands/cluster-create.ts'
import { type ClusterWorld, callerOf, createClusterWorld, testOrder } from '../testing/cluster-world.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { listWatchedInstances } from './watched-instances.ts'

let world: ClusterWorld

beforeAll(async () => {
  const instances: MemoryWorld = new Map()
  world = await createClusterWorld({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
})
afterAll(() => world[Symbol.asyncDispose]())

test('an instance is watched while it should run, with whose it is, and not once it is stopped on purpose', async () => {
  const owner = await world.newOwner('reef')
  const { clusterId } = await orderCluster(world.deps, callerOf(owner), testOrder)
  const instanceId = (await world.rows(clusterId)).master.id
  const watched = () => listWatchedInstances(world.db, [instanceId, 'in_unknown'])
  expect(await watched()).toEqual([])
  await world.settle(clusterId)
  const { name: clusterName } = (await world.rows(clusterId)).cluster
  expect(await watched()).toEqual([{ instanceId, name: 'master', clusterId, clusterName, owner }])
  await requestAction(world.deps, callerOf(owner), { call: 'clusterStop', action: 'stop', body: { clusterId } })
  expect(await watched()).toEqual([])
  await world.settle(clusterId)
  expect(await watched()).toEqual([])
})
