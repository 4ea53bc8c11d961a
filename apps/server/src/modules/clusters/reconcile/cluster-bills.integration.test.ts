/** What bills make of clusters and workers: ordered, paid, lapsed, owed, settled and given up on. */
import type { AuditAction } from '@atoll/contract/audit'
import { instanceList } from '@atoll/contract/clusters'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import { estimateAmount } from '../../billing/estimate/estimate-service.ts'
import { verifyDocuments } from '../../billing/index.ts'
import { usd } from '../../billing/testing/billing-desk.ts'
import { addSandboxCard } from '../../billing/testing/charging-desk.ts'
import { createMemoryProvider, type MemoryWorld } from '../../compute/testing/memory-provider.ts'
import { getBalance, postToLedger, verifyLedger } from '../../ledger/index.ts'
import { requestAction } from '../commands/cluster-actions.ts'
import { orderCluster } from '../commands/cluster-create.ts'
import { cancelWaiting } from '../commands/instance-removal.ts'
import { cancelUnpaidCluster } from '../commands/order-cancel.ts'
import { addWorkers } from '../commands/worker-add.ts'
import { type ClusterWorld, callerOf, createClusterWorld, testCatalog, testOrder } from '../testing/cluster-world.ts'
import { simulateAgents } from '../testing/simulated-agents.ts'
import { getDetail } from '../views/cluster-service.ts'
import { findOwnCluster, listClusters } from '../views/cluster-views.ts'
import { toInstanceLine } from '../views/instance-json.ts'
import { listVisibleInstances } from '../views/instance-views.ts'

const price = 1440
const minute = 60_000
let instances: MemoryWorld
let world: ClusterWorld
let owner: string
let now: Date

beforeEach(async () => {
  instances = new Map()
  now = new Date('2027-03-01T00:00:00Z')
  world = await createClusterWorld({
    provider: createMemoryProvider(instances),
    agents: simulateAgents(instances),
    clock: { now: () => now },
  })
  owner = await world.newOwner('reef', 4)
})
afterEach(async () => {
  expect(await verifyDocuments(world.db)).toBeUndefined()
  expect(await verifyLedger(world.db, { sealer: world.deps.sealer })).toMatchObject({ whole: true })
  await world[Symbol.asyncDispose]()
})

const caller = () => callerOf(owner)
const order = (more: { name?: string; estimateToken?: string; requestId?: string } = {}) =>
  orderCluster(world.deps, caller(), { ...testOrder, offering: 'bay', ...more })
const addWorker = (clusterId: string) =>
  addWorkers(world.deps, caller(), { clusterId, offering: 'bay', quantity: 1 }).then(({ instanceIds, ...rest }) => ({
    ...rest,
    instanceId: instanceIds[0] ?? '',
  }))

async function credit(minor: number): Promise<void> {
  const about = { userid: owner, at: now, document: 'credit', key: newId('gr') }
  await world.db.transaction().execute(async (trx) => {
    await world.deps.accounts.lockLimits(trx, owner)
    await postToLedger(trx, { ...about, kind: 'adjust', facts: { amount: usd(minor) } })
  })
}
const estimate = (userid: string) =>
  estimateAmount(
    { ...world.deps, catalog: { current: () => testCatalog }, findMethod: async () => null, findOwnCluster },
    userid,
    { kind: 'cluster', offering: 'bay' },
  )
