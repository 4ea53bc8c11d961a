import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseDoubt } from '../../../platform/careful/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { clusterSweep } from './sweep.ts'

const instances: MemoryHarness = new Map()
let harness: ClusterHarness
let owner: string
beforeAll(async () => {
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
  owner = await harness.newOwner()
})
afterAll(() => harness[Symbol.asyncDispose]())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** A cluster whose job was lost and that was reconciled `minutes` ago. */
async function forgottenCluster(state: 'moving' | 'resting', minutes: number): Promise<string> {
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  if (state === 'resting') await harness.settle(clusterId)
  await harness.database.pool.query('delete from graphile_worker._private_jobs')
  await harness.db
    .updateTable('clusters')
    .set({ checked_at: minutesAgo(minutes) })
    .where('id', '=', clusterId)
    .execute()
  return clusterId
}

async function sweep(payload: { all?: boolean } = {}): Promise<void> {
  await clusterSweep(harness.deps).run(payload, harness.jobContext())
}

test('a moving cluster that went quiet is reconciled again after a minute, one at rest much later', async () => {
  const cases = [
    [await forgottenCluster('moving', 2), 1],
    [await forgottenCluster('resting', 2), 0],
    [await forgottenCluster('resting', 20), 1],
  ] as const
  await sweep()
  for (const [clusterId, jobs] of cases) expect(await harness.countJobs(clusterId)).toBe(jobs)
})

test('when a worker starts, every living cluster is reconciled', async () => {
  const recent = await forgottenCluster('resting', 0)
  const ended = await forgottenCluster('resting', 20)
  await harness.db.updateTable('clusters').set({ status: 'destroyed' }).where('id', '=', ended).execute()
  await sweep({ all: true })
  expect(await harness.countJobs(recent)).toBe(1)
  expect(await harness.countJobs(ended)).toBe(0)
})

test('what an ended cluster left at the provider is removed, and nothing of it while this database is in doubt', async () => {
  const clusterId = await forgottenCluster('resting', 0)
  const { master } = await harness.rows(clusterId)
  expect(instances.has(master.id)).toBe(true)
  await sweep()
  expect(instances.has(master.id)).toBe(true)
  await harness.db.updateTable('instances').set({ status: 'destroyed' }).where('id', '=', master.id).execute()
  // Its row may be of another time.
  for (const about of ['careful', 'clock'] as const) {
    await raiseDoubt(harness.db, about, 'in a test', new Date())
    await sweep()
    expect(instances.has(master.id), about).toBe(true)
    await harness.db.deleteFrom('doubts').execute()
  }
  await sweep()
  expect(instances.has(master.id)).toBe(false)
})

test('what was missing and is listed again is reconciled, and a repair is no longer offered', async () => {
  const clusterId = await forgottenCluster('resting', 0)
  const { master } = await harness.rows(clusterId)
  await harness.db
    .updateTable('instances')
    .set({ status: 'errored', resume_stack: ['stopped'], missing: true })
    .where('id', '=', master.id)
    .execute()
  await sweep()
  expect(await harness.countJobs(clusterId)).toBe(1)
  await harness.reconcile(clusterId)
  expect((await harness.rows(clusterId)).master).toMatchObject({ status: 'errored', missing: false })
})
