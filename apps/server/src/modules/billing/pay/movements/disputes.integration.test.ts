/** Disputes and refunds that start at Stripe, in the order that its documentation gives. */
import { createTestClock } from '@atoll/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../../../platform/crypto.ts'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../../platform/log.ts'
import { verifyLedger } from '../../../ledger/index.ts'
import { type StripeDouble, startStripeDouble } from '../../../payments/drivers/stripe/testing/stripe-double.ts'
import { refundPayment } from '../../index.ts'
import { verifyCaptures } from '../../operator/verify-captures.ts'
import { verifyDocuments } from '../../operator/verify-documents.ts'
import { instanceTerms, usd } from '../../testing/billing-harness.ts'
import { openStripeHarness, type StripeHarness } from '../../testing/stripe-harness.ts'
import { pageBalance } from '../../views/balance-service.ts'
import { readMeans } from '../begin-payment.ts'

const database = useDatabase({ max: 8 })
const clock = createTestClock(new Date())
const dayMs = 86_400_000
let double: StripeDouble
let desk: StripeHarness
let mails: string[]

beforeAll(async () => {
  double = await startStripeDouble()
})
afterAll(() => double.close())
beforeEach(async () => {
  clock.set(new Date())
  mails = []
  desk = await openStripeHarness(database, double, {
    clock,
    mail: {
      async post(_, { params }) {
        mails.push(JSON.stringify(params))
        return 'ml_none'
      },
    },
  })
})

/** Everything that holds at every moment: books, documents, and what the gateway knows. */
async function expectSound() {
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyLedger(database.db, { sealer, userid: desk.userid })).toMatchObject({ whole: true })
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
  expect((await verifyCaptures(database.db, desk.deps.gateway, desk.userid)).differences).toEqual([])
}

/** An instance of 28.80 that a card paid. */
async function paidOrder(number = '4242424242424242', minor = 2880) {
  const { invoiceId, paymentId } = await desk.order(minor, await desk.addCard(number), clock.now())
  expect((await desk.carry(paymentId)).state).toBe('succeeded')
  return { invoiceId, paymentId, ref: await desk.refOf(paymentId) }
}
const balances = async () => ({
  cash: await desk.balance('cash'),
  disputed: await desk.balance('disputed'),
  gateway: await desk.balance('gateway:stripe'),
  receivable: await desk.balance('receivable'),
})
const invoiceOf = async (id: string) =>
  await database.db.selectFrom('invoices').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
async function orderAgain(minor = 1440) {
  const clusterId = await desk.insertCluster()
  const instances = [{ instanceId: await desk.insertInstance(clusterId), terms: instanceTerms(minor) }]
  const { userid, billing } = desk
  const method = await desk.deps.findMethod(database.db, userid)
  const order = { userid, clusterId, instances, at: clock.now(), coupons: [], method }
  return await desk.transact((trx) => billing.order(trx, order))
}
async function destroyAll() {
  const { rows } = await database.pool.query<{ id: string }>(
    "select instance_id as id from subscription_items where userid = $1 and state = 'active'",
    [desk.userid],
  )
  const instances = rows.map(({ id }) => ({ instanceId: id, hasRun: false }))
  await desk.transact((trx) => desk.billing.refund(trx, { userid: desk.userid, instances, at: clock.now() }))
}