/** Pays an invoice from credit. */
async function pay(invoiceId: string | undefined, minor = price): Promise<void> {
  await credit(minor)
  const paid = await world.db.transaction().execute(async (trx) => {
    await world.deps.accounts.lockLimits(trx, owner)
    return await world.billing.pay(trx, { userid: owner, invoiceId: invoiceId ?? '', at: now, method: null })
  })
  expect(paid).toMatchObject({ paid: true })
}
async function lapse(invoiceId: string | undefined): Promise<void> {
  await world.db.transaction().execute(async (trx) => {
    await world.deps.accounts.lockLimits(trx, owner)
    expect(await world.billing.lapse(trx, { userid: owner, invoiceId: invoiceId ?? '', at: now })).toBe(true)
  })
}
/** What dunning writes of what is owed for too long, settled, or given up on. */
async function stand(clusterId: string, state: 'past_due' | 'active' | 'ended'): Promise<void> {
  await world.database.pool.query(
    `update subscription_items set state = $2, ended_at = case when $2 = 'ended' then $3::timestamptz end
      where subscription_id in (select id from subscriptions where cluster_id = $1) and state <> 'canceled'`,
    [clusterId, state, now],
  )
}
async function running(): Promise<string> {
  await credit(price)
  const { clusterId } = await order()
  expect(await world.settle(clusterId)).toMatchObject({ status: 'running' })
  return clusterId
}
async function refusalOf(attempt: Promise<unknown>): Promise<unknown> {
  const failure = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
  return (failure as { key?: string } | undefined)?.key
}
const cashOf = async () => (await getBalance(world.db, owner, 'cash', 'usd')).minor
/** Of the log, these actions in their order, each with who did it. */
async function audited(actions: AuditAction[]) {
  const rows = await world.db.selectFrom('audit_records').select(['action', 'actor']).orderBy('seq').execute()
  return rows.filter(({ action }) => actions.includes(action)).map(({ action, actor }) => [action, actor])
}
const statuses = async (clusterId: string) => {
  const { cluster, master, workers } = await world.rows(clusterId)
  expect(cluster.status).toBe(master.status)
  return [master.status, ...workers.map(({ status }) => status)]
}

