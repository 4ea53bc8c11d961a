/** A drain on real rows: who is told, what moves where and when, and what stays. */
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryInstance } from '../../compute/testing/memory-provider.ts'
import { saveMembers } from '../capacity/capacity-store.ts'
import { describeCapacity } from '../capacity/describe-capacity.ts'
import { listRunningDrains } from '../capacity/drain-store.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { stepDrain } from './drain-job.ts'
import { planDrain, startDrain, stopDrain } from './drain-service.ts'

const region = { cloudName: testOrder.cloudName, regionId: testOrder.regionId }
const at = { ...region, member: 'm1' }
const clock = createTestClock(new Date())
const instances = new Map<string, MemoryInstance>()
let harness: ClusterHarness
beforeAll(async () => {
  harness = await createClusterHarness({
    provider: createMemoryProvider(instances),
    agents: simulateAgents(instances),
    clock,
  })
  for (const cloud of harness.deps.compute.catalog.clouds)
    for (const each of cloud.regions) each.overcommit = { cpu: 1, memory: 1, disk: 1 }
})
afterAll(() => harness[Symbol.asyncDispose]())

const save = (...members: [string, number][]) =>
  harness.db.transaction().execute((trx) =>
    saveMembers(
      trx,
      region,
      members.map(([member, cores]) => ({
        member,
        state: 'online',
        cpu_cores: cores,
        cpu_busy: null,
        memory_mib: 1_000_000,
        memory_used_mib: 0,
        disk_mib: 10_000_000,
        disk_used_mib: 5,
        full_since: null,
        read_at: new Date(),
      })),
    ),
  )

async function step(): Promise<string> {
  const [drain] = await listRunningDrains(harness.db)
  if (!drain) throw new Error('no drain runs')
  const taken = await stepDrain(harness.deps, drain)
  return taken.do === 'end' ? taken.state : taken.do
}
const start = (window: { beginsAt?: string; endsAt?: string } = {}) =>
  harness.db
    .transaction()
    .execute((trx) =>
      startDrain(harness.deps, trx, at, { beginsAt: window.beginsAt, endsAt: window.endsAt, by: operator }),
    )
const later = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
let operator: string

test('owners are told, then one instance after another moves within the window as far as there is room', async () => {
  operator = await harness.newOwner()
  await save(['m1', 6])
  const owner = await harness.newOwner()
  await harness.db.updateTable('accounts').set({ email: 'lena@example.com' }).where('account_id', '=', owner).execute()
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
    await harness.settle(clusterId)
    ids.push(clusterId)
  }
  await expect(start()).rejects.toMatchObject({ key: 'drainNoRoom' })
  // Two of three instances of two cores each fit beside it.
  await save(['m1', 6], ['m2', 4])
  expect(await planDrain(harness.deps, harness.db, at)).toMatchObject({ instances: 3, fitting: 2, diskUsed: 5 })
  await expect(start({ endsAt: later(-1) })).rejects.toMatchObject({ key: 'drainWindow' })
  await start({ beginsAt: later(3_600_000), endsAt: later(7_200_000) })
  await expect(start()).rejects.toMatchObject({ key: 'drainOpen' })

  expect([await step(), await step()]).toEqual(['tell', 'wait'])
  const mails = await harness.db.selectFrom('mails').select(['kind', 'recipient']).execute()
  expect(mails).toEqual([{ kind: 'drain', recipient: 'lena@example.com' }])
  clock.advance(3_600_000)
  expect([await step(), await step()]).toEqual(['move', 'wait'])
  for (const id of ids) await harness.settle(id)
  expect(await step()).toBe('move')
  for (const id of ids) await harness.settle(id)
  expect(await step()).toBe('noRoom')

  const masters = await Promise.all(ids.map(async (id) => (await harness.rows(id)).master))
  expect(masters.map(({ status }) => status)).toEqual(['running', 'running', 'running'])
  expect(masters.map(({ member }) => member).toSorted()).toEqual(['m1', 'm2', 'm2'])
  for (const { id, member } of masters) expect(instances.get(id)?.spec.member).toBe(member)
  const [shown] = await describeCapacity(harness.db, harness.deps.compute.catalog, 'en-US')
  expect(shown?.members.find(({ member }) => member === 'm1')).toMatchObject({
    accepts: false,
    drain: { state: 'noRoom', moved: 2 },
  })
  const acts = await harness.db
    .selectFrom('audit_entries')
    .select('action')
    .where('action', '=', 'instance.move')
    .execute()
  expect(acts).toHaveLength(2)
})

test('stopped, nothing more begins, and what has moved stays', async () => {
  await save(['m1', 6], ['m2', 4], ['m3', 9])
  await start()
  const [drain] = await listRunningDrains(harness.db)
  const stop = () => harness.db.transaction().execute((trx) => stopDrain(harness.deps, trx, drain?.id ?? ''))
  expect([await step(), await step()]).toEqual(['tell', 'move'])
  await stop()
  expect(await listRunningDrains(harness.db)).toEqual([])
  if (drain) expect(await stepDrain(harness.deps, drain)).toEqual({ do: 'wait' })
  await expect(stop()).rejects.toMatchObject({ key: 'drainGone' })
  const moving = await harness.db.selectFrom('instances').select(['cluster_id']).where('move_to', '=', 'm3').execute()
  expect(moving).toHaveLength(1)
  await harness.settle(moving[0]?.cluster_id ?? '')
  const { master } = await harness.rows(moving[0]?.cluster_id ?? '')
  expect(master).toMatchObject({ status: 'running', member: 'm3', move_to: null })
})
