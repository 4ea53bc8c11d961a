import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryWorld } from '../../compute/testing/memory-provider.ts'
import { orderCluster } from '../commands/cluster-create.ts'
import { type ClusterWorld, callerOf, createClusterWorld, testOrder } from '../testing/cluster-world.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { clusterSweep } from './sweep.ts'

const instances: MemoryWorld = new Map()
let world: ClusterWorld
let owner: string
beforeAll(async () => {
  world = await createClusterWorld({ provider: createMemoryProvider(instances), agents: simulateAgents(instances) })
  owner = await world.newOwner()
})
afterAll(() => world[Symbol.asyncDispose]())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

/** A cluster whose job was lost and that was reconciled `minutes` ago. */
async function forgottenCluster(state: 'moving' | 'resting', minutes: number): Promise<string> {
  const { clusterId } = await orderCluster(world.deps, callerOf(owner), testOrder)
  if (state === 'resting') await world.settle(clusterId)
  await world.database.pool.query('delete from graphile_worker._private_jobs')
  await world.db
    .updateTable('clusters')
    .set({ checked_at: minutesAgo(minutes) })
    .where('id', '=', clusterId)
    .execute()
  return clusterId
}

async function sweep(payload: { all?: boolean } = {}): Promise<void> {
  await clusterSweep(world.deps).run(payload, world.jobContext())
}

test('a moving cluster that went quiet is reconciled again after a minute, one at rest much later', async () => {
  const cases = [
    [await forgottenCluster('moving', 2), 1],
    [await forgottenCluster('resting', 2), 0],
    [await forgottenCluster('resting', 20), 1],
  ] as const
  await sweep()
  for (const [clusterId, jobs] of cases) expect(await world.countJobs(clusterId)).toBe(jobs)
})

test('when a worker starts, every living cluster is reconciled', async () => {
  const recent = await forgottenCluster('resting', 0)
  const ended = await forgottenCluster('resting', 20)
  await world.db.updateTable('clusters').set({ status: 'destroyed' }).where('id', '=', ended).execute()
  await sweep({ all: true })
  expect(await world.countJobs(recent)).toBe(1)
  expect(await world.countJobs(ended)).toBe(0)
})

test('what an ended cluster left at the provider is removed', async () => {
  const clusterId = await forgottenCluster('resting', 0)
  const { master } = await world.rows(clusterId)
  expect(instances.has(master.id)).toBe(true)
  await sweep()
  expect(instances.has(master.id)).toBe(true)
  await world.db.updateTable('instances').set({ status: 'destroyed' }).where('id', '=', master.id).execute()
  await sweep()
  expect(instances.has(master.id)).toBe(false)
})

test('what was missing and is listed again is reconciled, and a repair is no longer offered', async () => {
  const clusterId = await forgottenCluster('resting', 0)
  const { master } = await world.rows(clusterId)
  await world.db
    .updateTable('instances')
    .set({ status: 'errored', resume_stack: ['stopped'], missing: true })
    .where('id', '=', master.id)
    .execute()
  await sweep()
  expect(await world.countJobs(clusterId)).toBe(1)
  await world.reconcile(clusterId)
  expect((await world.rows(clusterId)).master).toMatchObject({ status: 'errored', missing: false })
})
