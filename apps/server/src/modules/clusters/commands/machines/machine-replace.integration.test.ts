/** Another machine in the place of a self-hosted cluster's own: the command, and what the machine that comes finds. */
import type { ClusterStatus } from '@atoll/contract/clusters'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refuse } from '../../../../platform/refusal.ts'
import { createMemoryProvider } from '../../../compute/testing/memory-provider.ts'
import { findFrpLabel } from '../../network/self-host-proxy.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { simulateAgents } from '../../testing/simulated-agents.ts'
import { orderCluster } from '../orders/cluster-create.ts'
import { orderSelfHost } from '../orders/self-host-order.ts'
import { issueReplacement } from './machine-replace.ts'

const backup = { backupId: 'bk_reef000000' }
let harness: ClusterHarness
let isGuarded = false
/** Changes of restores and agents, in this order. */
let changed: string[] = []
let owner: string
let clusterId: string

beforeAll(async () => {
  const begin = async () => (isGuarded ? refuse('restoreGuarded', { product: 'Atoll' }) : 'rs_replaced001')
  harness = await createClusterHarness({
    provider: createMemoryProvider(new Map()),
    agents: simulateAgents(new Map()),
    restores: {
      begin: async () => {
        changed.push('begin')
        return await begin()
      },
      check: async () => void (await begin()),
      again: async (_, id) => id,
      end: async () => void changed.push('end'),
      list: async () => [],
      listKin: async () => [],
    },
  })
  // The row of a restore is another module's.
  await harness.database.pool.query('alter table instances drop constraint instances_restore_id_fkey')
})
afterAll(() => harness[Symbol.asyncDispose]())

/** A self-hosted cluster with a worker, whose machine has been silent for a while. */
beforeEach(async () => {
  isGuarded = false
  changed = []
  owner = await harness.newOwner()
  const { clusterId: id } = await orderSelfHost(harness.deps, callerOf(owner), {
    clusterType: 'SelfHost',
    reverseProxy: 'frp',
  })
  clusterId = id
  await stand('offline')
})

async function stand(status: ClusterStatus, change: object = {}): Promise<void> {
  const { db } = harness
  await db.updateTable('clusters').set({ status }).where('id', '=', clusterId).execute()
  await db
    .updateTable('instances')
    .set({ status, resume_stack: [], has_run: true, os_active: true, ...change })
    .where('cluster_id', '=', clusterId)
    .where('replaced_at', 'is', null)
    .execute()
}

const ask = (restore?: typeof backup, caller = callerOf(owner)) =>
  issueReplacement(harness.deps, caller, { clusterId, ...(restore && { restore }) })

/** As the agents module does when a machine spends the command's token. */
async function come(restore: typeof backup | null = null) {
  const forgotten: string[] = []
  const made: { id: string; steps: readonly string[] | undefined }[] = []
  const instanceId = await harness.db.transaction().execute((trx) =>
    harness.intake.replaceMaster(
      trx,
      { clusterId, restore },
      {
        forget: async (id) => {
          changed.push('forget')
          forgotten.push(id)
        },
        make: async (id, install) => void made.push({ id, steps: install?.steps }),
      },
    ),
  )
  return { instanceId, forgotten, made }
}

test('the command changes nothing; the machine that comes with it is the master, under a new id', async () => {
  const before = await harness.rows(clusterId)
  const { command, enrollToken } = await ask()
  expect(command).toContain(`ATOLL_ENROLL_TOKEN=${enrollToken}`)
  expect((await harness.rows(clusterId)).master).toMatchObject({ id: before.master.id, status: 'offline' })

  const { instanceId, forgotten, made } = await come()
  expect(forgotten).toEqual([before.master.id])
  expect(made).toEqual([{ id: instanceId, steps: ['prepare', 'handover'] }])
  const { cluster, master, operations } = await harness.rows(clusterId)
  expect(master).toMatchObject({ id: instanceId, status: 'fetching', os_active: false, restore_id: null })
  expect(cluster).toMatchObject({
    status: 'fetching',
    desired: 'running',
    host_label: before.cluster.host_label,
    name: before.cluster.name,
  })
  expect(operations.at(-1)).toMatchObject({ kind: 'replaceMachine', state: 'running', asked_by: owner })
  const old = harness.db.selectFrom('instances').selectAll().where('id', '=', before.master.id)
  expect(await old.executeTakeFirst()).toMatchObject({ status: 'destroyed', desired: 'destroyed', host: null })
  const frp = {
    config: { ...harness.deps.config, frps: { host: 'frp', port: 1, token: undefined, clusterUrl: String } },
  }
  expect(await findFrpLabel(frp, harness.db, before.master.id), 'an frps no longer lets it in').toBeUndefined()
  expect(await findFrpLabel(frp, harness.db, instanceId ?? '')).toBe(cluster.host_label)
  const records = await harness.db
    .selectFrom('audit_entries')
    .select('action')
    .where('object_id', '=', clusterId)
    .orderBy('seq')
    .execute()
  expect(records.slice(-2).map(({ action }) => action)).toEqual(['cluster.issueReplacement', 'cluster.replaceMachine'])
})

