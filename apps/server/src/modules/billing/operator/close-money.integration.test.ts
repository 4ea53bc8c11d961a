/** The money of an account that closes: the amount that is named, and the one that comes back. */
import { money } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { DisputeState, Movements } from '../../payments/index.ts'
import { cancelPayment } from '../pay/cancel-open-payment.ts'
import { takeDispute } from '../pay/movements/take-dispute.ts'
import { settlePayment } from '../pay/settle.ts'
import { writeOff } from '../pay/write-off.ts'
import { keepCapture } from '../records/capture-store.ts'
import { insertForeignRefund } from '../records/card-refund-store.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { getPayment, updatePayment } from '../records/documents/payment-store.ts'
import { usd } from '../testing/billing-harness.ts'
import { type ChargingHarness, openChargingHarness } from '../testing/charging-harness.ts'
import { expectSound } from '../testing/expect-sound.ts'
import { sandboxCharging } from '../testing/sandbox-charging.ts'
import { testPlans } from '../testing/test-plans.ts'
import { openUsageHarness, start } from '../testing/usage-harness.ts'
import { payOut, quoteClosing, readUnsettled } from './close-money.ts'
import { endDisputeByHand } from './end-dispute.ts'
import { endRefundByHand } from './end-refund.ts'
import { verifyDocuments } from './verify-documents.ts'

const database = useDatabase()
const clock = { now: () => new Date() }
const dayMs = 86_400_000
const price = 2880

test('the amount that is named while an account closes stays the same, and is what comes back at the end', async () => {
  const closing = createTestClock(new Date('2027-03-01T12:00:00Z'))
  const instances: { instanceId: string; hasRun: boolean }[] = []
  const more = { clock: closing, listOwnInstances: async () => instances }
  const harness = await openChargingHarness(database, more)
  const { userid, billing, transact } = harness
  const { paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), closing.now())
  await harness.carry(paymentId)
  const { rows } = await database.pool.query<{ instance_id: string }>(
    'select instance_id from subscription_items where userid = $1',
    [userid],
  )
  instances.push(...rows.map((one) => ({ instanceId: one.instance_id, hasRun: true })))
  closing.advance(5 * dayMs)
  const since = closing.now()
  const quote = () => quoteClosing(harness.deps, userid, { clusterIds: ['cl_any'], since })
  const named = await quote()
  // 26 of 31 days.
  expect(named).toMatchObject({ balance: 0, unused: 2415, toCard: 2415, givenUp: 0 })
  closing.advance(14 * dayMs)
  expect(await quote()).toEqual(named)
  await transact((trx) => billing.endSales(trx, { userid, from: since }))
  await transact((trx) => billing.refund(trx, { userid, instances, at: closing.now() }))
  expect(await readUnsettled(database.db, userid)).toEqual({
    isUsageDue: false,
    isMoving: false,
    balance: named.toCard,
  })
})

test.each([
  { from: 'within its period', waits: 14 },
  { from: 'whose period is over by its end', waits: 30 },
])(
  'a plan is charged until its account is closed: the rest is named, and comes back at the end; $from',
  async ({ waits }) => {
    const closing = createTestClock(start)
    const harness = await openUsageHarness(database, closing, testPlans, { credit: 3000 })
    const { userid, billing, transact, deps } = harness
    await harness.change(2)
    expect(await harness.balance('cash')).toBe(-2100)
    closing.advance(10 * dayMs)
    const since = closing.now()
    const quote = () => quoteClosing(deps, userid, { clusterIds: [], since })
    const named = await quote()
    // 21 of 31 days of 9.00.
    expect(named).toMatchObject({ balance: 2100, unused: 610, owed: 0, givenUp: 2710 })
    closing.advance(waits * dayMs)
    expect(await quote()).toEqual(named)
    await transact((trx) => billing.endSales(trx, { userid, from: since }))
    expect(await readUnsettled(database.db, userid)).toMatchObject({ isMoving: false, balance: 2710 })
    expect(await verifyDocuments(database.db, userid)).toBeUndefined()
  },
)