describe('an order that costs', () => {
  test('has its price beside each instance, for its owner alone, as long as it is sold; what is free has none', async () => {
    await world.db.updateTable('accounts').set({ vcpu_quota: 8 }).where('userid', '=', owner).execute()
    const clusterId = await running()
    await addWorker(clusterId)
    const free = await orderCluster(world.deps, caller(), testOrder)
    const pricesFor = async (viewer: ReturnType<typeof callerOf>) => {
      const lines = (await listVisibleInstances(world.db, viewer)).map((row) =>
        toInstanceLine(row, { viewer, locale: 'en-US' }),
      )
      const { data } = await getDetail(world.deps, viewer, clusterId, 'en-US')
      const inList = lines.filter((line) => line.clusterId === clusterId).map((line) => line.price)
      expect(instanceList.data.parse(lines)).toHaveLength(lines.length)
      expect(data.map((instance) => instance.price)).toEqual(inList)
      expect(lines.find((line) => line.clusterId === free.clusterId)?.price).toBeNull()
      return inList
    }
    const sold = { amount: price, currency: 'usd', interval: 'month' }
    expect(await pricesFor(caller())).toEqual([sold, sold])
    expect(await pricesFor(callerOf(await world.newOwner(), 'Admin'))).toEqual([null, null])
    await stand(clusterId, 'ended')
    expect(await pricesFor(caller())).toEqual([null, null])
  })

  test('waits to be paid with nothing at the provider and no operation, and is made when it is', async () => {
    const ordered = await order({ requestId: 'order-1' })
    expect(ordered).toMatchObject({ status: 'unpaid', amount: price, paid: false })
    expect(ordered).not.toHaveProperty('pending')
    await world.reconcile(ordered.clusterId)
    const { operations } = await world.rows(ordered.clusterId)
    expect([operations, instances.size]).toEqual([[], 0])
    const [shown] = await listClusters(world.db, caller())
    const { invoiceId } = ordered
    expect(shown?.orders).toMatchObject([
      { invoiceId, amount: price, currency: 'usd', validUntil: '2027-03-02T00:00:00.000Z' },
    ])

    // Its deadline begins only now.
    now = new Date(now.getTime() + 10 * minute)
    await pay(invoiceId)
    expect(await world.settle(ordered.clusterId)).toMatchObject({ status: 'running' })
    const after = await world.rows(ordered.clusterId)
    expect(after.operations).toMatchObject([{ kind: 'create', state: 'done', started_at: now, asked_by: owner }])
    expect(after.operations[0]?.steps.map(({ step }) => step)).toEqual(['fetching', 'queuing', 'pending', 'installing'])
    // The same request again tells what became of it.
    expect(await order({ requestId: 'order-1' })).toMatchObject({ invoiceId, status: 'running', paid: true })
    expect((await listClusters(world.db, caller()))[0]?.orders).toBeNull()
  })

  test('is made at once where credit pays it', async () => {
    await credit(price)
    const ordered = await order()
    expect(ordered).toMatchObject({ status: 'fetching', amount: price, paid: true })
    expect((await world.rows(ordered.clusterId)).operations).toMatchObject([{ kind: 'create', state: 'running' }])
    expect(await world.settle(ordered.clusterId)).toMatchObject({ status: 'running' })
  })

  test('is answered once its card was charged, or that this goes on where that takes longer', async () => {
    await world.db.transaction().execute((trx) => addSandboxCard(trx, owner, '4242424242424242'))
    const orderWaiting = (awaitOrder: () => Promise<void>, requestId: string) => {
      const deps = { ...world.deps, billing: { ...world.billing, awaitOrder } }
      return orderCluster(deps, caller(), { ...testOrder, offering: 'bay', requestId })
    }
    const charge = async () => {
      const payments = await world.db.selectFrom('payments').select('id').where('state', '=', 'created').execute()
      const job = world.billing.jobs.find(({ name }) => name === 'payment.reconcile')
      for (const { id } of payments) await job?.run({ id }, world.jobContext())
    }
    const late = await orderWaiting(async () => undefined, 'order-1')
    expect(late).toMatchObject({ status: 'unpaid', amount: price, paid: false, pending: true })
    const quick = await orderWaiting(charge, 'order-2')
    const paid = { invoiceId: quick.invoiceId, amount: price, paid: true }
    expect(quick).toEqual({ clusterId: quick.clusterId, status: 'paid', ...paid })
    for (const { clusterId } of [late, quick]) {
      expect(await world.settle(clusterId)).toMatchObject({ status: 'running' })
    }
    const { clusterId, invoiceId } = late
    expect(await order({ requestId: 'order-1' })).toEqual({ clusterId, status: 'running', ...paid, invoiceId })
  })

  test('costs what was shown, and is refused with the new figure where that holds no more', async () => {
    const { estimateToken } = await estimate(owner)
    expect(await refusalOf(order({ estimateToken: `${estimateToken}x` }))).toBe('estimateChanged')
    const other = await world.newOwner()
    const theirs = await estimate(other)
    expect(await refusalOf(order({ estimateToken: theirs.estimateToken }))).toBe('estimateChanged')
    now = new Date(now.getTime() + 14 * minute)
    const ordered = await order({ estimateToken })
    const { issued_at } = await world.db
      .selectFrom('invoices')
      .select('issued_at')
      .where('id', '=', ordered.invoiceId ?? '')
      .executeTakeFirstOrThrow()
    expect([ordered.amount, issued_at]).toEqual([price, new Date('2027-03-01T00:00:00Z')])
    now = new Date(now.getTime() + 2 * minute)
    expect(await refusalOf(order({ estimateToken }))).toBe('estimateChanged')
  })

  test('holds quota, name and address until it lapses', async () => {
    const first = await order({ name: 'Manihi' })
    const second = await order()
    expect(await refusalOf(order())).toBe('vCpuQuotaPassed')
    const labelOf = async (clusterId: string) => (await world.rows(clusterId)).cluster.host_label
    expect([await labelOf(first.clusterId), await labelOf(second.clusterId)]).toEqual(['reef', 'reef-2'])
    await lapse(first.invoiceId)
    expect(await world.settle(first.clusterId)).toMatchObject({ status: 'canceled' })
    const third = await order({ name: 'Manihi' })
    expect(await labelOf(third.clusterId)).toBe('reef')
    expect(instances.size).toBe(0)
    expect(await audited(['instance.lapse'])).toEqual([['instance.lapse', null]])
  })

  test('is canceled by its owner and nobody else, and never after it was paid', async () => {
    const { clusterId } = await order()
    const [shown] = await listClusters(world.db, caller())
    const subscriptionId = shown?.orders?.[0]?.subscriptionId ?? ''
    const stranger = callerOf(await world.newOwner(), 'Admin')
    expect(await refusalOf(cancelUnpaidCluster(world.deps, stranger, { subscriptionId }))).toBe('notFound')
    expect(await cancelUnpaidCluster(world.deps, caller(), { subscriptionId })).toEqual({ status: 'canceled' })
    const { master, cluster } = await world.rows(clusterId)
    expect([master.status, cluster.status]).toEqual(['canceled', 'canceled'])

    const paid = await order()
    await pay(paid.invoiceId)
    const { master: unmade } = await world.rows(paid.clusterId)
    expect(await refusalOf(cancelWaiting(world.deps, caller(), { instanceId: unmade.id }))).toBe('nothingUnpaid')
  })
})

