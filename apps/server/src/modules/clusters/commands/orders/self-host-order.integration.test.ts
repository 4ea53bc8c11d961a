/** Self-hosted clusters that are made of a backup, as they are ordered. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refuse } from '../../../../platform/refusal.ts'
import type { InstallRequest } from '../../../agents/index.ts'
import { createMemoryProvider } from '../../../compute/testing/memory-provider.ts'
import { type ClusterHarness, callerOf, createClusterHarness } from '../../testing/cluster-harness.ts'
import { simulateAgents } from '../../testing/simulated-agents.ts'
import { orderSelfHost } from './self-host-order.ts'

let harness: ClusterHarness
const installs: InstallRequest[] = []
const begun: object[] = []
let isGuarded = false

beforeAll(async () => {
  harness = await createClusterHarness({
    provider: createMemoryProvider(new Map()),
    agents: { ...simulateAgents(new Map()), requestInstall: async (_, request) => void installs.push(request) },
    restores: {
      async begin(_, { userid }, asked) {
        if (isGuarded) return refuse('restoreGuarded', { product: 'Atoll' })
        begun.push({ userid, ...asked })
        return 'rs_ordered0001'
      },
      check: async () => undefined,
      again: async (_, id) => id,
      end: async () => undefined,
      list: async () => [],
      listKin: async () => [],
    },
  })
  // The row of a restore is another module's.
  await harness.database.pool.query('alter table instances drop constraint instances_restore_id_fkey')
})
afterAll(() => harness[Symbol.asyncDispose]())

const backup = { backupId: 'bk_reef000000', snapshotId: 'sn_reef000000' }
const order = (owner: string, restore?: typeof backup) =>
  orderSelfHost(harness.deps, callerOf(owner), {
    clusterType: 'SelfHost',
    reverseProxy: 'frp',
    ...(restore && { restore }),
  })

test('is made for its restore, and installs with the files before it is handed over', async () => {
  const owner = await harness.newOwner()
  const { clusterId, command } = await order(owner, backup)
  expect(command).toContain('ATOLL_ENROLL_TOKEN=')
  expect(begun).toEqual([{ userid: owner, clusterId, ...backup }])
  const { master, operations } = await harness.rows(clusterId)
  expect(master.restore_id).toBe('rs_ordered0001')
  expect(installs.at(-1)?.steps).toEqual(['prepare', 'restore', 'handover'])
  expect(operations.at(-1)?.steps.map(({ step }) => step)).toEqual(['fetching', 'queuing', 'pending', 'restoring'])

  const plain = await order(owner)
  expect((await harness.rows(plain.clusterId)).master.restore_id).toBeNull()
  expect(installs.at(-1)?.steps).toEqual(['prepare', 'handover'])
})

test('is refused beside an active cluster of the same backup, and leaves nothing behind', async () => {
  const owner = await harness.newOwner()
  isGuarded = true
  await expect(order(owner, backup)).rejects.toMatchObject({ key: 'restoreGuarded' })
  isGuarded = false
  expect(await harness.db.selectFrom('clusters').select('id').where('owner', '=', owner).execute()).toEqual([])
})
