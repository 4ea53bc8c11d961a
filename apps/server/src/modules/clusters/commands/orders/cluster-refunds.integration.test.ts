import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../platform/crypto.ts'
import { verifyDocuments } from '../../../billing/index.ts'
import { estimateRefundOf } from '../../../billing/sell/estimate-refund.ts'
import { refundJson } from '../../../billing/sell/refund-json.ts'
import { instanceTerms, usd } from '../../../billing/testing/billing-harness.ts'
import { ProviderError } from '../../../compute/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../../compute/testing/memory-provider.ts'
import { getBalance, postToLedger, verifyLedger } from '../../../ledger/index.ts'
import { type ClusterHarness, callerOf, createClusterHarness, testOrder } from '../../testing/cluster-harness.ts'
import { type SimulatedAgents, simulateAgents } from '../../testing/simulated-agents.ts'
import { listOwnInstances } from '../../views/cluster-owners.ts'
import { type ActionRequest, requestAction } from '../cluster-actions.ts'
import { keepInstance } from '../destroy-confirm.ts'
import { repairInstance } from '../instance-repair.ts'
import { cancelWaiting, removeWorker } from '../machines/instance-removal.ts'
import { orderCluster } from './cluster-create.ts'
import { addWorkers } from './worker-add.ts'

const day = 24 * 60 * 60_000
const minute = 60_000

let instances: MemoryHarness
let agents: SimulatedAgents
let harness: ClusterHarness
let owner: string
let now: Date
let removalFails: boolean

beforeEach(async () => {
  instances = new Map()
  agents = simulateAgents(instances)
  now = new Date('2027-03-01T00:00:00Z')
  removalFails = false
  const provider = createMemoryProvider(instances)
  harness = await createClusterHarness({
    provider: {
      ...provider,
      async destroy(instanceId) {
        if (removalFails) throw new ProviderError('it will not go', { retryable: false })
        await provider.destroy(instanceId)
      },
    },
    agents,
    clock: { now: () => now },
  })
  owner = await harness.newOwner()
})
afterEach(async () => {
  expect(await verifyDocuments(harness.db)).toBeUndefined()
  expect(await verifyLedger(harness.db, { sealer: harness.deps.sealer })).toMatchObject({ whole: true })
  await harness[Symbol.asyncDispose]()
})

const caller = () => callerOf(owner)
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const cash = async () => (await getBalance(harness.db, owner, 'cash', 'usd')).minor

async function running(): Promise<string> {
  const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
  await harness.settle(clusterId)
  return clusterId
}
async function addWorker(clusterId: string): Promise<string> {
  const { instanceIds } = await addWorkers(harness.deps, caller(), { clusterId, offering: 'small', quantity: 1 })
  return instanceIds[0] ?? ''
}

/** Has the instances paid for, from credit that is given first, or owed with a card. */
async function sell(clusterId: string, prices: Record<string, number>, { isPaid = true } = {}) {
  const { billing } = harness
  return await harness.db.transaction().execute(async (trx) => {
    const minor = Object.values(prices).reduce((sum, price) => sum + price, 0)
    const credit = { userid: owner, at: now, document: 'credit', key: newId('gr') }
    if (isPaid) await postToLedger(trx, { ...credit, kind: 'adjust', facts: { amount: usd(minor) } })
    const terms = Object.entries(prices).map(([instanceId, price]) => ({ instanceId, terms: instanceTerms(price) }))
    return await billing.order(trx, { userid: owner, clusterId, instances: terms, at: now, coupons: [], method: null })
  })
}
const masterOf = async (clusterId: string) => (await harness.rows(clusterId)).master
const statusOf = async (clusterId: string) => (await masterOf(clusterId)).status

async function estimate(clusterId: string, instanceId?: string) {
  const { db, clock, sealer, accounts } = harness.deps
  const deps = { db, clock, sealer, accounts, listOwnInstances }
  return refundJson(await estimateRefundOf(deps, owner, { clusterId, instanceId }), 'en-US')
}
const destroy = (clusterId: string, yes: Partial<ActionRequest['body']> = {}) =>
  requestAction(harness.deps, caller(), {
    call: 'destroyMaster',
    action: 'destroyMaster',
    body: { clusterId, confirm: true, ...yes },
  })
async function refusalOf(attempt: Promise<unknown>): Promise<string> {
  const failure = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
  return (failure as { key?: string } | undefined)?.key ?? 'none'
}

/** As an order leaves it whose card is charged. */
async function leaveUnpaid(...instanceIds: string[]): Promise<void> {
  await harness.db.deleteFrom('operations').where('subject_id', 'in', instanceIds).execute()
  await harness.db.updateTable('instances').set({ status: 'unpaid' }).where('id', 'in', instanceIds).execute()
}

