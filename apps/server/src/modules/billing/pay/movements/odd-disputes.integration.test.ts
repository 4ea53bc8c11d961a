/** Disputes that come in odd orders, at odd moments, and to people who try to be paid twice. */
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../../platform/log.ts'
import { verifyLedger } from '../../../ledger/index.ts'
import { billingMail } from '../../../mail/index.ts'
import { type StripeDouble, startStripeDouble } from '../../../payments/drivers/stripe/testing/stripe-double.ts'
import { verifyCaptures } from '../../operator/verify-captures.ts'
import { verifyDocuments } from '../../operator/verify-documents.ts'
import { getMethod } from '../../sell/own-method.ts'
import { openStripeHarness, type StripeHarness } from '../../testing/stripe-harness.ts'

const database = useDatabase({ max: 8 })
const clock = createTestClock(new Date())
const dayMs = 86_400_000
let double: StripeDouble
let desk: StripeHarness
let sent: z.output<typeof billingMail.params>[] = []

beforeAll(async () => {
  double = await startStripeDouble()
})
afterAll(() => double.close())
beforeEach(async () => {
  clock.set(new Date())
  sent = []
  desk = await openStripeHarness(database, double, {
    clock,
    mail: {
      async post(_, { params }) {
        sent.push(billingMail.params.parse(params))
        return 'ml_none'
      },
    },
  })
})

async function expectSound() {
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(database.db, { sealer, userid: desk.userid })).toMatchObject({ whole: true })
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
  expect((await verifyCaptures(database.db, desk.deps.gateway, desk.userid)).differences).toEqual([])
}
async function paidOrder(method: Awaited<ReturnType<StripeHarness['addCard']>>, minor = 2880) {
  const { invoiceId, paymentId } = await desk.order(minor, method, clock.now())
  expect((await desk.carry(paymentId)).state).toBe('succeeded')
  return { invoiceId, paymentId, ref: await desk.refOf(paymentId) }
}
const invoiceOf = async (id: string) =>
  await database.db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const openPayments = async (invoiceId: string) =>
  await database.db
    .selectFrom('payments')
    .select(['id', 'method_id'])
    .where('invoice_id', '=', invoiceId)
    .where('state', '=', 'created')
    .execute()
async function stoppedMails(): Promise<number> {
  const sent = "select from billing_mails where userid = $1 and kind = 'stopped'"
  return (await database.pool.query(sent, [desk.userid])).rowCount ?? 0
}
/** Labels and amounts below its line in the newest mail whose subject begins so. */
function newestTable(subject: string): string[][] {
  const { rows = [], total } = sent.findLast((mail) => mail.subject.startsWith(subject))?.table ?? {}
  return [...rows.slice(1), ...(total ? [total] : [])].map(({ label, value }) => [label, value])
}
async function later(days: number) {
  clock.set(new Date(clock.now().getTime() + days * dayMs))
  await desk.runDue()
}
/** The default card, and the one before it, which stays on file. */
async function makeDefault(id: string) {
  await database.pool.query('update payment_methods set is_default = false where userid = $1', [desk.userid])
  await database.pool.query('update payment_methods set is_default = true where id = $1', [id])
}