describe('a payment that is disputed', () => {
  test('destroyed, it buys nothing: what was withdrawn is not to be spent, charged or given back', async () => {
    const { paymentId, ref } = await paidOrder()
    const dispute = double.harness.dispute(ref)
    await desk.tell('charge.dispute.created', dispute)
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    expect(await balances()).toEqual({ cash: 0, disputed: 2880, gateway: 0, receivable: 0 })
    await destroyAll()
    expect(await balances()).toEqual({ cash: -2880, disputed: 2880, gateway: 0, receivable: 0 })
    const asked = { userid: desk.userid, at: clock.now(), mayRoll: true }
    expect(await readMeans(database.db, asked, 'usd')).toMatchObject({ cash: usd(0) })
    await expect(orderAgain()).rejects.toMatchObject({ key: 'paymentDisputed' })
    const operator = desk.deps
    await expect(refundPayment(operator, paymentId, '1')).rejects.toThrow('disputes')
    await expectSound()
  })

  test('and won is as before: the credit can be spent, the card charged, the rest ordered', async () => {
    const { ref } = await paidOrder()
    const dispute = double.harness.dispute(ref)
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    await destroyAll()
    dispute.status = 'won'
    await desk.tell('charge.dispute.closed', dispute)
    double.harness.moveFunds(dispute, 2880)
    await desk.tell('charge.dispute.funds_reinstated', dispute)
    expect(await balances()).toEqual({ cash: -2880, disputed: 0, gateway: 2880, receivable: 0 })
    expect(await orderAgain(1440)).toMatchObject({ paid: true })
    expect(await desk.balance('cash')).toBe(-1440)
    await expectSound()
  })

  test('and lost is owed again: the invoice opens, is tried, stops at day 5, and another card pays it', async () => {
    const { invoiceId, ref } = await paidOrder()
    const dispute = double.harness.dispute(ref)
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    dispute.status = 'lost'
    for (let times = 0; times < 3; times += 1) await desk.tell('charge.dispute.closed', dispute)
    expect(await balances()).toEqual({ cash: 0, disputed: 0, gateway: 0, receivable: 2880 })
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'open', lost_minor: 2880, reopened: 1 })
    await expectSound()
    // The card whose payment was taken back is not asked again.
    for (const day of [0, 1, 3, 5]) {
      clock.set(new Date(clock.now().getTime() + (day === 0 ? 0 : dayMs * (day === 1 ? 1 : 2))))
      await desk.runDue()
    }
    await desk.runDue()
    const { rows } = await database.pool.query(
      'select tries, past_due_at is not null as late from dunnings where invoice_id = $1',
      [invoiceId],
    )
    expect(rows).toEqual([{ tries: 4, late: true }])
    expect(double.requests.filter((one) => one === `POST /v1/payment_intents/${ref}/confirm`)).toHaveLength(1)
    const card = await desk.addCard('5555555555554444')
    const at = clock.now()
    const tried = await desk.transact((trx) =>
      desk.billing.pay(trx, { userid: desk.userid, invoiceId, at, method: card }),
    )
    expect((await desk.carry(tried?.paymentId ?? '')).state).toBe('succeeded')
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'paid', payment_id: tried?.paymentId })
    expect(await balances()).toEqual({ cash: 0, disputed: 0, gateway: 2880, receivable: 0 })
    await expectSound()
  })

  test('and lost after it was destroyed takes its own credit first, and no more than that', async () => {
    const { invoiceId, ref } = await paidOrder()
    await destroyAll()
    const dispute = double.harness.dispute(ref)
    dispute.status = 'lost'
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    await desk.runDue()
    expect(await balances()).toEqual({ cash: 0, disputed: 0, gateway: 0, receivable: 0 })
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    await expectSound()
  })

  test('and lost is not credit when it is destroyed afterwards: what is unused comes off what is owed', async () => {
    const { invoiceId, ref } = await paidOrder()
    const dispute = double.harness.dispute(ref)
    dispute.status = 'lost'
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    await destroyAll()
    expect(await balances()).toEqual({ cash: 0, disputed: 0, gateway: 0, receivable: 0 })
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    await expectSound()
  })

  test.each([
    ['before it is paid again', false],
    ['after it was paid again', true],
  ])('lost, and put back after all %s, is the customer’s', async (_, isPaidAgain) => {
    const { invoiceId, ref } = await paidOrder()
    const dispute = double.harness.dispute(ref)
    dispute.status = 'lost'
    await desk.tell('charge.dispute.closed', dispute)
    if (isPaidAgain) {
      const method = await desk.addCard('5555555555554444')
      const { userid, billing } = desk
      const tried = await desk.transact((trx) => billing.pay(trx, { userid, invoiceId, at: clock.now(), method }))
      await desk.carry(tried?.paymentId ?? '')
    }
    dispute.status = 'won'
    double.harness.moveFunds(dispute, 2880)
    await desk.tell('charge.dispute.funds_reinstated', dispute)
    await desk.runDue()
    const gateway = isPaidAgain ? 5760 : 2880
    expect(await balances()).toEqual({ cash: isPaidAgain ? -2880 : 0, disputed: 0, gateway, receivable: 0 })
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    await expectSound()
  })

  test('of which a part is withdrawn moves that part alone; an inquiry moves nothing and stops nothing', async () => {
    const { ref, invoiceId } = await paidOrder()
    const dispute = double.harness.dispute(ref, { amount: 1000, isInquiry: true })
    await desk.tell('charge.dispute.created', dispute)
    expect(await balances()).toMatchObject({ disputed: 0, gateway: 2880 })
    expect(await orderAgain(0)).toMatchObject({ paid: true })
    dispute.status = 'needs_response'
    double.harness.moveFunds(dispute, -1000)
    await desk.tell('charge.dispute.funds_withdrawn', dispute)
    expect(await balances()).toMatchObject({ disputed: 1000, gateway: 1880 })
    dispute.status = 'lost'
    await desk.tell('charge.dispute.closed', dispute)
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'open', lost_minor: 1000 })
    expect(await balances()).toMatchObject({ disputed: 0, receivable: 1000 })
    await expectSound()
  })

  test('whose webhook never came is found by the daily listing', async () => {
    const { ref } = await paidOrder('4000000000000259')
    await desk.runJob('billing.movements.list', {})
    const queued = await database.pool.query('select from graphile_worker.jobs where key = $1', [
      `billing.movements:${ref}`,
    ])
    expect(queued.rowCount).toBe(1)
    await desk.runJob('billing.movements', { paymentRef: ref })
    expect(await balances()).toMatchObject({ disputed: 2880, gateway: 0 })
    await database.pool.query('delete from graphile_worker._private_jobs')
    await desk.runJob('billing.movements.list', {})
    expect(
      (await database.pool.query('select from graphile_worker.jobs where key = $1', [`billing.movements:${ref}`]))
        .rowCount,
    ).toBe(0)
    await expectSound()
  })

  test('leaves its card uncharged where a payment waited for it', async () => {
    const { ref } = await paidOrder()
    const waiting = await orderAgain(1440)
    await desk.tell('charge.dispute.funds_withdrawn', double.harness.dispute(ref))
    expect(await desk.carry(waiting.paymentId ?? '')).toMatchObject({ state: 'declined', decline_code: 'cardDisputed' })
    await expectSound()
  })

  test('before its payment is settled here waits for that', async () => {
    const { invoiceId, paymentId } = await desk.order(2880, await desk.addCard('4000000000000259'), clock.now())
    expect(invoiceId).toBeTruthy()
    await expect(desk.runJob('billing.movements', { paymentRef: 'pi_unknown' })).resolves.toBeUndefined()
    await desk.carry(paymentId)
    await desk.runJob('billing.movements', { paymentRef: await desk.refOf(paymentId) })
    expect(await balances()).toMatchObject({ disputed: 2880 })
    await expectSound()
  })
})