describe('what was answered as paid, before the reconciler was there,', () => {
  it('can be destroyed at once: a cluster', async () => {
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    const { id } = await masterOf(clusterId)
    await leaveUnpaid(id)
    await sell(clusterId, { [id]: 1440 })
    expect(await destroy(clusterId)).toEqual({ status: 'destroying' })
    expect(await cash()).toBe(-1440)
    await harness.settle(clusterId)
    expect(await statusOf(clusterId)).toBe('destroyed')
  })

  it('can be destroyed at once: a worker; one that nobody paid is not', async () => {
    const clusterId = await running()
    const [paid, owed] = [await addWorker(clusterId), await addWorker(clusterId)]
    await leaveUnpaid(paid, owed)
    await sell(clusterId, { [paid]: 720 })
    await sell(clusterId, { [owed]: 720 }, { isPaid: false })
    const remove = (instanceId: string) =>
      removeWorker(harness.deps, caller(), { clusterId, instanceId, drain: false, confirm: true })
    expect(await remove(paid)).toEqual({ status: 'destroying' })
    expect(await refusalOf(remove(owed))).not.toBe('none')
  })
})

describe('destroying a cluster', () => {
  it('gives back what was shown, once, however often it is asked for', async () => {
    const clusterId = await running()
    const worker = await addWorker(clusterId)
    await harness.settle(clusterId)
    await sell(clusterId, { [(await masterOf(clusterId)).id]: 1440, [worker]: 720 })
    expect(await cash()).toBe(0)
    pass(14 * day)
    const shown = await estimate(clusterId)
    expect(shown.items.map(({ amount, proration }) => [amount, proration])).toEqual([
      [790, true],
      [395, true],
    ])
    pass(10 * minute)
    expect(await destroy(clusterId, { estimateToken: shown.estimateToken })).toEqual({ status: 'destroying' })
    expect(await cash()).toBe(-shown.amount)
    await harness.settle(clusterId)
    expect(await statusOf(clusterId)).toBe('destroyed')
    expect(await cash()).toBe(-1185)
    const { rows } = await harness.database.pool.query(
      `select object_name as name, after::json from audit_entries where action = 'invoice.credit' and object_id = $1`,
      [clusterId],
    )
    expect(rows).toEqual([{ name: expect.any(String), after: { amount: '11.85', currency: 'usd' } }])
  })

  it('gives nothing back twice where the provider cannot remove it and it is asked for again', async () => {
    const clusterId = await running()
    await sell(clusterId, { [(await masterOf(clusterId)).id]: 1440 })
    pass(14 * day)
    removalFails = true
    await destroy(clusterId)
    await harness.settle(clusterId)
    expect(await masterOf(clusterId)).toMatchObject({ status: 'errored', resume_stack: ['destroying'] })
    pass(day)
    removalFails = false
    expect(await destroy(clusterId)).toEqual({ status: 'destroying' })
    await harness.settle(clusterId)
    expect(await statusOf(clusterId)).toBe('destroyed')
    expect(await cash()).toBe(-790)
  })

  it('prices at the moment of asking what was shown more than 15 minutes before', async () => {
    const clusterId = await running()
    await sell(clusterId, { [(await masterOf(clusterId)).id]: 1440 })
    const { estimateToken } = await estimate(clusterId)
    pass(14 * day)
    await destroy(clusterId, { estimateToken })
    expect(await cash()).toBe(-790)
  })

  it('waits to be confirmed if the estimate no longer holds, is for something else, or was altered', async () => {
    const clusterId = await running()
    const worker = await addWorker(clusterId)
    await harness.settle(clusterId)
    await sell(clusterId, { [(await masterOf(clusterId)).id]: 1440 })
    const whole = await estimate(clusterId)
    const ofWorker = await estimate(clusterId, worker)
    for (const estimateToken of [ofWorker.estimateToken, `${whole.estimateToken}x`, 'x']) {
      expect(await destroy(clusterId, { estimateToken })).toEqual({ status: 'destroy_to_be_confirmed' })
      await keepInstance(harness.deps, caller(), { clusterId })
    }
    await sell(clusterId, { [worker]: 720 })
    expect(await destroy(clusterId, { estimateToken: whole.estimateToken })).toEqual({
      status: 'destroy_to_be_confirmed',
    })
    expect(await cash()).toBe(0)
    const { amount, estimateToken } = await estimate(clusterId)
    expect(await destroy(clusterId, { estimateToken })).toEqual({ status: 'destroying' })
    expect([amount, await cash()]).toEqual([2160, -2160])
    await harness.settle(clusterId)
    expect(await statusOf(clusterId)).toBe('destroyed')
  })

  it('that is not confirmed serves on, can be kept, and is kept after a day', async () => {
    const clusterId = await running()
    const { host_label: label } = (await harness.rows(clusterId)).cluster
    const isServing = async () =>
      (await harness.clusters.findRouteByHost(harness.db, `${label}.atoll.localhost`))?.serving ?? false
    expect(await isServing()).toBe(true)
    const since = (await masterOf(clusterId)).started_at
    expect(await destroy(clusterId, { confirm: false })).toEqual({ status: 'destroy_to_be_confirmed' })
    expect(await destroy(clusterId, { confirm: false })).toEqual({ status: 'destroy_to_be_confirmed' })
    expect(await isServing()).toBe(true)
    pass(day - minute)
    await harness.reconcile(clusterId)
    expect(await statusOf(clusterId)).toBe('destroy_to_be_confirmed')
    pass(minute)
    await harness.reconcile(clusterId)
    expect(await masterOf(clusterId)).toMatchObject({ status: 'running', started_at: since, resume_stack: [] })

    await destroy(clusterId, { confirm: false })
    expect(await keepInstance(harness.deps, caller(), { clusterId })).toEqual({ status: 'running' })
    expect(await refusalOf(keepInstance(harness.deps, caller(), { clusterId }))).toBe('nothingToKeep')
    await destroy(clusterId, { confirm: false })
    expect(await destroy(clusterId)).toEqual({ status: 'destroying' })
    await harness.settle(clusterId)
    expect(await statusOf(clusterId)).toBe('destroyed')
  })

  it('that is kept while it is being made goes on being made', async () => {
    const { clusterId } = await orderCluster(harness.deps, caller(), testOrder)
    await destroy(clusterId, { confirm: false })
    expect((await harness.rows(clusterId)).operations.map(({ state }) => state)).toEqual(['canceled'])
    await keepInstance(harness.deps, caller(), { clusterId })
    expect((await harness.settle(clusterId)).status).toBe('running')
  })

  it('takes workers with it that wait to be confirmed themselves, and orders that nobody paid', async () => {
    const clusterId = await running()
    const [asked, unpaid] = [await addWorker(clusterId), await addWorker(clusterId)]
    await harness.settle(clusterId)
    const ordered = await sell(clusterId, { [unpaid]: 720 }, { isPaid: false })
    expect(ordered.paid).toBe(false)
    await removeWorker(harness.deps, caller(), { clusterId, instanceId: asked, drain: false, confirm: false })
    await destroy(clusterId)
    await harness.settle(clusterId)
    expect(await statusOf(clusterId)).toBe('destroyed')
    const invoice = await harness.db.selectFrom('invoices').select('state').executeTakeFirstOrThrow()
    expect([invoice.state, await cash()]).toEqual(['void', 0])
  })

  it('waits for a payment that a card may be charged for, and has it canceled', async () => {
    const clusterId = await running()
    const ordered = await sell(clusterId, { [(await masterOf(clusterId)).id]: 1440 }, { isPaid: false })
    const move = (state: string, ended_at: Date | null) =>
      harness.database.pool.query('update payments set state = $2, ended_at = $3 where id = $1', [
        ordered.paymentId,
        state,
        ended_at,
      ])
    await move('sending', null)
    expect(await refusalOf(destroy(clusterId))).toBe('paymentUnderWay')
    expect(await statusOf(clusterId)).toBe('running')
    const { canceling_for } = await harness.db
      .selectFrom('payments')
      .select('canceling_for')
      .where('id', '=', ordered.paymentId)
      .executeTakeFirstOrThrow()
    expect(canceling_for).toBe('lapse')
    await move('declined', now)
    expect(await destroy(clusterId)).toEqual({ status: 'destroying' })
  })
})

