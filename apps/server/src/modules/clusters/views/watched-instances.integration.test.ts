import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { listWatchedInstances } from './watched-instances.ts'

let harness: ClusterHarness

beforeAll(async () => {
  const instances: MemoryHarness = new Map()
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
})
afterAll(() => harness[Symbol.asyncDispose]())

test('an instance is watched while it should run, with whose it is, and not once it is stopped on purpose', async () => {
  const owner = await harness.newOwner('reef')
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  const instanceId = (await harness.rows(clusterId)).master.id
  const watched = () => listWatchedInstances(harness.db, [instanceId, 'in_unknown'])
  expect(await watched()).toEqual([])
  await harness.settle(clusterId)
  const { name: clusterName } = (await harness.rows(clusterId)).cluster
  expect(await watched()).toEqual([{ instanceId, name: 'master', clusterId, clusterName, owner }])
  await requestAction(harness.deps, callerOf(owner), { call: 'clusterStop', action: 'stop', body: { clusterId } })
  expect(await watched()).toEqual([])
  await harness.settle(clusterId)
  expect(await watched()).toEqual([])
})
