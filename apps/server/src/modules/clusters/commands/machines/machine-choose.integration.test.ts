/** Copies of a machine's disk, as its owner is shown them and chooses between them. */
import type { MachineCopies } from '@atoll/contract/clusters'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryProvider, type MemoryHarness } from '../../../compute/testing/memory-provider.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { simulateAgents } from '../../testing/simulated-agents.ts'
import { toResource } from '../../views/cluster-json.ts'
import { listClusters } from '../../views/cluster-views.ts'
import { orderCluster } from '../orders/cluster-create.ts'
import { chooseMachine } from './machine-choose.ts'

const at = '2028-06-01T12:00:00.000Z'
const [first, second] = [
  { bootId: 'boot-first', hostName: 'boathouse', at },
  { bootId: 'boot-second', hostName: 'boathouse-clone', at },
]
const copied: MachineCopies = { isAnswered: false, serving: first, refused: [second] }
let copies: MachineCopies | null = null
let harness: ClusterHarness

beforeAll(async () => {
  const instances: MemoryHarness = new Map()
  const agents = simulateAgents(instances)
  harness = await createClusterHarness({
    provider: createMemoryProvider(instances),
    agents: {
      ...agents,
      listAgents: async (db, ids) => (await agents.listAgents(db, ids)).map((agent) => ({ ...agent, copies })),
      async chooseMachine(_, { bootId }) {
        const chosen = [first, second].find((machine) => machine.bootId === bootId)
        if (chosen)
          copies = { isAnswered: true, serving: chosen, refused: [first, second].filter((one) => one !== chosen) }
        return chosen !== undefined
      },
    },
  })
})
afterAll(() => harness[Symbol.asyncDispose]())

test('shows both machines, records each copy once, and does as the owner says', async () => {
  const owner = await harness.newOwner()
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  const { id: instanceId } = await harness.settle(clusterId)
  const viewer = callerOf(owner)
  const shown = async () => {
    const [row] = await listClusters(harness.db, viewer)
    return (
      row &&
      toResource(row, { config: harness.deps.config, viewer, locale: 'en-US', maxWorkers: 3, hosts: new Map() }).copies
    )
  }
  const report = () => harness.db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId }))
  await report()
  expect(await shown()).toEqual([])
  copies = copied
  await report()
  await report()
  expect(await shown()).toEqual([{ instanceId, name: 'master', ...copied }])

  const choose = (bootId: string) => chooseMachine(harness.deps, callerOf(owner), { clusterId, instanceId, bootId })
  await expect(choose('boot-third')).rejects.toMatchObject({ key: 'machineUnknown' })
  expect(await choose('boot-second')).toEqual({ status: 'running' })
  expect(await shown()).toMatchObject([{ isAnswered: true, serving: second, refused: [first] }])
  await report()
  const records = await harness.db
    .selectFrom('audit_entries')
    .select(['action', 'after'])
    .where('object_id', '=', instanceId)
    .orderBy('seq')
    .execute()
  const read = records.map(({ action, after }) => ({ action, after: JSON.parse(after ?? 'null') }))
  expect(read.filter(({ action }) => /copy|choose/.test(action))).toMatchObject([
    { action: 'instance.copy', after: { hostName: 'boathouse-clone' } },
    { action: 'instance.chooseMachine', after: { hostName: 'boathouse-clone' } },
  ])

  const stranger = chooseMachine(harness.deps, callerOf(await harness.newOwner()), {
    clusterId,
    instanceId,
    bootId: 'boot-first',
  })
  await expect(stranger).rejects.toMatchObject({ key: 'notFound' })
})