test.each<{ asked: DisputeState; withdrawn: number; ended: DisputeState }>([
  { asked: 'inquiry', withdrawn: 0, ended: 'closed' },
  { asked: 'open', withdrawn: 1000, ended: 'won' },
])('a payment is not given up while its dispute is $asked, and goes back to its card afterwards', async (dispute) => {
  const { asked, withdrawn, ended } = dispute
  const shown: Movements = { refunds: [], disputes: [] }
  const charging = sandboxCharging(database.db, clock)
  const readMovements = async () => ({ kind: 'movements' as const, ...shown })
  const harness = await openChargingHarness(database, { clock, gateway: { ...charging.gateway, readMovements } })
  const { userid, billing, transact } = harness
  const { paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), clock.now())
  await harness.carry(paymentId)
  const sold = await database.pool.query<{ instanceId: string }>(
    'select instance_id as "instanceId" from subscription_items where userid = $1',
    [userid],
  )
  const instances = sold.rows.map((one) => ({ ...one, hasRun: false }))
  await transact((trx) => billing.refund(trx, { userid, instances, at: clock.now() }))
  const { rows } = await database.pool.query('select ref from sandbox_payments where payment_id = $1', [paymentId])
  const paymentRef: string = rows[0].ref
  const show = async (state: DisputeState, minor: number) => {
    const about = { paymentRef, ref: `dp ${paymentRef}`, amount: money(price, 'usd'), reason: 'fraudulent' }
    shown.disputes = [{ ...about, withdrawn: money(minor, 'usd'), state, dueBy: null }]
    await harness.runJob('billing.movements', { paymentRef })
  }
  const end = () => transact((trx) => payOut({ clock }, trx, { userid, isPaidOut: false }))

  await show(asked, withdrawn)
  expect(await readUnsettled(database.db, userid)).toEqual({
    isUsageDue: false,
    isMoving: true,
    balance: price - withdrawn,
  })
  await end()
  expect(await harness.balance('cash')).toBe(-price)

  await show(ended, 0)
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: false, balance: price })
  await end()
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: true, balance: 0 })
  await harness.runRefunds()
  expect(await harness.captures()).toEqual({ [paymentId]: 0 })
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: false, balance: 0 })
})

test('an account that ends gets its balance back to the card, and not once more after a restore brought it back', async () => {
  const endWith = async (isPaidOut: boolean) => {
    const harness = await openChargingHarness(database)
    const { userid } = harness
    const { paymentId } = await harness.order(1440, await harness.addCard('4242424242424242'), new Date())
    await harness.carry(paymentId)
    await harness.credit(500)
    await harness.transact((trx) => payOut(harness.deps, trx, { userid, isPaidOut }))
    const sent = await database.db
      .selectFrom('card_refunds')
      .select('amount_minor')
      .where('userid', '=', userid)
      .execute()
    return { sent: sent.map(({ amount_minor }) => Number(amount_minor)), ...(await readUnsettled(database.db, userid)) }
  }
  expect(await endWith(false)).toMatchObject({ sent: [500], isMoving: true, balance: 0 })
  expect(await endWith(true)).toMatchObject({ sent: [], isMoving: false, balance: 0 })
})

/** An order that a card paid, whose amount is on the balance again. */
async function payAndCredit(harness: ChargingHarness, at: Date): Promise<string> {
  const { paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), at)
  await harness.carry(paymentId)
  await harness.credit(price)
  return paymentId
}
const end = (harness: ChargingHarness) =>
  harness.transact((trx) => payOut(harness.deps, trx, { userid: harness.userid, isPaidOut: false }))
const listSent = async ({ userid }: ChargingHarness) => {
  const sent = database.db.selectFrom('card_refunds').select(['payment_id', 'capture_id', 'amount_minor', 'state'])
  return await sent.where('userid', '=', userid).orderBy('amount_minor').execute()
}

