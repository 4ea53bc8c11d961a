/** Two at one cluster: what happens while the reconciler runs. */
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ComputeProvider } from '../../compute/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { repairInstance } from '../commands/instance-repair.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../testing/simulated-agents.ts'

/** Where a run of the reconciler is held up: `reached` when it is there, until `go`. */
interface Gate {
  reached: PromiseWithResolvers<void>
  go: PromiseWithResolvers<void>
}

let instances: MemoryHarness
let agents: SimulatedAgents
let harness: ClusterHarness
let owner: string

beforeEach(async () => {
  instances = new Map()
  agents = simulateAgents(instances)
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents })
  owner = await harness.newOwner()
})
afterEach(() => harness[Symbol.asyncDispose]())

async function createSettled(): Promise<string> {
  const { clusterId } = await orderCluster(harness.deps, callerOf(owner), testOrder)
  await harness.settle(clusterId)
  await harness.database.pool.query('delete from graphile_worker._private_jobs')
  return clusterId
}

function createGate(): Gate {
  return { reached: Promise.withResolvers(), go: Promise.withResolvers() }
}

async function passGate({ reached, go }: Gate): Promise<void> {
  reached.resolve()
  await go.promise
}

/** `provider` whose answers to `inspect` were true when they were asked for, and wait at the gate. */
function heldProvider(provider: ComputeProvider, gate: Gate): ComputeProvider {
  return {
    ...provider,
    async inspect(instanceId) {
      const seen = await provider.inspect(instanceId)
      await passGate(gate)
      return seen
    },
  }
}

/** `pool` whose reading of instances waits at the gate. */
function heldPool(pool: Pool, gate: Gate): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      const query = async (text: unknown, values?: unknown) => {
        if (typeof text === 'string' && text.startsWith('select * from "instances"')) await passGate(gate)
        return await (client.query as (text: unknown, values?: unknown) => Promise<unknown>)(text, values)
      }
      // Kysely calls these two of a client, with texts only.
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  } as PostgresPool
}

test('an instance that dies during a reconcile is reconciled again', async () => {
  const clusterId = await createSettled()
  const gate = createGate()
  const other = harness.sibling({ provider: heldProvider(createMemoryProvider(instances), gate) })
  try {
    const reconciling = other.reconcile(clusterId)
    await gate.reached.promise
    for (const instance of instances.values()) instance.state = 'failed'
    // The reconcile that the provider's report triggers finds the cluster locked.
    await harness.reconcile(clusterId)
    gate.go.resolve()
    await reconciling
    expect(await harness.countJobs(clusterId)).toBe(1)
    await harness.reconcile(clusterId)
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running', error: null })
    expect([...instances.values()].map(({ boots }) => boots)).toEqual([2])
  } finally {
    gate.go.resolve()
    await other.database.close()
  }
})

test('what a person asks for while the rows are read ends as what it is', async () => {
  agents.failure = 'no space left'
  const clusterId = await createSettled()
  const gate = createGate()
  const provider = createMemoryProvider(instances)
  const other = harness.sibling({ provider, wrapPool: (pool) => heldPool(pool, gate) })
  try {
    const reconciling = other.reconcile(clusterId)
    await gate.reached.promise
    await requestAction(harness.deps, callerOf(owner), { call: 'retry', action: 'retry', body: { clusterId } })
    gate.go.resolve()
    await reconciling
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'errored' })
    const { operations } = await harness.rows(clusterId)
    expect(operations.map(({ kind, state }) => [kind, state])).toEqual([
      ['create', 'failed'],
      ['retry', 'failed'],
    ])
  } finally {
    gate.go.resolve()
    await other.database.close()
  }
})

test('an instance that was given up during a reconcile gets no address any more', async () => {
  const clusterId = await createSettled()
  const [id] = instances.keys()
  const lost = instances.get(id ?? '')
  instances.clear()
  const master = await harness.settle(clusterId)
  expect(master).toMatchObject({ status: 'errored', missing: true })
  if (lost) instances.set(master.id, lost)
  // It came back somewhere else.
  await harness.db.updateTable('instances').set({ host: '192.0.2.1' }).where('id', '=', master.id).execute()
  const gate = createGate()
  const other = harness.sibling({ provider: heldProvider(createMemoryProvider(instances), gate) })
  try {
    const reconciling = other.reconcile(clusterId)
    await gate.reached.promise
    await repairInstance(harness.deps, callerOf(owner), { clusterId })
    gate.go.resolve()
    await reconciling
    const old = await harness.db.selectFrom('instances').selectAll().where('id', '=', master.id).executeTakeFirst()
    expect(old).toMatchObject({ status: 'destroyed', host: null, port: null })
  } finally {
    gate.go.resolve()
    await other.database.close()
  }
})
