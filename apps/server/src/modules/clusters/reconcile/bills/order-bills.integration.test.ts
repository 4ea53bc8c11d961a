/** Effects of bills on the orders of clusters: priced, paid, lapsed, canceled. */
import { instanceList } from '@atoll/contract/clusters'
import { describe, expect, test } from 'vitest'
import { addSandboxCard } from '../../../billing/testing/charging-harness.ts'
import { cancelWaiting } from '../../commands/machines/instance-removal.ts'
import { orderCluster } from '../../commands/orders/cluster-create.ts'
import { cancelUnpaidCluster } from '../../commands/orders/order-cancel.ts'
import { price, refusalOf, useBilledHarness } from '../../testing/billed-harness.ts'
import { callerOf, testOrder } from '../../testing/cluster-harness.ts'
import { getDetail } from '../../views/cluster-service.ts'
import { listClusters } from '../../views/cluster-views.ts'
import { toInstanceLine } from '../../views/instance-json.ts'
import { listVisibleInstances } from '../../views/instance-views.ts'

const minute = 60_000
const { bills, harness } = useBilledHarness()

describe('an order that costs', () => {
  test('has its price beside each instance, for its owner alone, as long as it is sold; what is free has none', async () => {
    await harness.db.updateTable('accounts').set({ vcpu_quota: 8 }).where('account_id', '=', bills.owner).execute()
    const clusterId = await bills.running()
    await bills.addWorker(clusterId)
    const free = await orderCluster(harness.deps, bills.caller(), testOrder)
    const pricesFor = async (viewer: ReturnType<typeof callerOf>) => {
      const lines = (await listVisibleInstances(harness.db, viewer)).map((row) =>
        toInstanceLine(row, { viewer, locale: 'en-US' }),
      )
      const { data } = await getDetail(harness.deps, viewer, clusterId, 'en-US')
      const inList = lines.filter((line) => line.clusterId === clusterId).map((line) => line.price)
      expect(instanceList.data.parse(lines)).toHaveLength(lines.length)
      expect(data.map((instance) => instance.price)).toEqual(inList)
      expect(lines.find((line) => line.clusterId === free.clusterId)?.price).toBeNull()
      return inList
    }
    const sold = { amount: price, currency: 'usd', interval: 'month' }
    expect(await pricesFor(bills.caller())).toEqual([sold, sold])
    expect(await pricesFor(callerOf(await harness.newOwner(), 'Admin'))).toEqual([null, null])
    await bills.stand(clusterId, 'ended')
    expect(await pricesFor(bills.caller())).toEqual([null, null])
  })

  test('waits to be paid with nothing at the provider and no operation, and is made when it is', async () => {
    const ordered = await bills.order({ requestId: 'order-1' })
    expect(ordered).toMatchObject({ status: 'unpaid', amount: price, paid: false })
    expect(ordered).not.toHaveProperty('pending')
    await harness.reconcile(ordered.clusterId)
    const { operations } = await harness.rows(ordered.clusterId)
    expect([operations, bills.instances.size]).toEqual([[], 0])
    const [shown] = await listClusters(harness.db, bills.caller())
    const { invoiceId } = ordered
    expect(shown?.orders).toMatchObject([
      { invoiceId, amount: price, currency: 'usd', validUntil: '2027-03-02T00:00:00.000Z' },
    ])

    // Its deadline begins only now.
    bills.clock.advance(10 * minute)
    await bills.pay(invoiceId)
    expect(await harness.settle(ordered.clusterId)).toMatchObject({ status: 'running' })
    const after = await harness.rows(ordered.clusterId)
    expect(after.operations).toMatchObject([
      { kind: 'create', state: 'done', started_at: bills.clock.now(), asked_by: bills.owner },
    ])
    expect(after.operations[0]?.steps.map(({ step }) => step)).toEqual(['fetching', 'queuing', 'pending', 'installing'])
    // The same request again returns what became of it.
    expect(await bills.order({ requestId: 'order-1' })).toMatchObject({ invoiceId, status: 'running', paid: true })
    expect((await listClusters(harness.db, bills.caller()))[0]?.orders).toBeNull()
  })

  test('is made at once where credit pays it', async () => {
    await bills.credit(price)
    const ordered = await bills.order()
    expect(ordered).toMatchObject({ status: 'fetching', amount: price, paid: true })
    expect((await harness.rows(ordered.clusterId)).operations).toMatchObject([{ kind: 'create', state: 'running' }])
    expect(await harness.settle(ordered.clusterId)).toMatchObject({ status: 'running' })
  })

  test('is answered once its card was charged, or that this goes on where that takes longer', async () => {
    await harness.db.transaction().execute((trx) => addSandboxCard(trx, bills.owner, '4242424242424242'))
    const orderWaiting = (awaitOrder: () => Promise<void>, requestId: string) => {
      const deps = { ...harness.deps, billing: { ...harness.billing, awaitOrder } }
      return orderCluster(deps, bills.caller(), { ...testOrder, offering: 'bay', requestId })
    }
    const charge = async () => {
      const payments = await harness.db.selectFrom('payments').select('id').where('state', '=', 'created').execute()
      const job = harness.billing.jobs.find(({ name }) => name === 'payment.reconcile')
      for (const { id } of payments) await job?.run({ id }, harness.jobContext())
    }
    const late = await orderWaiting(async () => undefined, 'order-1')
    expect(late).toMatchObject({ status: 'unpaid', amount: price, paid: false, pending: true })
    const quick = await orderWaiting(charge, 'order-2')
    const paid = { invoiceId: quick.invoiceId, amount: price, paid: true }
    expect(quick).toEqual({ clusterId: quick.clusterId, status: 'paid', ...paid })
    for (const { clusterId } of [late, quick]) {
      expect(await harness.settle(clusterId)).toMatchObject({ status: 'running' })
    }
    const { clusterId, invoiceId } = late
    expect(await bills.order({ requestId: 'order-1' })).toEqual({ clusterId, status: 'running', ...paid, invoiceId })
  })

  test('costs the shown figure, and is refused with the new one if it has changed', async () => {
    const { estimateToken } = await bills.estimate(bills.owner)
    expect(await refusalOf(bills.order({ estimateToken: `${estimateToken}x` }))).toBe('estimateChanged')
    const other = await harness.newOwner()
    const theirs = await bills.estimate(other)
    expect(await refusalOf(bills.order({ estimateToken: theirs.estimateToken }))).toBe('estimateChanged')
    bills.clock.advance(14 * minute)
    const ordered = await bills.order({ estimateToken })
    const { issued_at } = await harness.db
      .selectFrom('invoices')
      .select('issued_at')
      .where('id', '=', ordered.invoiceId ?? '')
      .executeTakeFirstOrThrow()
    expect([ordered.amount, issued_at]).toEqual([price, new Date('2027-03-01T00:00:00Z')])
    bills.clock.advance(2 * minute)
    expect(await refusalOf(bills.order({ estimateToken }))).toBe('estimateChanged')
  })

  test('holds quota, name and address until it lapses', async () => {
    const first = await bills.order({ name: 'Manihi' })
    const second = await bills.order()
    expect(await refusalOf(bills.order())).toBe('vCpuQuotaPassed')
    const labelOf = async (clusterId: string) => (await harness.rows(clusterId)).cluster.host_label
    expect([await labelOf(first.clusterId), await labelOf(second.clusterId)]).toEqual(['reef', 'reef-2'])
    await bills.lapse(first.invoiceId)
    expect(await harness.settle(first.clusterId)).toMatchObject({ status: 'canceled' })
    const third = await bills.order({ name: 'Manihi' })
    expect(await labelOf(third.clusterId)).toBe('reef')
    expect(bills.instances.size).toBe(0)
    expect(await bills.audited(['instance.lapse'])).toEqual([['instance.lapse', null]])
  })

  test('is canceled by its owner and nobody else, and never after it was paid', async () => {
    const { clusterId } = await bills.order()
    const [shown] = await listClusters(harness.db, bills.caller())
    const subscriptionId = shown?.orders?.[0]?.subscriptionId ?? ''
    const stranger = callerOf(await harness.newOwner(), 'Admin')
    expect(await refusalOf(cancelUnpaidCluster(harness.deps, stranger, { subscriptionId }))).toBe('notFound')
    expect(await cancelUnpaidCluster(harness.deps, bills.caller(), { subscriptionId })).toEqual({ status: 'canceled' })
    const { master, cluster } = await harness.rows(clusterId)
    expect([master.status, cluster.status]).toEqual(['canceled', 'canceled'])

    const paid = await bills.order()
    const ordered = (await listClusters(harness.db, bills.caller())).find(({ id }) => id === paid.clusterId)
    const order = { subscriptionId: ordered?.orders?.[0]?.subscriptionId ?? '' }
    await bills.pay(paid.invoiceId)
    const { master: unmade } = await harness.rows(paid.clusterId)
    // The reconciler was not there yet; a command counts it as paid all the same.
    expect(unmade.status).toBe('unpaid')
    const canceled = cancelWaiting(harness.deps, bills.caller(), { instanceId: unmade.id })
    await expect(canceled).rejects.toMatchObject({ key: 'tooLateToCancel', params: { status: 'paid' } })
    expect(await refusalOf(cancelUnpaidCluster(harness.deps, bills.caller(), order))).toBe('nothingUnpaid')
    expect(await harness.settle(paid.clusterId)).toMatchObject({ status: 'running' })
  })
})

test('an order that its owner takes back at the bank’s page ends with its payment, in the owner’s name', async () => {
  const { clusterId, invoiceId } = await bills.order()
  const movePayment = (state: string, endedAt: Date | null) =>
    harness.database.pool.query('update payments set state = $2, ended_at = $3 where invoice_id = $1', [
      invoiceId,
      state,
      endedAt,
    ])
  await movePayment('needs_action', null)
  const [shown] = await listClusters(harness.db, bills.caller())
  const subscriptionId = shown?.orders?.[0]?.subscriptionId ?? ''
  expect(await cancelUnpaidCluster(harness.deps, bills.caller(), { subscriptionId })).toEqual({ status: 'unpaid' })
  await movePayment('canceled', bills.clock.now())
  await bills.lapse(invoiceId)
  expect(await harness.settle(clusterId)).toMatchObject({ status: 'canceled' })
  expect(await bills.audited(['cluster.cancel', 'instance.lapse'])).toEqual([['cluster.cancel', bills.owner]])
})
