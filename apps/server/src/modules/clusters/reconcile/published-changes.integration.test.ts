/**
 * All that is written about a cluster is published by the transaction that writes it. Triggers in the database note
 * what is shown and what is published with the number of their transaction.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Fault, faultyProvider, type ProviderMethod } from '../../compute/testing/faulty-provider.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { repairInstance } from '../commands/instance-repair.ts'
import { cancelOperation, removeWorker } from '../commands/machines/instance-removal.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { orderSelfHost } from '../commands/orders/self-host-order.ts'
import { issueSelfHostCommand } from '../commands/orders/self-host-worker.ts'
import { addWorkers } from '../commands/orders/worker-add.ts'
import { resetPassword } from '../commands/password-reset.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../testing/simulated-agents.ts'

/** Of each table the columns that calls show, or decide by what is offered. */
const shown = {
  instances: `status, resume_stack, error, last_failure, missing, host, os_active, has_password, install_log, network, started_at,
    cpu_core_count, memory_mib, disk_mib, replaced_at`,
  clusters: 'status, desired, name, host_label',
  operations: 'state, steps, error, deadline_at, ended_at',
  audit_records: 'seq',
}

let instances: MemoryHarness
let agents: SimulatedAgents
let faults: (method: ProviderMethod) => Fault | undefined
let harness: ClusterHarness
let owner: string

beforeEach(async () => {
  instances = new Map()
  agents = simulateAgents(instances)
  faults = () => undefined
  const provider = faultyProvider(createMemoryProvider(instances), (method) => faults(method))
  harness = await createClusterHarness({ provider, agents })
  owner = await harness.newOwner()
  await watch()
})
afterEach(() => harness[Symbol.asyncDispose]())

async function watch(): Promise<void> {
  const { pool } = harness.database
  await pool.query(`
    create table noted (tx xid8 not null default pg_current_xact_id(), what text not null);
    create function note() returns trigger language plpgsql as $$ begin
      insert into noted (what) values (tg_argv[0]);
      return null;
    end $$;
    create trigger note after insert on changes for each row execute function note('published')`)
  for (const [table, columns] of Object.entries(shown)) {
    const row = (which: string) => `(${columns.replaceAll(/(\w+)/g, `${which}.$1`)})`
    await pool.query(`
      create trigger note_insert after insert on ${table} for each row execute function note('${table}');
      create trigger note_update after update on ${table} for each row
        when (${row('old')} is distinct from ${row('new')}) execute function note('${table}')`)
  }
}

/** Which tables were written by transactions that published nothing. */
async function listUnpublished(): Promise<string[]> {
  const { rows } = await harness.database.pool.query<{ what: string }>(
    `select distinct what from noted where tx not in (select tx from noted where what = 'published') order by what`,
  )
  return rows.map(({ what }) => what)
}
async function countPublished(): Promise<number> {
  const { rows } = await harness.database.pool.query("select from noted where what = 'published'")
  return rows.length
}
const caller = () => callerOf(owner)
const ask = (action: Parameters<typeof requestAction>[2]['action'], clusterId: string) =>
  requestAction(harness.deps, caller(), { call: action, action, body: { clusterId } })
const report = async (clusterId: string) => {
  const { master } = await harness.rows(clusterId)
  await harness.db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId: master.id }))
}

test('what people ask of a cluster, and what comes of it', async () => {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  await harness.settle(clusterId)
  agents.activated = true
  await report(clusterId)
  for (const action of ['stop', 'start', 'restart'] as const) {
    await ask(action, clusterId)
    await harness.settle(clusterId)
  }
  await resetPassword(harness.deps, caller(), { clusterId })
  await addWorkers(harness.deps, caller(), { clusterId, offering: 'small', quantity: 2 })
  await harness.settle(clusterId)
  const [one] = (await harness.rows(clusterId)).workers
  await removeWorker(harness.deps, caller(), { clusterId, instanceId: one?.id ?? '', drain: true })
  await harness.settle(clusterId)
  await ask('destroyMaster', clusterId)
  expect(await harness.settle(clusterId)).toMatchObject({ status: 'destroyed' })
  expect(await countPublished()).toBeGreaterThan(10)
  expect(await listUnpublished()).toEqual([])
})

test('failures that nobody caused', async () => {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  let left = 2
  faults = (method) => (method === 'ensureInstance' && left-- > 0 ? 'error' : undefined)
  await harness.settle(clusterId)
  const [instance] = instances.values()
  if (instance) instance.state = 'stopped'
  await harness.reconcile(clusterId)
  await harness.settle(clusterId)
  await ask('stop', clusterId)
  await harness.settle(clusterId)
  instances.clear()
  await ask('start', clusterId)
  await harness.reconcile(clusterId)
  expect(await harness.settle(clusterId)).toMatchObject({ status: 'errored' })
  await repairInstance(harness.deps, caller(), { clusterId })
  expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
  expect(await listUnpublished()).toEqual([])
})

test('what is given up while it waits, and an instance that is waited for', async () => {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  const [operation] = (await harness.rows(clusterId)).operations
  await cancelOperation(harness.deps, caller(), { operationId: operation?.id ?? '' })
  await harness.settle(clusterId)
  const own = await orderSelfHost(harness.deps, caller(), { clusterType: 'SelfHost', reverseProxy: 'none' })
  await issueSelfHostCommand(harness.deps, caller(), { clusterId: own.clusterId, role: 'master' })
  await ask('destroyMaster', own.clusterId)
  expect(await listUnpublished()).toEqual([])
})
