/** A database that is older than its gateway: what was taken is found, and nothing is taken or numbered twice. */
import { money } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beCareful, endCareful } from '../../../../platform/careful/index.ts'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { verifyLedger } from '../../../ledger/index.ts'
import { type StripeDouble, startStripeDouble } from '../../../payments/drivers/stripe/testing/stripe-double.ts'
import { adoptCapture, refundPayment } from '../../index.ts'
import { verifyCaptures } from '../../operator/verify-captures.ts'
import { verifyDocuments } from '../../operator/verify-documents.ts'
import { keepCapture } from '../../records/capture-store.ts'
import { getPayment, movePaymentOn } from '../../records/documents/payment-store.ts'
import { openStripeHarness, type StripeHarness } from '../../testing/stripe-harness.ts'
import { writeStep } from './write-outcome.ts'

const database = useDatabase({ max: 8 })
const start = new Date('2027-01-10T12:00:00Z')
const clock = createTestClock(start)
let double: StripeDouble
let desk: StripeHarness

beforeAll(async () => {
  double = await startStripeDouble()
})
afterAll(() => double.close())
beforeEach(async () => {
  clock.set(start)
  desk = await openStripeHarness(database, double, { clock })
})

const differences = async () => (await verifyCaptures(database.db, desk.deps.gateway, desk.userid)).differences
async function expectSound() {
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(database.db, { sealer, userid: desk.userid })).toMatchObject({ whole: true })
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
  expect(await differences()).toEqual([])
}
async function query<Row extends object>(text: string): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(text, [desk.userid])
  return rows
}

/** Runs what is due a month later, with the card's payments, and gives the renewal and its payment. */
async function renew() {
  clock.set(new Date('2027-02-10T12:00:01Z'))
  await desk.runDue()
  const [row] = await query<{ invoice: string; payment: string; number: string }>(
    `select invoices.id as invoice, payments.id as payment, number from invoices
      join payments on payments.invoice_id = invoices.id where invoices.userid = $1 and kind = 'renewal'`,
  )
  if (!row) throw new Error('nothing was renewed')
  return row
}

/** The database as it was before its renewal: what a restored copy knows. */
async function restoreCopy(): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const statement of [
      "delete from payments where userid = $1 and invoice_id in (select id from invoices where userid = $1 and kind = 'renewal')",
      'delete from dunnings where userid = $1',
      "delete from invoice_items where invoice_id in (select id from invoices where userid = $1 and kind = 'renewal')",
      "delete from due_items where userid = $1 and kind like 'renewal%'",
    ])
      await client.query(statement, [desk.userid])
    const cut = await client.query<{ seq: number }>(
      `select min(seq) as seq from ledger_transactions where book = $1 and document in
        (select id from invoices where userid = $1 and kind = 'renewal')`,
      [desk.userid],
    )
    const seq = cut.rows[0]?.seq ?? 0
    await client.query('delete from ledger_entries where book = $1 and seq >= $2', [desk.userid, seq])
    await client.query('delete from ledger_transactions where book = $1 and seq >= $2', [desk.userid, seq])
    await client.query(
      `update ledger_books set seq = $2 - 1, hash = (select hash from ledger_transactions where book = $1 and seq = $2 - 1)
        where userid = $1`,
      [desk.userid, seq],
    )
    await client.query('delete from ledger_balances where book = $1', [desk.userid])
    await client.query(
      `insert into ledger_balances select book, account, sum(amount_minor) from ledger_entries where book = $1
        group by book, account`,
      [desk.userid],
    )
    await client.query("delete from invoices where userid = $1 and kind = 'renewal'", [desk.userid])
    await client.query('update billing_accounts set invoices = invoices - 1 where userid = $1', [desk.userid])
    await client.query(
      `update subscriptions set period_start = period_start - interval '1 month' - interval '0 day',
        period_end = anchor + interval '1 month' where userid = $1`,
      [desk.userid],
    )
    await client.query('update subscriptions set period_start = anchor where userid = $1', [desk.userid])
    await client.query(
      `insert into due_items (userid, kind, object, due_at, wall_at)
        select userid, 'renewal', id, period_end, period_end from subscriptions where userid = $1`,
      [desk.userid],
    )
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

async function openPaid(): Promise<void> {
  const { paymentId } = await desk.order(720, await desk.addCard('4242424242424242'), start)
  expect((await desk.carry(paymentId)).state).toBe('succeeded')
}

test('a renewal that was charged after the copy was made is not charged again, and has the same id', async () => {
  await openPaid()
  const before = await renew()
  expect((await desk.carry(before.payment)).state).toBe('succeeded')
  await expectSound()
  await restoreCopy()
  expect(await differences()).toEqual([
    expect.objectContaining({ id: before.payment, problem: expect.stringContaining('there is no such payment') }),
  ])
  // Another process, as after a restore: it lists before it charges.
  desk.restart()
  await beCareful(database.db, 'it was restored', clock.now())
  await database.db.transaction().execute((trx) => endCareful(trx, clock.now()))
  const creates = () => double.requests.filter((one) => one === 'POST /v1/payment_intents').length
  const made = creates()
  const again = await renew()
  expect([again.invoice, again.payment]).toEqual([before.invoice, before.payment])
  expect(again.number).toMatch(/^ATL-[0-9A-Z]{5}-R1-0001$/)
  expect((await desk.carry(again.payment)).state).toBe('succeeded')
  expect(creates()).toBe(made)
  expect(double.harness.listCaptures(again.payment)).toEqual([720])
  await expectSound()
  await database.pool.query('delete from resumptions')
})

