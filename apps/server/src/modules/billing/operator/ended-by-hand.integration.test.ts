/** Refunds that the operator ended by hand, and whose gateway says otherwise later: the gateway is followed. */
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { balanceRecordsOf } from '../../ledger/index.ts'
import { findFailedRefunds, findLateRefunds } from '../books/open-money.ts'
import { listNews } from '../pay/movements/movements-job.ts'
import { usd } from '../testing/billing-harness.ts'
import { type ChargingHarness, openChargingHarness } from '../testing/charging-harness.ts'
import { expectSound } from '../testing/expect-sound.ts'
import { payOut } from './close-money.ts'
import { endRefundByHand } from './end-refund.ts'
import { verifyMovements } from './verify-movements.ts'

const database = useDatabase()
const price = 2880

/** A refund that its gateway made, whose answer was lost, and that was ended by hand. */
async function endedByHand(harness: ChargingHarness, as: 'done' | 'declined') {
  const { userid, deps } = harness
  await database.pool.query("update accounts set email = 'reef@mail.example' where account_id = $1", [userid])
  const { paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), new Date())
  await harness.carry(paymentId)
  await harness.credit(price)
  await harness.transact((trx) => payOut(deps, trx, { userid, isPaidOut: false }))
  const own = database.db.selectFrom('card_refunds').selectAll().where('userid', '=', userid)
  const { id } = await own.executeTakeFirstOrThrow()
  const paid = database.db.selectFrom('sandbox_payments').select('ref').where('payment_id', '=', paymentId)
  const { ref: paymentRef } = await paid.executeTakeFirstOrThrow()
  const made = await deps.gateway.refund({ refundId: id, paymentRef, amount: usd(price) })
  if (made.kind !== 'done') throw new Error(`The sandbox does not make the refund: ${made.kind}`)
  await database.pool.query(
    "update card_refunds set attempts = 1, created_at = created_at - interval '2 days' where id = $1",
    [id],
  )
  await endRefundByHand(deps, id, as === 'done' ? made.ref : null)
  return { id, own, paymentRef, ref: made.ref }
}

async function isNews({ deps }: ChargingHarness, paymentRef: string): Promise<boolean> {
  const moved = await deps.gateway.readMovements(paymentRef)
  if (moved.kind !== 'movements') throw new Error('The sandbox does not say what it moved')
  return (await listNews(database.db, 'sandbox', moved)).has(paymentRef)
}
const problems = async ({ deps, userid }: ChargingHarness) =>
  (await verifyMovements(database.db, deps.gateway, userid)).differences
const listMails = async ({ userid }: ChargingHarness) => {
  const mails = database.db.selectFrom('billing_mails').select('kind').where('userid', '=', userid)
  return (await mails.where('kind', 'in', ['refundDone', 'refundReturned']).execute()).map(({ kind }) => kind)
}
/** The webhook comes, and comes again. */
async function hear(harness: ChargingHarness, paymentRef: string): Promise<void> {
  await harness.runJob('billing.movements', { paymentRef })
  await harness.runJob('billing.movements', { paymentRef })
}

test.each([
  { spent: 0, owed: 0 },
  { spent: 1000, owed: 1000 },
])('a refund that was ended as declined and was made comes off the balance, $spent of it as a debt', async (late) => {
  const harness = await openChargingHarness(database)
  const { id, own, paymentRef, ref } = await endedByHand(harness, 'declined')
  if (late.spent > 0) await harness.credit(-late.spent)
  expect(await harness.balance('cash')).toBe(late.spent - price)
  expect(await isNews(harness, paymentRef)).toBe(true)
  expect(await problems(harness)).toMatchObject([{ table: 'card_refunds', id }])

  await hear(harness, paymentRef)
  expect(await own.execute()).toMatchObject([{ state: 'done', gateway_ref: ref, decline_code: null }])
  expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([late.owed, 0])
  expect(await harness.balance('gateway:sandbox')).toBe(0)
  expect(await isNews(harness, paymentRef)).toBe(false)
  expect(await problems(harness)).toEqual([])
  await expectSound(database, harness)

  // The customer had the amount in between: their records say all three.
  const records = await balanceRecordsOf(database.db, harness.userid, {}).execute()
  const refunds = records.filter(({ document }) => document === id)
  expect(refunds.map(({ kind, amount_minor, balance_after }) => [kind, amount_minor, balance_after])).toEqual([
    ['card_refund', price, late.owed],
    ['refund_returned', -price, -price],
    ['card_refund', price, 0],
  ])

  expect(await listMails(harness)).toEqual(['refundDone'])
  const audited = database.db.selectFrom('audit_entries').select('after').where('owner', '=', harness.did)
  const ends = await audited.where('action', '=', 'payment.endRefund').orderBy('at').execute()
  expect(ends.map(({ after }) => JSON.parse(String(after)).refundState)).toEqual(['declined', 'done'])
  const now = new Date()
  expect(await findFailedRefunds(database.db, now)).toEqual([])
  expect(await findLateRefunds(database.db, now)).toMatchObject([{ severity: 'warning', facts: { count: 1 } }])
  expect(await findLateRefunds(database.db, new Date(now.getTime() + 31 * 86_400_000))).toEqual([])
  // It is not counted with the next row's.
  await database.pool.query("update card_refunds set ended_at = now() - interval '40 days' where id = $1", [id])
})

test('a refund that was ended as done and fails at its gateway is credit again', async () => {
  const harness = await openChargingHarness(database)
  const { own, paymentRef } = await endedByHand(harness, 'done')
  expect(await problems(harness)).toEqual([])
  await database.pool.query("update sandbox_refunds set fails_at = now() - interval '1 s' where payment_ref = $1", [
    paymentRef,
  ])
  expect(await isNews(harness, paymentRef)).toBe(true)
  await hear(harness, paymentRef)
  expect(await own.execute()).toMatchObject([{ state: 'returned' }])
  expect([await harness.balance('cash'), await harness.balance('gateway:sandbox')]).toEqual([-price, price])
  expect(await problems(harness)).toEqual([])
  expect(await listMails(harness)).toEqual(['refundReturned'])
  await expectSound(database, harness)
})