describe('a card whose payment is disputed', () => {
  test('is not charged, and another one on file is, at the first try', async () => {
    const good = await desk.addCard('5555555555554444')
    const { invoiceId, ref } = await paidOrder(await desk.addCard('4242424242424242'))
    const dispute = double.harness.dispute(ref)
    dispute.status = 'lost'
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    await desk.runDue()
    const [tried] = await openPayments(invoiceId)
    expect(tried?.method_id).toBe(good.id)
    expect((await desk.carry(tried?.id ?? '')).state).toBe('succeeded')
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    expect((await getMethod(desk.deps, database.db, desk.userid, undefined))?.id).toBe(good.id)
    await expectSound()
  })

  test('lets go of a payment that waited for it, which another one pays at once', async () => {
    const good = await desk.addCard('5555555555554444')
    const { ref } = await paidOrder(await desk.addCard('4242424242424242'))
    clock.set(new Date(clock.now().getTime() + 32 * dayMs))
    await desk.runDue()
    const renewals = database.db
      .selectFrom('invoices')
      .select(['id', 'state'])
      .where('userid', '=', desk.userid)
      .where('kind', '=', 'renewal')
    const renewal = await renewals.executeTakeFirstOrThrow()
    const [waiting] = await openPayments(renewal.id)
    await desk.tell('charge.dispute.funds_withdrawn', double.harness.dispute(ref))
    expect(await desk.carry(waiting?.id ?? '')).toMatchObject({ decline_code: 'cardDisputed' })
    await desk.runDue()
    const [again] = await openPayments(renewal.id)
    expect(again?.method_id).toBe(good.id)
    expect((await desk.carry(again?.id ?? '')).state).toBe('succeeded')
    await expectSound()
  })

  test('is the same card when its number is entered once more, and another is none', async () => {
    const first = await desk.addCard('4242424242424242')
    const { ref } = await paidOrder(first)
    await desk.tell('charge.dispute.funds_withdrawn', double.harness.dispute(ref))
    const again = await desk.addCard('4242424242424242')
    const named = (methodId?: string) => getMethod(desk.deps, database.db, desk.userid, methodId)
    // Without a fingerprint nothing says that it is the same.
    expect(await named(again.id)).toMatchObject({ id: again.id })
    await database.pool.query("update payment_methods set fingerprint = 'f1' where id = any($1)", [
      [first.id, again.id],
    ])
    await expect(named(again.id)).rejects.toMatchObject({ key: 'cardDisputed' })
    await makeDefault(again.id)
    expect(await named()).toBeNull()
    const other = await desk.addCard('5555555555554444')
    await database.pool.query("update payment_methods set fingerprint = 'f2' where id = $1", [other.id])
    expect(await named(other.id)).toMatchObject({ id: other.id })
  })
})

test('what one run was told before another is not written after it', async () => {
  const { ref } = await paidOrder(await desk.addCard('4242424242424242'))
  const dispute = double.harness.dispute(ref)
  const { gateway } = desk.deps
  const [asked, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  const read = gateway.readMovements
  gateway.readMovements = async (paymentRef) => {
    const answer = await read(paymentRef)
    if (!isFirst) return answer
    isFirst = false
    asked.resolve()
    await mayGoOn.promise
    return answer
  }
  const slow = desk.runJob('billing.movements', { paymentRef: ref })
  await asked.promise
  dispute.status = 'won'
  double.harness.moveFunds(dispute, 2880)
  await desk.runJob('billing.movements', { paymentRef: ref })
  mayGoOn.resolve()
  await slow
  gateway.readMovements = read
  const queued = await database.pool.query('select from graphile_worker.jobs where key = $1', [
    `billing.movements:${ref}`,
  ])
  if (queued.rowCount === 1) await desk.runJob('billing.movements', { paymentRef: ref })
  expect([await desk.balance('disputed'), await desk.balance('gateway:stripe')]).toEqual([0, 2880])
  await expectSound()
})

test('an invoice that is owed once more has all its days, and all its mails, from there on', async () => {
  await database.pool.query("update accounts set email = 'reef@example.com' where account_id = $1", [desk.userid])
  const { invoiceId, ref } = await paidOrder(await desk.addCard('4242424242424242'))
  const dispute = double.harness.dispute(ref)
  dispute.status = 'lost'
  await desk.tell('charge.dispute.funds_withdrawn', dispute)
  for (const days of [0, 1, 2, 2, 0]) await later(days)
  expect(await stoppedMails()).toBe(1)
  // Day 5: past due. Paid by another card, which is disputed and lost at once.
  const method = await desk.addCard('5555555555554444')
  const pay = { userid: desk.userid, invoiceId, at: clock.now(), method }
  const tried = await desk.transact((trx) => desk.billing.pay(trx, pay))
  expect((await desk.carry(tried?.paymentId ?? '')).state).toBe('succeeded')
  expect(newestTable('Paid: $28.80')).toEqual([
    ['Paid before', '−$28.80'],
    ['Taken back by the bank', '$28.80'],
    ['Total', '$28.80'],
  ])
  const second = double.harness.dispute(await desk.refOf(tried?.paymentId ?? ''))
  second.status = 'lost'
  await later(1)
  await desk.tell('charge.dispute.funds_withdrawn', second)
  expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'open', reopened: 2 })
  for (const days of [0, 1, 2, 2, 0]) await later(days)
  expect(await stoppedMails()).toBe(2)
  // Day 19 of the first time was 14 days after its day 5; 8 of them are over after one more.
  await later(8)
  expect((await invoiceOf(invoiceId)).state).toBe('open')
  await later(6)
  expect((await invoiceOf(invoiceId)).state).toBe('uncollectible')
  await expectSound()
})

