/** A restored database on real providers: beside the one it was copied from, and in its place. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase, startLxdServer, type TestDatabase, whyNoLxd } from '@atoll/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endCareful, findCareful } from '../../../platform/careful/index.ts'
import { getDeployment } from '../../../platform/facts/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { createLxdHarness } from '../../compute/drivers/lxd/testing/lxd-harness.ts'
import { createProcessProvider } from '../../compute/drivers/process/process-provider.ts'
import type { ComputeProvider } from '../../compute/index.ts'
import { testSpec, waitForState } from '../../compute/testing/provider-conformance.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import {
  buildClusters,
  type ClusterHarness,
  callerOf,
  createClusterHarness,
  testOrder,
} from '../testing/cluster-harness.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { clusterSweep } from './sweep.ts'
import { describeSweep, destroyStrays, resumeSweep } from './sweep-operator.ts'

interface Instances {
  open(): ComputeProvider
  cleanUp(): Promise<void>
}

const dayMs = 24 * 60 * 60_000

describeRestore('process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-restore-'))
  const program = fileURLToPath(new URL('../../compute/testing/fixture-agent.ts', import.meta.url))
  const open = () => createProcessProvider({ dataDir, program, log: silentLog, graceMs: 300 })
  return { open, cleanUp: async () => rmSync(dataDir, { recursive: true, force: true }) }
})

const missing = whyNoLxd()
describe.skipIf(missing)(missing ? `lxd: ${missing}` : 'with an LXD', () => {
  describeRestore('lxd', async () => {
    const server = await startLxdServer()
    const lxd = createLxdHarness([server.daemon], { endpoints: [server.daemon.socket], network: server.network })
    return {
      open: () => lxd.open(),
      async cleanUp() {
        await lxd.cleanUp()
        await server.dispose()
      },
    }
  })
})

function describeRestore(name: string, start: () => Promise<Instances>): void {
  describe(`a restored database on ${name}`, () => {
    let instances: Instances
    let provider: ComputeProvider
    let production: ClusterHarness
    let dump: TestDatabase
    let restored: ReturnType<typeof buildClusters>
    let passedMs = 0
    const clock = { now: () => new Date(Date.now() + passedMs) }
    /** An instance from before the dump, and one from after it. */
    let older: string
    let newer: string

    beforeAll(async () => {
      instances = await start()
      provider = instances.open()
      const agents = simulateAgents(new Map())
      production = await createClusterHarness({ provider, agents, clock })
      older = await bootOne()
      dump = await createTestDatabase({ copyOf: production.databaseUrl })
      newer = await bootOne()
      restored = buildClusters({ databaseUrl: dump.url, provider: instances.open(), agents, clock })
    })
    afterAll(async () => {
      for (const id of await provider.list(await getDeployment(production.db))) await provider.destroy(id)
      await restored.database.close()
      await dump.drop()
      await production[Symbol.asyncDispose]()
      await instances.cleanUp()
    })

    async function bootOne(): Promise<string> {
      const owner = await production.newOwner()
      const { clusterId } = await orderCluster(production.deps, callerOf(owner), testOrder)
      await production.reconcile(clusterId)
      const { master } = await production.rows(clusterId)
      await waitForState(provider, master.id, 'running')
      return master.id
    }
    /** One that only production knows; the claim stays as it is. */
    async function bootUnknown(): Promise<string> {
      const id = `in_${randomBytes(10).toString('hex')}`
      await provider.ensureInstance({ ...testSpec(), instanceId: id, deployment: await getDeployment(production.db) })
      await waitForState(provider, id, 'running')
      return id
    }
    const sweep = ({ deps, jobContext }: Pick<ClusterHarness, 'deps' | 'jobContext'>) =>
      clusterSweep(deps).run({}, jobContext())
    const stateOf = async (id: string) => (await provider.inspect(id)).state
    const expectBothRunning = async () => {
      expect([await stateOf(older), await stateOf(newer)]).toEqual(['running', 'running'])
    }

    test('beside production sweeps nothing, however long, and says so', async () => {
      for (const days of [0, 8]) {
        passedMs = days * dayMs
        await sweep(restored)
        await expectBothRunning()
      }
      passedMs = 0
      const { paused, strays } = await describeSweep(restored.db)
      expect(paused).toEqual([{ place: 'process', why: expect.stringContaining('this database is older than') }])
      // The older database is careful from then on, and only lists.
      expect(strays.map(({ object }) => object)).toContain(newer)
      expect((await findCareful(restored.db))?.why).toContain('this database only')
    })

    test('does not hinder production, which goes on sweeping', async () => {
      await sweep(production)
      await expectBothRunning()
      expect(await describeSweep(production.db)).toEqual({ paused: [], strays: [] })
      const third = await bootOne()
      await sweep(restored)
      expect(await stateOf(third)).toBe('running')
      await provider.destroy(third)
    })

    test('of somebody else is a stranger', async () => {
      const stranger = await createClusterHarness({ provider: instances.open(), agents: simulateAgents(new Map()) })
      await stranger.db.updateTable('deployments').set({ id: 'somebody-else' }).execute()
      await sweep(stranger)
      expect((await describeSweep(stranger.db)).paused).toMatchObject([
        { why: expect.stringContaining('belong to another deployment') },
      ])
      await stranger[Symbol.asyncDispose]()
      await expectBothRunning()
      await sweep(production)
      expect((await describeSweep(production.db)).paused).toEqual([])
    })

    test('in the place of production stops what it does not know once it is resumed, and keeps it for 7 days', async () => {
      await restored.db.transaction().execute((trx) => endCareful(trx, clock.now()))
      expect(await resumeSweep(restored.db)).toEqual(['process'])
      await sweep(restored)
      expect([await stateOf(older), await stateOf(newer)]).toEqual(['running', 'stopped'])
      const { paused, strays } = await describeSweep(restored.db)
      expect(paused).toEqual([])
      expect(strays).toMatchObject([{ object: newer, stoppedAt: expect.any(Date), doomed: false }])
      // Production, should it still be there, now knows less than the provider.
      await sweep(production)
      expect((await describeSweep(production.db)).paused).toHaveLength(1)
      await provider.start(newer)
      await waitForState(provider, newer, 'running')
      passedMs = 6.9 * dayMs
      await sweep(restored)
      await expectBothRunning()
    })

    test('destroys it at the operator’s word, or after the 7 days', async () => {
      passedMs = 0
      await expect(destroyStrays(restored.db, older)).rejects.toThrow('is no stray')
      const another = await bootUnknown()
      await sweep(restored)
      await destroyStrays(restored.db, newer)
      await sweep(restored)
      expect(await stateOf(another)).toBe('stopped')
      passedMs = 7 * dayMs
      await sweep(restored)
      expect(await stateOf(another)).toBe('absent')
      expect([await stateOf(older), await stateOf(newer)]).toEqual(['running', 'absent'])
      expect((await describeSweep(restored.db)).strays).toEqual([])
    })
  })
}
