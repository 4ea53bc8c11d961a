import { expect, onTestFinished, test } from 'vitest'
import { setMaySendMail } from '../../accounts/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'

test('an instance may reach port 25 elsewhere as its account was allowed when it last started', async () => {
  const instances: MemoryHarness = new Map()
  const harness = await createClusterHarness({
    provider: createMemoryProvider(instances),
    agents: simulateAgents(instances),
  })
  onTestFinished(() => harness[Symbol.asyncDispose]())
  const owner = await harness.newOwner()
  const may = () => [...instances.values()].map(({ spec }) => spec.maySendMail)
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  await harness.settle(clusterId)
  const seen = [may()]
  for (const isAllowed of [true, false]) {
    await setMaySendMail(harness.db, owner, isAllowed)
    const body = { clusterId }
    await requestAction(harness.deps, callerOf(owner), { call: 'clusterRestart', action: 'restart', body })
    await harness.settle(clusterId)
    seen.push(may())
  }
  await setMaySendMail(harness.db, owner, true)
  const { clusterId: second } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  await harness.settle(second)
  expect([...seen, may()]).toEqual([[false], [true], [false], [false, true]])
})