describe('a refund', () => {
  test('from the dashboard comes off the balance, once, however often it is told', async () => {
    const { ref } = await paidOrder()
    await desk.credit(1000)
    const refund = double.harness.refundInDashboard(ref, 880)
    await desk.tell('refund.created', refund)
    await desk.tell('charge.refunded', { object: 'charge', payment_intent: ref, metadata: { payment_id: 'pay_1' } })
    expect(await balances()).toMatchObject({ cash: -120, gateway: 2000 })
    await expectSound()
    double.harness.failRefunds(ref)
    await desk.tell('refund.failed', refund)
    expect(await balances()).toMatchObject({ cash: -1000, gateway: 2880 })
    await expectSound()
  })

  test('that was done and fails weeks later is credit again, told by one mail; all that is three records', async () => {
    await database.pool.query("update accounts set email = 'reef@example.com' where account_id = $1", [desk.userid])
    const { ref, paymentId } = await paidOrder('4000000000005126')
    await desk.credit(2880)
    await refundPayment(desk.deps, paymentId, '28.80')
    const records = async () => {
      const deps = desk.deps as unknown as Parameters<typeof pageBalance>[0]
      const page = await pageBalance(deps, desk.userid, { page: 1, rowsPerPage: 20 }, 'en-US')
      return page.balanceChangeRecord.map(({ type, amount, balance }) => [type, amount, balance])
    }
    expect(await records()).toEqual([
      ['card_refund', 2880, 0],
      ['adjust', -2880, -2880],
    ])
    await desk.runRefunds()
    expect(await records()).toHaveLength(2)
    expect(await balances()).toMatchObject({ cash: 0, gateway: 0 })
    await expectSound()
    double.harness.failRefunds(ref)
    const failed = { object: 'refund', payment_intent: ref, metadata: {} }
    await desk.tell('refund.failed', failed)
    await desk.tell('charge.refund.updated', failed)
    expect(await balances()).toMatchObject({ cash: -2880, gateway: 2880 })
    expect((await records())[0]).toEqual(['refund_returned', -2880, -2880])
    expect(mails.filter((mail) => mail.includes('came back from your card'))).toHaveLength(1)
    await expectSound()
  })
})

test('what a gateway moves of a payment that is not here is left to the operator', async () => {
  const { takeMovements } = await import('./movements-job.ts')
  await takeMovements(desk.deps, 'pi_nobody', silentLog)
  await expectSound()
})