test('one whose capture was of another attempt is paid by that', async () => {
  await openPaid()
  const before = await renew()
  await desk.carry(before.payment)
  const intent = await desk.refOf(before.payment)
  await restoreCopy()
  desk.restart()
  // As if the first attempt had been declined, and the second charged.
  double.harness.intentOf(intent).metadata['payment_id'] = 'pay_secondattempt'
  const again = await renew()
  expect(await desk.carry(again.payment)).toMatchObject({ state: 'succeeded', captured_as: 'pay_secondattempt' })
  await expectSound()
})

test('one of another amount becomes credit, and the document is paid from that', async () => {
  await openPaid()
  const before = await renew()
  await desk.carry(before.payment)
  const intent = double.harness.intentOf(await desk.refOf(before.payment))
  await restoreCopy()
  desk.restart()
  Object.assign(intent, { amount: 1000, amount_received: 1000 })
  const again = await renew()
  expect((await desk.carry(again.payment)).state).toBe('canceled')
  await desk.runDue()
  expect(await query("select state from invoices where userid = $1 and kind = 'renewal'")).toEqual([{ state: 'paid' }])
  expect(await desk.balance('cash')).toBe(-280)
  await expectSound()
})

test('a gateway that does not list charges nothing meanwhile', async () => {
  const { paymentId } = await desk.order(720, await desk.addCard('4242424242424242'), start)
  double.lieNext('page')
  await desk.run(paymentId)
  expect(await query('select state, sends from payments where userid = $1')).toEqual([{ state: 'created', sends: 0 }])
  expect((await desk.carry(paymentId)).state).toBe('succeeded')
  await expectSound()
})

test('the operator adopts a capture of which nothing is here, and gives it back', async () => {
  await openPaid()
  const { gateway } = desk.deps
  const [card] = await query<{ customer: string; card: string }>(
    'select customer_ref as customer, card_ref as card from payment_methods where userid = $1',
  )
  if (!card) throw new Error('there is no card')
  const lost = async (paymentId: string) => {
    const pays = { document: `inv_${paymentId}`, number: 'ATL-7K3QD-0009', period: 'some' }
    const amount = { minor: 2880, currency: 'usd' as const }
    const shown = { description: 'lost', locale: 'en-US' as const, returnUrl: 'http://cloud.example/' }
    const order = { paymentId, sending: 1, card, amount, pays, ...shown }
    const created = await gateway.create(order)
    if (created.kind !== 'open') throw new Error(created.kind)
    await gateway.confirm({ ...order, ref: created.ref })
    return created.ref
  }
  const operator = { ...desk.deps, clock, gateway }
  const ids = [`pay_one${desk.userid.slice(-8)}`, `pay_two${desk.userid.slice(-8)}`] as const
  const ref = await lost(ids[0])
  await lost(ids[1])
  expect(await differences()).toHaveLength(2)
  expect(await adoptCapture(operator, ref)).toMatchObject({ userid: desk.userid, amount: { minor: 2880 } })
  await expect(adoptCapture(operator, ids[0])).rejects.toThrow('was adopted before')
  expect(await desk.balance('cash')).toBe(-2880)
  expect(await differences()).toHaveLength(1)
  await refundPayment(operator, ids[1], '28.80')
  await refundPayment(operator, ids[0], '8.80')
  await desk.runRefunds()
  expect(await desk.balance('cash')).toBe(-2000)
  expect(await desk.balance('gateway:stripe')).toBe(720 + 2000)
  await expectSound()
})

test('a late answer about a charge that an operator takes over at that moment gives no credit a second time', async () => {
  const { paymentId } = await desk.order(1440, await desk.addCard('4242424242424242'), start)
  await desk.transact(async (trx) => {
    const created = await getPayment(trx, desk.userid, paymentId)
    await movePaymentOn(trx, created, 'sent', { at: start })
    await movePaymentOn(trx, { ...created, state: 'sending' }, 'declined', { at: start })
  })
  // As it was when its gateway was asked.
  const seen = await getPayment(database.db, desk.userid, paymentId)
  const amount = money(1440, 'usd')
  const capture = { ref: 'pi_late', paymentId, amount, customer: null, pays: null, at: start }
  await desk.transact((trx) => keepCapture(trx, { userid: desk.userid, gateway: 'stripe', capture, at: start }))
  for (const what of ['creditLate', 'settle'] as const)
    expect(await writeStep(desk.deps, seen, { do: what, ref: 'pi_late', captured: amount })).toBe(false)
  expect(await desk.balance('cash')).toBe(-1440)
})
