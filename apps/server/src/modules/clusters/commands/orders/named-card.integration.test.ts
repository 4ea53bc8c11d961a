/** Orders of clusters and workers for which their customer names a card. */
import { describe, expect, test } from 'vitest'
import { listDeclines } from '../../../billing/index.ts'
import { addSandboxCard } from '../../../billing/testing/charging-harness.ts'
import { price, refusalOf, useBilledHarness } from '../../testing/billed-harness.ts'
import { callerOf, testOrder } from '../../testing/cluster-harness.ts'
import { orderCluster } from './cluster-create.ts'
import { addWorkers } from './worker-add.ts'

const { bills, harness } = useBilledHarness()

const addCard = (number: string, userid = bills.owner) =>
  harness.db.transaction().execute(async (trx) => (await addSandboxCard(trx, userid, number)).id)
/** Runs the payments that were begun, as the queue does. */
async function charge(): Promise<void> {
  const payments = await harness.db.selectFrom('payments').select('id').where('state', '=', 'created').execute()
  const job = harness.billing.jobs.find(({ name }) => name === 'payment.reconcile')
  for (const { id } of payments) await job?.run({ id }, harness.jobContext())
}
const charging = () => ({ ...harness.deps, billing: { ...harness.billing, awaitOrder: charge } })
const order = (more: object = {}) =>
  orderCluster(charging(), bills.caller(), { ...testOrder, offering: 'bay', ...more })
/** By which card each payment went, and how it ended. */
const payments = async () =>
  await harness.db.selectFrom('payments').select(['method_id', 'state']).orderBy('created_at').execute()

describe('a card that is named with the order', () => {
  test('of a cluster is charged in place of the default one, once for the request, and stays what it was', async () => {
    const named = await addCard('5555555555554444')
    const other = await addCard('4242424242424242')
    const ordered = await order({ methodId: named, requestId: 'order-1' })
    expect(ordered).toMatchObject({ status: 'paid', amount: price, paid: true })
    expect(await order({ methodId: named, requestId: 'order-1' })).toMatchObject({ invoiceId: ordered.invoiceId })
    expect(await refusalOf(order({ methodId: other, requestId: 'order-1' }))).toBe('requestIdReused')
    expect(await payments()).toEqual([{ method_id: named, state: 'succeeded' }])
    const cards = harness.db.selectFrom('payment_methods').select('id').where('is_default', '=', true)
    expect(await cards.execute()).toEqual([{ id: other }])
  })

  test('of a cluster is not charged where the balance covers it', async () => {
    const named = await addCard('5555555555554444')
    await bills.credit(price)
    expect(await order({ methodId: named })).toMatchObject({ amount: price, paid: true })
    expect(await payments()).toEqual([{ method_id: null, state: 'succeeded' }])
  })

  test('of workers is charged in place of the default one', async () => {
    await harness.db.updateTable('accounts').set({ vcpu_quota: 8 }).where('account_id', '=', bills.owner).execute()
    const clusterId = await bills.running()
    const named = await addCard('5555555555554444')
    await addCard('4242424242424242')
    const body = { clusterId, offering: 'bay', quantity: 1, methodId: named }
    expect(await addWorkers(charging(), bills.caller(), body)).toMatchObject({ paid: true })
    expect((await payments()).at(-1)).toEqual({ method_id: named, state: 'succeeded' })
  })

  test('that declines leaves the order to be paid, and is remembered until it pays', async () => {
    const named = await addCard('4000000000000341')
    await addCard('4242424242424242')
    expect(await order({ methodId: named })).toMatchObject({ status: 'unpaid', paid: false })
    expect(await payments()).toEqual([{ method_id: named, state: 'declined' }])
    expect(await listDeclines(harness.db, bills.owner)).toEqual(new Map([[named, bills.clock.now()]]))
    await harness.db.updateTable('payments').set({ state: 'succeeded' }).where('method_id', '=', named).execute()
    expect(await listDeclines(harness.db, bills.owner)).toEqual(new Map())
    await harness.db.updateTable('payments').set({ state: 'declined' }).where('method_id', '=', named).execute()
  })

  test('of another account, or that was removed, refuses the order by its field and orders nothing, free or not', async () => {
    const theirs = await addCard('4242424242424242', await harness.newOwner())
    const removed = await addCard('5555555555554444')
    const at = bills.clock.now()
    await harness.db
      .updateTable('payment_methods')
      .set({ removed_at: at, is_default: false })
      .where('id', '=', removed)
      .execute()
    for (const methodId of [theirs, removed]) {
      for (const offering of ['bay', 'small']) {
        await expect(order({ methodId, offering })).rejects.toMatchObject({ key: 'cardUnknown', field: 'methodId' })
      }
    }
    const clusters = await harness.db.selectFrom('clusters').select('id').where('owner', '=', bills.owner).execute()
    expect([clusters, await payments()]).toEqual([[], []])
  })

  test('of the owner is theirs to name: an Admin who adds free workers is refused', async () => {
    const clusterId = await bills.running()
    const named = await addCard('4242424242424242')
    const admin = callerOf(await harness.newOwner(), 'Admin')
    const body = { clusterId, offering: 'small', quantity: 1, methodId: named }
    expect(await refusalOf(addWorkers(charging(), admin, body))).toBe('ownerOnly')
  })
})