describe('one instance', () => {
  it('is given back alone, whole where it never ran, and its repair takes the item along', async () => {
    const clusterId = await running()
    const first = await addWorker(clusterId)
    await harness.settle(clusterId)
    await sell(clusterId, { [(await masterOf(clusterId)).id]: 1440, [first]: 720 })
    pass(14 * day)
    await removeWorker(harness.deps, caller(), { clusterId, instanceId: first, drain: false })
    expect(await cash()).toBe(-395)

    agents.silent = true
    const waiting = await addWorker(clusterId)
    await sell(clusterId, { [waiting]: 720 })
    const shown = await estimate(clusterId, waiting)
    pass(2 * day)
    const before = await cash()
    await cancelWaiting(harness.deps, caller(), { instanceId: waiting })
    expect((await cash()) - before).toBe(-shown.amount)
    expect(shown.items[0]?.proration).toBe(false)
    agents.silent = false

    const { id: broken } = await masterOf(clusterId)
    instances.delete(broken)
    await harness.reconcile(clusterId)
    await harness.reconcile(clusterId)
    await repairInstance(harness.deps, caller(), { clusterId })
    const repaired = await masterOf(clusterId)
    expect(repaired.id).not.toBe(broken)
    // The replacement has not run yet, but the instance that it replaces has, so the refund is prorated.
    const left = await estimate(clusterId)
    expect(left.items.map(({ instanceId, proration }) => [instanceId, proration])).toEqual([[repaired.id, true]])
    const held = await cash()
    await destroy(clusterId, { estimateToken: left.estimateToken })
    expect((await cash()) - held).toBe(-left.amount)
  })
})