test('an amount that a card paid late, or that was adopted, goes back to its card too', async () => {
  const harness = await openChargingHarness(database)
  const { userid } = harness
  const at = new Date()
  const { invoiceId, paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), at)
  await harness.transact(async (trx) => {
    // It stays on the balance, because another order is owed by then.
    await cancelPayment(trx, await getPayment(trx, userid, paymentId), { at, because: 'another' })
    await updatePayment(trx, paymentId, { gateway_ref: `sb_${paymentId}` })
    await settlePayment(harness.deps, trx, { userid, paymentId, at, captured: usd(price) })
    await writeOff(trx, await getInvoice(trx, userid, invoiceId), at)
    const capture = { ref: `sb_${userid}`, paymentId: `pay_${userid}`, amount: usd(700), customer: null, pays: null }
    await keepCapture(trx, { userid, gateway: 'sandbox', at, capture: { ...capture, at } })
  })
  await harness.credit(price)
  await end(harness)
  expect(await listSent(harness)).toMatchObject([
    { payment_id: null, capture_id: `pay_${userid}`, amount_minor: 700 },
    { payment_id: paymentId, capture_id: null, amount_minor: price },
  ])
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
})

test('a bill that was written off is kept of the payout, once', async () => {
  const harness = await openChargingHarness(database)
  const { userid } = harness
  const { invoiceId } = await harness.order(1000, null, new Date())
  await harness.transact(
    async (trx) => void (await writeOff(trx, await getInvoice(trx, userid, invoiceId), new Date())),
  )
  await payAndCredit(harness, new Date())
  await end(harness)
  expect((await listSent(harness)).map((one) => one.amount_minor)).toEqual([price - 1000])
  await harness.credit(100)
  await end(harness)
  expect((await listSent(harness)).map((one) => one.amount_minor)).toEqual([100, price - 1000])
  expect(await harness.balance('cash')).toBe(0)
  expect(await harness.balance('adjust')).toBe(price + 100 - 1000)
})

test('a bill that was written off while an account closes is kept of the amount that is named', async () => {
  const harness = await openChargingHarness(database)
  const { userid } = harness
  const quote = () => quoteClosing(harness.deps, userid, { clusterIds: [], since: new Date() })
  const { invoiceId } = await harness.order(1000, null, new Date())
  await payAndCredit(harness, new Date())
  await harness.transact(
    async (trx) => void (await writeOff(trx, await getInvoice(trx, userid, invoiceId), new Date())),
  )
  const named = { balance: price, owed: 1000, toCard: price - 1000, givenUp: 0 }
  expect(await quote()).toMatchObject(named)
  await end(harness)
  expect((await listSent(harness)).map((one) => one.amount_minor)).toEqual([named.toCard])
  await harness.runRefunds()
  expect(await quote()).toMatchObject({ balance: 0, owed: 0, toCard: 0, givenUp: 0 })
})

test('a card of a gateway that is not in use is waited for 30 days, and what is left is given up', async () => {
  const harness = await openChargingHarness(database)
  const { userid } = harness
  const paymentId = await payAndCredit(harness, new Date())
  const quote = () => quoteClosing(harness.deps, userid, { clusterIds: [], since: new Date() })
  expect(await quote()).toMatchObject({ balance: price, toCard: price, givenUp: 0 })
  await database.pool.query("update payments set gateway = 'stripe' where id = $1", [paymentId])
  expect(await quote()).toMatchObject({ balance: price, toCard: 0, givenUp: price })
  await end(harness)
  await harness.runRefunds()
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: true, balance: 0 })
  await database.pool.query("update card_refunds set created_at = created_at - interval '31 days' where userid = $1", [
    userid,
  ])
  await harness.runRefunds()
  expect(await listSent(harness)).toMatchObject([{ payment_id: paymentId, state: 'declined' }])
  await end(harness)
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: false, balance: 0 })
})