test('a second part that is lost of an invoice that is past due gives it no further days', async () => {
  await database.pool.query("update accounts set email = 'reef@example.com' where account_id = $1", [desk.userid])
  const { invoiceId, ref } = await paidOrder(await desk.addCard('4242424242424242'))
  const dispute = double.harness.dispute(ref, { amount: 1000 })
  dispute.status = 'lost'
  await desk.tell('charge.dispute.funds_withdrawn', dispute)
  for (const days of [0, 1, 2, 2, 0]) await later(days)
  expect(newestTable('Stopped')).toEqual([
    ['Paid before', '−$28.80'],
    ['Taken back by the bank', '$10.00'],
    ['To pay', '$10.00'],
  ])
  const rest = double.harness.dispute(ref, { amount: 1880 })
  rest.status = 'lost'
  await later(13)
  await desk.tell('charge.dispute.funds_withdrawn', rest)
  await desk.runDue()
  expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'open', lost_minor: 2880 })
  await later(1)
  expect((await invoiceOf(invoiceId)).state).toBe('uncollectible')
  await expectSound()
})

describe('a dispute that is won', () => {
  test('of which a part came back is lost for the rest', async () => {
    const { invoiceId, ref } = await paidOrder(await desk.addCard('4242424242424242'))
    const dispute = double.harness.dispute(ref)
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    dispute.status = 'won'
    await desk.tell('charge.dispute.closed', dispute)
    // Nothing came back yet: it is on its way.
    expect(await desk.balance('disputed')).toBe(2880)
    double.harness.moveFunds(dispute, 2000)
    await desk.tell('charge.dispute.funds_reinstated', dispute)
    expect([await desk.balance('disputed'), await desk.balance('receivable')]).toEqual([0, 880])
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'open', lost_minor: 880 })
    await expectSound()
  })

  test('in another currency than the operator’s comes back whole, whatever the rate is by then', async () => {
    const { ref } = await paidOrder(await desk.addCard('4242424242424242'))
    const dispute = double.harness.dispute(ref)
    dispute.balance_transactions = [{ amount: -2640, fee: 1500, currency: 'eur' }]
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    expect(await desk.balance('disputed')).toBe(2880)
    dispute.status = 'won'
    dispute.balance_transactions.push({ amount: 2601, fee: 0, currency: 'eur' })
    await desk.tell('charge.dispute.funds_reinstated', dispute)
    expect([await desk.balance('disputed'), await desk.balance('receivable')]).toEqual([0, 0])
    await expectSound()
  })
})

test('a capture is taken over once, by the operator or by the charge that finds it', async () => {
  const { captureAdoption } = await import('../attempts/adopt-capture.ts')
  const { adoptCapture } = await import('../../index.ts')
  const { gateway } = desk.deps
  const { invoiceId, paymentId } = await desk.order(2880, await desk.addCard('4242424242424242'), clock.now())
  const [card] = (
    await database.pool.query<{ customer: string; card: string }>(
      'select customer_ref as customer, card_ref as card from payment_methods where userid = $1',
      [desk.userid],
    )
  ).rows
  if (!card) throw new Error('there is no card')
  const order = {
    paymentId: 'pay_before',
    sending: 1,
    card,
    amount: { minor: 2880, currency: 'usd' as const },
    pays: { document: invoiceId, number: 'ATL-7K3QD-0001', period: 'some' },
    description: 'lost',
    locale: 'en-US' as const,
    returnUrl: 'http://cloud.example/',
  }
  const created = await gateway.create(order)
  if (created.kind !== 'open') throw new Error(created.kind)
  await gateway.confirm({ ...order, ref: created.ref })
  const payment = await database.db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  // The operator's command commits between the listing and the lock of the adoption.
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query('select from accounts where account_id = $1 for update', [desk.userid])
  const adopting = captureAdoption(desk.deps).adopt(payment, silentLog)
  await expect
    .poll(async () => {
      const waiting = await database.pool.query("select from pg_stat_activity where wait_event_type = 'Lock'")
      return waiting.rowCount
    })
    .toBeGreaterThan(0)
  await holder.query(
    `insert into adopted_captures (id, userid, gateway, gateway_ref, currency, amount_minor, adopted_at)
      values ('pay_before', $1, 'stripe', $2, 'usd', 2880, now())`,
    [desk.userid, created.ref],
  )
  await holder.query('commit')
  holder.release()
  await adopting
  const rows = await database.pool.query('select state, gateway_ref from payments where id = $1', [paymentId])
  expect(rows.rows).toEqual([{ state: 'created', gateway_ref: null }])
  await expect(adoptCapture({ db: database.db, clock, gateway }, created.ref)).rejects.toThrow('adopted before')
})