test('an order that its owner takes back at the bank’s page ends with its payment, in the owner’s name', async () => {
  const { clusterId, invoiceId } = await order()
  const movePayment = (state: string, endedAt: Date | null) =>
    world.database.pool.query('update payments set state = $2, ended_at = $3 where invoice_id = $1', [
      invoiceId,
      state,
      endedAt,
    ])
  await movePayment('needs_action', null)
  const [shown] = await listClusters(world.db, caller())
  const subscriptionId = shown?.orders?.[0]?.subscriptionId ?? ''
  expect(await cancelUnpaidCluster(world.deps, caller(), { subscriptionId })).toEqual({ status: 'unpaid' })
  await movePayment('canceled', now)
  await lapse(invoiceId)
  expect(await world.settle(clusterId)).toMatchObject({ status: 'canceled' })
  expect(await audited(['cluster.cancel', 'instance.lapse'])).toEqual([['cluster.cancel', owner]])
})

describe('a worker that costs', () => {
  test('waits to be paid, is canceled or made, and only its owner orders one', async () => {
    const clusterId = await running()
    const admin = callerOf(await world.newOwner(), 'Admin')
    const asked = { clusterId, offering: 'bay', quantity: 1 }
    expect(await refusalOf(addWorkers(world.deps, admin, asked))).toBe('ownerOnly')
    const withCoupon = { ...asked, offering: 'small', couponCode: 'REEF10' }
    expect(await refusalOf(addWorkers(world.deps, admin, withCoupon))).toBe('ownerOnly')
    expect(await refusalOf(addWorkers(world.deps, caller(), withCoupon))).toBe('couponGone')
    const first = await addWorker(clusterId)
    expect(first).toMatchObject({ status: 'unpaid', paid: false, amount: price })
    await world.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'unpaid'])
    await cancelWaiting(world.deps, caller(), { instanceId: first.instanceId })
    expect(await statuses(clusterId)).toEqual(['running', 'canceled'])
    const second = await addWorker(clusterId)
    await pay(second.invoiceId)
    await world.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'canceled', 'running'])
    expect((await world.rows(clusterId)).operations).toContainEqual(
      expect.objectContaining({ kind: 'addWorker', state: 'done' }),
    )
  })

  test('does not keep its cluster from going, whether somebody destroys that or nobody pays for it', async () => {
    const owed = await running()
    await addWorker(owed)
    await world.database.pool.query(
      `update subscription_items set state = 'ended', ended_at = $2 where instance_id = (select id from instances
        where cluster_id = $1 and role = 'master')`,
      [owed, now],
    )
    expect(await world.settle(owed)).toMatchObject({ status: 'destroyed' })
    expect(await statuses(owed)).toEqual(['destroyed', 'canceled'])
    const clusterId = await running()
    await addWorker(clusterId)
    await requestAction(world.deps, caller(), { call: 'destroyMaster', action: 'destroyMaster', body: { clusterId } })
    expect(await world.settle(clusterId)).toMatchObject({ status: 'destroyed' })
    expect(await statuses(clusterId)).toEqual(['destroyed', 'canceled'])
    expect(instances.size).toBe(0)
  })
})

