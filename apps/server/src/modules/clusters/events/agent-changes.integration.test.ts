import type { Workload } from '@atoll/contract/clusters'
import { until } from '@atoll/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { createSealer } from '../../../platform/crypto.ts'
import { createListener, type Listener } from '../../../platform/events/index.ts'
import { silentLog } from '../../../platform/log.ts'
import { getDid } from '../../accounts/index.ts'
import { createAgents } from '../../agents/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { createObserve } from '../../observe/index.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { doneTask, type SimulatedAgents, simulateAgents } from '../testing/simulated-agents.ts'
import { getDetail } from '../views/cluster-service.ts'

let instances: MemoryHarness
let agents: SimulatedAgents
let harness: ClusterHarness
let listener: Listener
let owner: string
let clusterId: string
let changes: unknown[]

beforeEach(async () => {
  instances = new Map()
  agents = simulateAgents(instances)
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents })
  listener = await createListener({ connection: { connectionString: harness.databaseUrl }, log: silentLog })
  changes = []
  owner = await harness.newOwner('reef')
  clusterId = (await orderCluster(harness.deps, callerOf(owner), testOrder)).clusterId
  await harness.settle(clusterId)
  listener.on('atoll_change', (payload) => changes.push(payload))
  await listener.ready()
  await harness.database.pool.query('delete from graphile_worker._private_jobs')
})
afterEach(async () => {
  await listener.close()
  await harness[Symbol.asyncDispose]()
})

async function report(): Promise<void> {
  const { master } = await harness.rows(clusterId)
  await harness.db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId: master.id }))
}

describe('what an agent reports', () => {
  test('is shown, published to the owner, and wakes the cluster', async () => {
    await report()
    expect((await harness.rows(clusterId)).master).toMatchObject({ has_password: true, os_active: false })
    expect(await harness.countJobs(clusterId)).toBe(1)
    await until('the change is published', () => changes.length > 0)
    expect(changes).toMatchObject([{ account: owner, topic: 'cluster', id: clusterId }])
  })

  test('is no news the second time, and a line of the log alone wakes no reconciler', async () => {
    await report()
    await harness.database.pool.query('delete from graphile_worker._private_jobs')
    await report()
    expect(await harness.countJobs(clusterId)).toBe(0)
    agents.lines = ['10:00:00 prepare half way']
    await report()
    expect((await harness.rows(clusterId)).master.install_log).toContain('half way')
    expect(await harness.countJobs(clusterId)).toBe(0)
    await until('both changes are published', () => changes.length === 2)
  })

  test('of what runs on it is published and shown, what failed first, and kept once it is silent', async () => {
    const shown = async () => {
      const { data } = await getDetail(harness.deps, callerOf(owner), clusterId, 'en-US')
      return data[0]?.workloads
    }
    await report()
    expect(await shown()).toBeNull()
    await harness.database.pool.query('delete from graphile_worker._private_jobs')
    const since = '2026-06-01T00:00:00.000Z'
    const files: Workload = { name: 'files', state: 'Completed', ready: 1, wanted: 1, reason: null, since }
    const photos: Workload = { ...files, name: 'photos', state: 'Failed', ready: 0, reason: 'Exited with 137.' }
    agents.workloads = [files, photos]
    await report()
    expect(await shown()).toEqual([photos, files])
    await report()
    await until('it is published once more', () => changes.length >= 2)
    expect(changes).toHaveLength(2)
    expect(await harness.countJobs(clusterId)).toBe(0)
    agents.silent = true
    await report()
    expect(await shown()).toEqual([photos, files])
  })

  test('is news when it is another one-time password, though there was one before', async () => {
    await report()
    const { master } = await harness.rows(clusterId)
    const task = doneTask({ id: 'at_anotherone00', instanceId: master.id, kind: 'rotate' })
    await harness.db
      .transaction()
      .execute((trx) => harness.intake.onTaskChange(trx, { clusterId, instanceId: master.id }, task))
    await until('both changes are published', () => changes.length === 2)
  })

  test('about an instance of another cluster changes nothing', async () => {
    const { master } = await harness.rows(clusterId)
    await harness.db
      .transaction()
      .execute((trx) => harness.onAgentChange(trx, { clusterId: 'cl_elsewhere00', instanceId: master.id }))
    expect((await harness.rows(clusterId)).master).toEqual(master)
  })

  test('can be stored while the cluster is being removed, and a retry asked for, without a deadlock', async () => {
    const { master } = await harness.rows(clusterId)
    const real = createAgents({
      db: harness.db,
      clock: systemClock,
      sealer: createSealer(Buffer.alloc(32, 7)),
      listener,
      log: silentLog,
      config: { enrollUrl: 'http://localhost', dataDir: '/nowhere' },
      observe: createObserve({ db: harness.db, clock: systemClock, log: silentLog, onMeasured: async () => undefined }),
      owner: harness.intake,
    })
    await harness.db.transaction().execute((trx) => real.issueEnrollToken(trx, { instanceId: master.id, clusterId }))
    harness.deps.agents = { ...agents, forgetAgents: real.forgetAgents }
    await requestAction(harness.deps, callerOf(owner), {
      call: 'destroyMaster',
      action: 'destroyMaster',
      body: { clusterId },
    })
    let removal: Promise<void> | undefined
    await harness.db.transaction().execute(async (trx) => {
      // As the agents module does: first its own row, then ours through onAgentChange.
      await trx.updateTable('agents').set({ os_active: true }).where('instance_id', '=', master.id).execute()
      removal = harness.reconcile(clusterId)
      await until('the removal waits for the agent’s row', async () => {
        const { rows } = await harness.database.pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rows.length > 0
      })
      await harness.onAgentChange(trx, { clusterId, instanceId: master.id })
    })
    await removal
    expect((await harness.rows(clusterId)).cluster.status).toBe('destroyed')
    expect(await real.listAgents(harness.db, [master.id])).toEqual([])
  })
})

test('an agent receives whose it is and where it is reached, until its cluster is gone', async () => {
  const { master } = await harness.rows(clusterId)
  expect(await harness.intake.describeInstance(harness.db, master.id)).toMatchObject({
    clusterId,
    instanceId: master.id,
    owner: { did: await getDid(harness.db, owner), terminusName: 'reef@atoll.test' },
    publicUrl: 'http://reef.atoll.localhost',
    product: 'Atoll',
    controlUrls: ['http://127.0.0.1:9'],
    consoleUrl: `https://console.atoll.test/cluster/${clusterId}`,
  })
  expect(await harness.intake.describeInstance(harness.db, master.id)).not.toHaveProperty('storageStopped')
  const until = new Date(Date.now() + 86_400_000)
  await harness.db
    .insertInto('usage_notices')
    .values({ userid: owner, product_type: 'cloud_storage', key: 'usageLimited', params: '{}', until })
    .execute()
  expect(await harness.intake.describeInstance(harness.db, master.id)).toMatchObject({ storageStopped: true })
  await harness.db.updateTable('clusters').set({ status: 'destroyed' }).where('id', '=', clusterId).execute()
  expect(await harness.intake.describeInstance(harness.db, master.id)).toBeUndefined()
})
