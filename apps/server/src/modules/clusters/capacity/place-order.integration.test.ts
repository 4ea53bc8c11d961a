/** Orders in a region with limits: the last room is sold once, and what is switched off takes none. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { createMemoryProvider } from '../../compute/testing/memory-provider.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { getInstanceInfo } from '../views/cluster-service.ts'
import { saveMembers, setAccepts, sumSold } from './capacity-store.ts'
import { recordCapacity } from './read-capacity.ts'

const region = { cloudName: testOrder.cloudName, regionId: testOrder.regionId }
const machine = { state: 'online', memory_used_mib: 0, cpu_busy: null, disk_used_mib: 0, full_since: null } as const
const member = (name: string, cores: number) => ({
  ...machine,
  member: name,
  cpu_cores: cores,
  memory_mib: 1_000_000,
  disk_mib: 10_000_000,
  read_at: new Date(),
})

let harness: ClusterHarness
beforeAll(async () => {
  harness = await createClusterHarness({ provider: createMemoryProvider(new Map()), agents: simulateAgents(new Map()) })
})
afterAll(() => harness[Symbol.asyncDispose]())
beforeEach(async () => {
  limit(undefined)
  await harness.db.updateTable('instances').set({ status: 'destroyed' }).execute()
  await harness.db.transaction().execute(async (trx) => {
    await saveMembers(trx, region, [])
    await setAccepts(trx, region, { member: undefined, accepts: true })
  })
})

/** Sets the region's factors, or takes them away. */
function limit(overcommit: { cpu: number; memory: number; disk: number } | undefined) {
  for (const cloud of harness.deps.compute.catalog.clouds)
    for (const each of cloud.regions) if (cloud.cloudName === region.cloudName) each.overcommit = overcommit
}
const save = (...members: ReturnType<typeof member>[]) =>
  harness.db.transaction().execute((trx) => saveMembers(trx, region, members))
const accept = (accepts: boolean, name?: string) =>
  harness.db.transaction().execute((trx) => setAccepts(trx, region, { member: name, accepts }))
const order = async () => await orderCluster(harness.deps, callerOf(await harness.newOwner()), testOrder)
const keyOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'accepted',
    (refusal: { key?: string }) => refusal.key ?? String(refusal),
  )
const isOffered = async () => {
  const { data } = await getInstanceInfo(harness.deps, await harness.newOwner(), 'en-US')
  return data.find(({ name, regionId }) => name === testOrder.offering && regionId === region.regionId)
}

test('of orders at once for the last room one is sold, and the other is refused as sold out', async () => {
  limit({ cpu: 1, memory: 1, disk: 1 })
  // An instance of the order has two cores.
  await save(member('m1', 2), member('m2', 3))
  expect(await isOffered()).toMatchObject({ available: true })
  const answers = await Promise.all([order, order, order].map(async (one) => await keyOf(one())))
  expect(answers.toSorted()).toEqual(['accepted', 'accepted', 'offeringSoldOut'])
  expect((await sumSold(harness.db, region)).map((row) => [row.member, row.instances, row.cpu])).toEqual(
    expect.arrayContaining([
      ['m1', 1, 2],
      ['m2', 1, 2],
    ]),
  )
  expect(await isOffered()).toMatchObject({ available: false })
  // More is sold of each core from now on.
  limit({ cpu: 2, memory: 1, disk: 1 })
  expect(await keyOf(order())).toBe('accepted')
})

test('without factors nothing is sold out, however little there is', async () => {
  await save(member('m1', 1))
  for (let count = 0; count < 3; count += 1) expect(await keyOf(order())).toBe('accepted')
  expect(await isOffered()).toMatchObject({ available: true })
})

test('a region or a member that takes no orders gets none', async () => {
  await save(member('m1', 64), member('m2', 8))
  await accept(false, 'm1')
  expect(await keyOf(order())).toBe('accepted')
  expect((await sumSold(harness.db, region)).map(({ member: on }) => on)).toEqual(['m2'])
  await accept(false, 'm2')
  expect(await isOffered()).toMatchObject({ available: false })
  expect(await keyOf(order())).toBe('offeringSoldOut')
  await accept(false)
  expect(await keyOf(order())).toBe('regionClosed')
  expect(await isOffered()).toMatchObject({ available: false, isClosed: true })
})

test('a member whose disk is nearly full stops taking orders, and what its provider says of places is kept', async () => {
  limit({ cpu: 4, memory: 1, disk: 1 })
  const { clusterId } = await order()
  const { master } = await harness.rows(clusterId)
  const told = (diskUsed: number) => ({
    member: 'm1',
    state: 'online' as const,
    cpuCores: 64,
    cpuBusy: 3,
    memory: 2 ** 40,
    memoryUsed: 2 ** 30,
    disk: 2 ** 44,
    diskUsed,
    instanceIds: [master?.id ?? ''],
  })
  let used = 2 ** 44 * 0.95
  let names = true
  const { compute } = harness.deps
  const provider = { ...compute.provider(region.cloudName), capacity: async () => (names ? [told(used)] : []) }
  const read = () =>
    recordCapacity(
      // Only the capacity of the provider is read.
      { ...harness.deps, compute: { ...compute, catalog: compute.catalog, provider: () => provider as never } },
      silentLog,
    )
  await read()
  // An answer without a machine takes no limit away.
  names = false
  await read()
  names = true
  expect((await sumSold(harness.db, region))[0]).toMatchObject({ member: 'm1', instances: 1 })
  expect(await keyOf(order())).toBe('offeringSoldOut')
  used = 2 ** 40
  await read()
  expect(await keyOf(order())).toBe('accepted')
})
