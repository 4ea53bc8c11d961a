import type { Reason } from '@atoll/contract/api'
import type { AuditAction } from '@atoll/contract/audit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getDid } from '../../accounts/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { findSnapshot } from '../instances/reconcile-store.ts'
import type { ClusterEvent } from '../lifecycle/cluster-state.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../testing/simulated-agents.ts'
import { applyEvent } from './instance-events.ts'

let agents: SimulatedAgents
let harness: ClusterHarness
let owner: string
let clusterId: string

beforeEach(async () => {
  const instances: MemoryHarness = new Map()
  agents = simulateAgents(instances)
  harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents })
  owner = await harness.newOwner('reef')
  clusterId = (await orderCluster(harness.deps, callerOf(owner), testOrder)).clusterId
  await harness.settle(clusterId)
})
afterEach(() => harness[Symbol.asyncDispose]())

async function report(): Promise<void> {
  const { master } = await harness.rows(clusterId)
  await harness.db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId: master.id }))
}

async function happen(event: ClusterEvent, reason: Reason | null = null): Promise<void> {
  const snapshot = await findSnapshot(harness.db, clusterId)
  const master = snapshot?.instances.find(({ role }) => role === 'master')
  if (!snapshot || !master) throw new Error('the cluster has no master')
  await applyEvent(harness.deps, snapshot, master, event, reason)
}

/** The log but for what the order itself wrote, oldest first. */
async function log() {
  const rows = await harness.db.selectFrom('audit_entries').selectAll().orderBy('seq').execute()
  const did = await getDid(harness.db, owner)
  // By whose account it is.
  const accountOf = (person: string | null) => (person === did ? owner : person)
  return rows
    .filter(({ action }) => action !== 'cluster.create')
    .map((row) => ({ ...row, actor: accountOf(row.actor), owner: accountOf(row.owner) }))
}

const actions = async (): Promise<AuditAction[]> => (await log()).map(({ action }) => action)

test('activation and a password reset are recorded as the owner’s, once each', async () => {
  await report()
  expect(await actions()).toEqual([])
  agents.activated = true
  await report()
  await report()
  expect(await log()).toMatchObject([
    { action: 'cluster.activate', actor: owner, owner, object_id: clusterId, session_id: null, ip: null },
  ])
  // A reset: another one-time password comes, and goes once it was used.
  const listAgents = agents.listAgents
  const withPassword = (oneTimePassword: string | null) => {
    harness.deps.agents.listAgents = async (...args) =>
      (await listAgents(...args)).map((agent) => ({ ...agent, oneTimePassword }))
  }
  withPassword('AGAIN')
  await report()
  expect(await actions()).toEqual(['cluster.activate'])
  withPassword(null)
  await report()
  await report()
  expect(await actions()).toEqual(['cluster.activate', 'cluster.setPassword'])
})

test('an instance that was lost, came back, ended unasked and vanished is recorded as such, with the reason', async () => {
  await happen('silenced', { key: 'machineSilent' })
  await happen('reported')
  await happen('lost')
  await happen('failed', { key: 'startingLate' })
  await happen('recovered')
  await happen('vanished', { key: 'gone' })
  expect(await actions()).toEqual([
    'instance.lose',
    'instance.return',
    'instance.recover',
    'instance.fail',
    'instance.vanish',
  ])
  const [lost] = await log()
  expect(lost).toMatchObject({ actor: null, owner, object_kind: 'instance', object_name: 'Rangiroa' })
  expect(JSON.parse(lost?.after ?? '')).toEqual({
    status: 'offline',
    instance: 'master',
    reason: '{"key":"machineSilent"}',
  })
})

test('a host that came is recorded as joined; one that was ordered is not', async () => {
  expect(await actions()).toEqual([])
  await harness.db.updateTable('clusters').set({ cluster_type: 'SelfHost' }).where('id', '=', clusterId).execute()
  const { master } = await harness.rows(clusterId)
  await harness.db.updateTable('instances').set({ status: 'queuing' }).where('id', '=', master.id).execute()
  await happen('provisioned')
  expect(await actions()).toEqual(['instance.join'])
})