test.each([
  { ref: null, state: 'declined', cash: -price, captured: 0 },
  { ref: 're_seen', state: 'done', cash: 0, captured: -price },
])('a refund that was sent to a gateway that is not in use ends as the operator says: $state', async (ended) => {
  const harness = await openChargingHarness(database)
  await payAndCredit(harness, new Date())
  await end(harness)
  const { id } = await database.db
    .selectFrom('card_refunds')
    .select('id')
    .where('userid', '=', harness.userid)
    .executeTakeFirstOrThrow()
  await expect(endRefundByHand(harness.deps, id, ended.ref)).rejects.toThrow('less than a day')
  await database.pool.query(
    "update card_refunds set attempts = 1, created_at = created_at - interval '90 days' where userid = $1",
    [harness.userid],
  )
  await database.pool.query("update payments set gateway = 'stripe' where userid = $1", [harness.userid])
  await harness.runRefunds()
  expect(await listSent(harness)).toMatchObject([{ state: 'pending' }])
  expect(await endRefundByHand(harness.deps, id, ended.ref)).toEqual(usd(price))
  expect(await listSent(harness)).toMatchObject([{ state: ended.state }])
  expect(await harness.balance('cash')).toBe(ended.cash)
  expect(await harness.balance('gateway:stripe')).toBe(ended.captured)
  await expect(endRefundByHand(harness.deps, id, ended.ref)).rejects.toThrow('has ended')
  await expect(endRefundByHand(harness.deps, 'rf_none', null)).rejects.toThrow('no refund rf_none')
})

test('a refund that an operator made at the gateway, and that is booked, is not booked as the one that waits', async () => {
  const harness = await openChargingHarness(database)
  const { userid } = harness
  const payment_id = await payAndCredit(harness, new Date())
  await end(harness)
  const { id, created_at } = await database.db
    .selectFrom('card_refunds')
    .select(['id', 'created_at'])
    .where('userid', '=', userid)
    .executeTakeFirstOrThrow()
  const made = { userid, payment_id, capture_id: null, currency: 'usd' as const, amount_minor: price, created_at }
  await harness.transact((trx) =>
    insertForeignRefund(trx, { ...made, id: `rf_${userid}`, gateway_ref: `re_${userid}` }),
  )
  await expect(endRefundByHand(harness.deps, id, `re_${userid}`)).rejects.toThrow(`is the refund rf_${userid}`)
})

test.each([
  { verdict: 'won' as const, kept: 0 },
  { verdict: 'lost' as const, kept: price },
])('a dispute at a gateway that is not in use ends as the operator says: $verdict', async ({ verdict, kept }) => {
  const harness = await openChargingHarness(database)
  const { userid, deps } = harness
  const paymentId = await payAndCredit(harness, new Date())
  await harness.transact(async (trx) => {
    const payment = await getPayment(trx, userid, paymentId)
    const charged = { userid, gateway: 'stripe', payment, paymentId, captureId: null }
    const open = { paymentRef: '', ref: `du_${userid}`, amount: usd(price), withdrawn: usd(price), dueBy: null }
    await takeDispute(deps, trx, charged, { ...open, state: 'open', reason: 'fraudulent' }, new Date())
  })
  expect(await readUnsettled(database.db, userid)).toMatchObject({ isMoving: true, balance: 0 })
  const inUse = { ...deps, gateway: { name: 'stripe' as const } }
  await expect(endDisputeByHand(inUse, `du_${userid}`, verdict)).rejects.toThrow('stripe is in use')
  expect(await endDisputeByHand(deps, `du_${userid}`, verdict)).toEqual(usd(kept))
  expect(await readUnsettled(database.db, userid)).toMatchObject({ isMoving: false, balance: price - kept })
  expect([await harness.balance('disputed'), await harness.balance('gateway:stripe')]).toEqual([0, 0 - kept])
  await expect(endDisputeByHand(deps, `du_${userid}`, verdict)).rejects.toThrow('has ended')
})

test('promotional credit of an account that ends lapses', async () => {
  const harness = await openChargingHarness(database)
  const { userid } = harness
  await harness.grant(500, new Date())
  await harness.grant(200, new Date(), new Date('2040-01-01T00:00:00Z'))
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: false, balance: 700 })
  await end(harness)
  expect(await readUnsettled(database.db, userid)).toEqual({ isUsageDue: false, isMoving: false, balance: 0 })
  expect(await harness.balance('promo')).toBe(0)
  await expectSound(database, harness)
})