describe('a bill that is owed for too long', () => {
  test('stops the cluster with its workers and keeps what is theirs; settled, all of it boots again', async () => {
    const clusterId = await running()
    const { invoiceId } = await addWorker(clusterId)
    await pay(invoiceId)
    await world.settle(clusterId)
    const boots = [...instances.values()].map((instance) => instance.boots)
    await stand(clusterId, 'past_due')
    await world.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['waiting_destroy', 'waiting_destroy'])
    expect([...instances.values()].map(({ state }) => state)).toEqual(['stopped', 'stopped'])
    const start = requestAction(world.deps, caller(), { call: 'start', action: 'start', body: { clusterId } })
    expect(await refusalOf(start)).toBe('actionRefused')

    await stand(clusterId, 'active')
    await world.settle(clusterId)
    expect(await statuses(clusterId)).toEqual(['running', 'running'])
    // The very machines, and with them their files.
    expect([...instances.values()].map(({ state }) => state)).toEqual(['running', 'running'])
    expect([...instances.values()].map((instance) => instance.boots)).toEqual(boots.map((count) => count + 1))
    expect((await world.rows(clusterId)).operations).toContainEqual(
      expect.objectContaining({ kind: 'start', state: 'done', asked_by: null }),
    )
    // Once for the cluster, whatever number of instances it has.
    expect(await audited(['cluster.suspend', 'cluster.resume'])).toEqual([
      ['cluster.suspend', null],
      ['cluster.resume', null],
    ])
  })

  test('leaves what was stopped stopped when it is settled', async () => {
    const clusterId = await running()
    const body = { clusterId }
    await requestAction(world.deps, caller(), { call: 'stop', action: 'stop', body })
    await world.settle(clusterId)
    await stand(clusterId, 'past_due')
    expect(await world.settle(clusterId)).toMatchObject({ status: 'waiting_destroy' })
    await stand(clusterId, 'active')
    expect(await world.settle(clusterId)).toMatchObject({ status: 'stopped' })
  })

  test('destroys the cluster when its grace is over, or when its owner would rather have it gone', async () => {
    const given = await running()
    await stand(given, 'past_due')
    await world.settle(given)
    await stand(given, 'ended')
    expect(await world.settle(given)).toMatchObject({ status: 'destroyed' })
    const { cluster, operations } = await world.rows(given)
    expect(cluster).toMatchObject({ desired: 'destroyed', observed_generation: cluster.generation })
    expect(operations).toContainEqual(expect.objectContaining({ kind: 'destroy', state: 'done', asked_by: null }))
    expect(await audited(['cluster.giveUp'])).toEqual([['cluster.giveUp', null]])

    const left = await running()
    await stand(left, 'past_due')
    await world.settle(left)
    const body = { clusterId: left }
    await requestAction(world.deps, caller(), { call: 'destroyMaster', action: 'destroyMaster', body })
    expect(await world.settle(left)).toMatchObject({ status: 'destroyed' })
    expect(instances.size).toBe(0)
  })

  test('ends what was sold of each machine, and gives back what one of them was paid for beyond that', async () => {
    const clusterId = await running()
    const day = async (date: string) => {
      now = new Date(`2027-${date}T00:00:00Z`)
      const job = world.billing.jobs.find(({ name }) => name === 'billing.account')
      await job?.run({ userid: owner }, world.jobContext())
      await world.settle(clusterId)
    }
    await day('04-01')
    await credit(price)
    expect(await addWorker(clusterId)).toMatchObject({ amount: price, paid: true })
    await world.settle(clusterId)
    for (const date of ['04-02', '04-04', '04-06']) await day(date)
    expect(await statuses(clusterId)).toEqual(['waiting_destroy', 'waiting_destroy'])
    await day('04-20')
    expect(await statuses(clusterId)).toEqual(['destroyed', 'destroyed'])
    const items = await world.db.selectFrom('subscription_items').select('state').where('userid', '=', owner).execute()
    expect(items).toEqual([{ state: 'ended' }, { state: 'ended' }])
    // 11 of the 30 days that the worker was paid for.
    expect(await cashOf()).toBe(-528)
  })
})
