/** Clusters whose owner pays for them: what orders, pays, lapses and owes, by a clock that a test moves. */
import type { AuditAction } from '@atoll/contract/audit'
import { createTestClock } from '@atoll/testkit'
import { afterEach, beforeEach, expect } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import { verifyDocuments } from '../../billing/index.ts'
import { estimateAmount } from '../../billing/sell/estimate-service.ts'
import { usd } from '../../billing/testing/billing-harness.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { getBalance, postToLedger, verifyLedger } from '../../ledger/index.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { addWorkers } from '../commands/orders/worker-add.ts'
import { findOwnCluster } from '../views/cluster-owners.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testCatalog, testOrder } from './cluster-harness.ts'
import { simulateAgents } from './simulated-agents.ts'

/** Monthly price of an instance at the bay, in cents. */
export const price = 1440

type BilledHarness = Awaited<ReturnType<typeof openBilledHarness>>

/** Called once by a test file: a harness of its own for each test, after which its books are in order. */
export function useBilledHarness() {
  // Filled before each test.
  const bills = {} as BilledHarness
  const harness = {} as ClusterHarness
  beforeEach(async () => {
    Object.assign(bills, await openBilledHarness())
    Object.assign(harness, bills.harness)
  })
  afterEach(async () => {
    expect(await verifyDocuments(harness.db)).toBeUndefined()
    expect(await verifyLedger(harness.db, { sealer: harness.deps.sealer })).toMatchObject({ whole: true })
    await harness[Symbol.asyncDispose]()
  })
  return { bills, harness }
}

/** A harness of its own, whose owner has credit for nothing yet. */
export async function openBilledHarness() {
  const instances: MemoryHarness = new Map()
  const clock = createTestClock(new Date('2027-03-01T00:00:00Z'))
  const harness = await createClusterHarness({
    provider: createMemoryProvider(instances),
    agents: simulateAgents(instances),
    clock,
  })
  const owner = await harness.newOwner('reef', 4)

  const caller = () => callerOf(owner)
  const order = (more: { name?: string; estimateToken?: string; requestId?: string } = {}) =>
    orderCluster(harness.deps, caller(), { ...testOrder, offering: 'bay', ...more })
  const addWorker = (clusterId: string) =>
    addWorkers(harness.deps, caller(), { clusterId, offering: 'bay', quantity: 1 }).then(
      ({ instanceIds, ...rest }) => ({
        ...rest,
        instanceId: instanceIds[0] ?? '',
      }),
    )

  async function credit(minor: number): Promise<void> {
    const about = { userid: owner, at: clock.now(), document: 'credit', key: newId('gr') }
    await harness.db.transaction().execute(async (trx) => {
      await harness.deps.accounts.lockLimits(trx, owner)
      await postToLedger(trx, { ...about, kind: 'adjust', facts: { amount: usd(minor) } })
    })
  }
  const estimate = (userid: string) =>
    estimateAmount(
      { ...harness.deps, catalog: { current: () => testCatalog }, findMethod: async () => null, findOwnCluster },
      userid,
      { kind: 'cluster', offering: 'bay' },
    )
  /** Pays an invoice from credit. */
  async function pay(invoiceId: string | undefined, minor = price): Promise<void> {
    await credit(minor)
    const paid = await harness.db.transaction().execute(async (trx) => {
      await harness.deps.accounts.lockLimits(trx, owner)
      return await harness.billing.pay(trx, {
        userid: owner,
        invoiceId: invoiceId ?? '',
        at: clock.now(),
        method: null,
      })
    })
    expect(paid).toMatchObject({ paid: true })
  }
  async function lapse(invoiceId: string | undefined): Promise<void> {
    await harness.db.transaction().execute(async (trx) => {
      await harness.deps.accounts.lockLimits(trx, owner)
      expect(await harness.billing.lapse(trx, { userid: owner, invoiceId: invoiceId ?? '', at: clock.now() })).toBe(
        true,
      )
    })
  }
  /** Writes the states that dunning writes: overdue, settled, or given up on. */
  async function stand(clusterId: string, state: 'past_due' | 'active' | 'ended'): Promise<void> {
    await harness.database.pool.query(
      `update subscription_items set state = $2, ended_at = case when $2 = 'ended' then $3::timestamptz end
        where subscription_id in (select id from subscriptions where cluster_id = $1) and state <> 'canceled'`,
      [clusterId, state, clock.now()],
    )
  }
  async function running(): Promise<string> {
    await credit(price)
    const { clusterId } = await order()
    expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
    return clusterId
  }
  const cashOf = async () => (await getBalance(harness.db, owner, 'cash', 'usd')).minor
  /** Of the log, these actions in their order, each with who did it. */
  async function audited(actions: AuditAction[]) {
    const rows = await harness.db
      .selectFrom('audit_entries')
      .leftJoin('account_dids', 'did', 'actor')
      .select(['action', 'account_id'])
      .orderBy('seq')
      .execute()
    return rows.filter(({ action }) => actions.includes(action)).map((row) => [row.action, row.account_id])
  }
  const statuses = async (clusterId: string) => {
    const { cluster, master, workers } = await harness.rows(clusterId)
    expect(cluster.status).toBe(master.status)
    return [master.status, ...workers.map(({ status }) => status)]
  }

  return {
    harness,
    instances,
    clock,
    owner,
    caller,
    order,
    addWorker,
    credit,
    estimate,
    pay,
    lapse,
    stand,
    running,
    cashOf,
    audited,
    statuses,
  }
}

/** The key of what an attempt was refused with. */
export async function refusalOf(attempt: Promise<unknown>): Promise<unknown> {
  const failure = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
  return (failure as { key?: string } | undefined)?.key
}