test('one that comes empty ends the restore that was open, one that comes with a backup leaves that to its own', async () => {
  await come(backup)
  // The backup is locked before agents, as its reconciler does.
  expect(changed).toEqual(['begin', 'forget'])
  changed = []
  await stand('offline')
  await come()
  expect(changed).toEqual(['end', 'forget'])
})

test('its workers stay as they are', async () => {
  const { master } = await harness.rows(clusterId)
  const { id: _id, ...row } = await harness.db
    .selectFrom('instances')
    .selectAll()
    .where('id', '=', master.id)
    .executeTakeFirstOrThrow()
  const worker = { ...row, id: 'in_worker00001', role: 'worker', ordinal: 1, status: 'running' } as const
  const insert = harness.db.insertInto('instances').values({
    id: worker.id,
    cluster_id: clusterId,
    owner,
    role: worker.role,
    ordinal: 1,
    status: worker.status,
    cpu_core_count: 4,
    memory_mib: 1,
    disk_mib: 1,
    install_task: 'op_worker',
    offering: null,
    created_at: row.created_at,
    changed_at: row.changed_at,
  })
  await insert.execute()
  const read = () => harness.db.selectFrom('instances').selectAll().where('id', '=', worker.id).executeTakeFirst()
  const before = await read()
  expect((await come()).forgotten).toEqual([master.id])
  expect(await read()).toEqual(before)
  await harness.db.deleteFrom('instances').where('id', '=', worker.id).execute()
})

describe('of a backup', () => {
  test('it is made for the restore, and has its files before it is handed over', async () => {
    await ask(backup)
    const { made } = await come(backup)
    expect(made[0]?.steps).toEqual(['prepare', 'restore', 'handover'])
    const { master, operations } = await harness.rows(clusterId)
    expect(master).toMatchObject({ restore_id: 'rs_replaced001', has_run: false })
    expect(operations.at(-1)?.steps.map(({ step }) => step)).toContain('restoring')
  })

  test('the guard is asked with the command, and again when the machine comes: then nothing has happened', async () => {
    isGuarded = true
    await expect(ask(backup)).rejects.toMatchObject({ key: 'restoreGuarded' })
    expect(await ask()).toHaveProperty('command')
    const { master } = await harness.rows(clusterId)
    await expect(come(backup)).rejects.toMatchObject({ key: 'restoreGuarded' })
    expect((await harness.rows(clusterId)).master).toEqual(master)
  })

  test('only its owner may ask for it', async () => {
    const admin = callerOf(await harness.newOwner(), 'Admin')
    await expect(ask(backup, admin)).rejects.toMatchObject({ key: 'ownerOnly' })
  })
})

describe('is refused', () => {
  test.each([
    ['queuing', 'noMachineToReplace'],
    ['destroying', 'alreadyDestroying'],
    ['destroy_to_be_confirmed', 'actionRefused'],
  ] as const)('while it is %s', async (status, key) => {
    await stand(status)
    await expect(ask()).rejects.toMatchObject({ key })
    if (status !== 'queuing') expect((await come()).instanceId).toBeUndefined()
  })

  test('of a machine that was given up, before it is taken back', async () => {
    await harness.db.updateTable('clusters').set({ given_up_at: new Date() }).where('id', '=', clusterId).execute()
    await stand('offline', { given_up: true })
    await expect(ask()).rejects.toMatchObject({ key: 'givenUp' })
    expect((await come()).instanceId).toBeUndefined()
  })

  test('of a Cloud cluster', async () => {
    clusterId = (await orderCluster(harness.deps, callerOf(owner), testOrder)).clusterId
    await expect(ask()).rejects.toMatchObject({ key: 'selfHostOnly' })
  })
})

test.each(['running', 'errored', 'restore_error', 'installing', 'restarting'] as const)(
  'replaces a machine whose cluster is %s, too',
  async (status) => {
    await stand(status, status === 'errored' ? { resume_stack: ['running'] } : {})
    await ask()
    expect((await come()).instanceId).toMatch(/^in_/)
  },
)

test('the same request again is answered by the same command, another one by a newer', async () => {
  const request = (requestId: string) => issueReplacement(harness.deps, callerOf(owner), { clusterId, requestId })
  const first = await request('replace-0001')
  expect(await request('replace-0001')).toEqual(first)
  expect((await request('replace-0002')).enrollToken).not.toBe(first.enrollToken)
})
