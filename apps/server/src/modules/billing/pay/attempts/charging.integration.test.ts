import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { removeCard } from '../../../payments/cards/card-store.ts'
import { updatePayment as updateSandboxPayment } from '../../../payments/drivers/sandbox/sandbox-store.ts'
import type { PaymentGateway } from '../../../payments/index.ts'
import { erringGateway, type GatewayFault, type GatewayRequest } from '../../../payments/testing/erring-gateway.ts'
import { getInvoice } from '../../records/documents/invoice-store.ts'
import { findOpenPayment, getPayment } from '../../records/documents/payment-store.ts'
import { type ChargingHarness, openChargingHarness } from '../../testing/charging-harness.ts'
import { expectSound } from '../../testing/expect-sound.ts'
import { sandboxCharging } from '../../testing/sandbox-charging.ts'
import { isUnderWay } from '../cancel-open-payment.ts'
import { orderCardRefund } from '../order-card-refund.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase({ max: 12 })
let harness: ChargingHarness
/** The next fault of each request; then it works. */
let faults: Partial<Record<GatewayRequest, GatewayFault[]>>
let requests: string[]
let gateway: PaymentGateway

beforeEach(async () => {
  clock.set(start)
  faults = {}
  requests = []
  gateway = erringGateway(sandboxCharging(database.db, clock).gateway, (request) => {
    requests.push(request)
    return faults[request]?.shift()
  })
  harness = await openChargingHarness(database, { clock, gateway })
})

const invoiceOf = (id: string) => getInvoice(database.db, harness.userid, id)
const paymentOf = (id: string) => getPayment(database.db, harness.userid, id)
const hasOpenPayment = async (id: string) => {
  const payment = await findOpenPayment(database.db, id)
  return payment !== undefined && isUnderWay(payment)
}
const pay = (invoiceId: string, method: { id: string; gateway: string } | null) =>
  harness.transact((trx) => harness.billing.pay(trx, { userid: harness.userid, invoiceId, at: clock.now(), method }))
const lapse = (invoiceId: string) =>
  harness.transact((trx) => harness.billing.lapse(trx, { userid: harness.userid, invoiceId, at: clock.now() }))

describe('each card does what its number is known for', () => {
  test.each(['4242424242424242', '5555555555554444'])('%s pays', async (number) => {
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard(number), start)
    expect(await harness.carry(paymentId)).toMatchObject({
      state: 'succeeded',
      gateway_ref: expect.stringMatching(/^sb_/),
    })
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'paid', payment_id: paymentId })
    expect(requests).toEqual(['create', 'confirm'])
    expect(harness.woken).toHaveLength(1)
    await expectSound(database, harness)
  })

  test('4000000000000341 declines: what was set aside is the customer’s again, and another card pays', async () => {
    await harness.credit(500)
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard('4000000000000341'), start)
    expect(await harness.carry(paymentId)).toMatchObject({ state: 'declined', decline_code: 'cardDeclined' })
    expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-500, 0])
    const attempt = await pay(invoiceId, await harness.addCard('4242424242424242'))
    expect(attempt).toMatchObject({ paid: false, isNew: true })
    await harness.carry(attempt?.paymentId ?? '')
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'paid' })
    expect(await harness.captures()).toEqual({ [attempt?.paymentId ?? '']: 940 })
    await expectSound(database, harness)
  })

  test('4000000000003220 waits until it is confirmed on its page', async () => {
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard('4000000000003220'), start)
    const asked = await harness.carry(paymentId)
    expect(asked).toMatchObject({ state: 'needs_action', action_url: expect.stringContaining('/pay/sandbox/confirm/') })
    expect(asked.action_url).toContain('http://cloud.example/')
    await harness.run(paymentId)
    expect((await paymentOf(paymentId)).state).toBe('needs_action')
    await database.db.transaction().execute((trx) => updateSandboxPayment(trx, paymentId, { state: 'done' }))
    await harness.run(paymentId)
    expect(await paymentOf(paymentId)).toMatchObject({ state: 'succeeded', action_url: null })
    expect(await invoiceOf(invoiceId)).toMatchObject({ state: 'paid' })
    await expectSound(database, harness)
  })
})

describe('a request that is lost', () => {
  const orderPaid = async () => await harness.order(1440, await harness.addCard('4242424242424242'), start)

  test.each([
    ['create', 'after'],
    ['create', 'twice'],
    ['confirm', 'before'],
    ['confirm', 'after'],
    ['confirm', 'twice'],
  ] as const)('%s %s its effect: charged once, and not sent again', async (request, fault) => {
    const { paymentId } = await orderPaid()
    faults = { [request]: [fault], read: ['before', 'after'], find: ['before', 'after'] }
    expect((await harness.carry(paymentId)).state).toBe('succeeded')
    expect(requests.filter((one) => one === 'create')).toHaveLength(1)
    expect(await harness.captures()).toEqual({ [paymentId]: 1440 })
    await expectSound(database, harness)
  })

  test('before it is made, twice: it is found nowhere, made again, and charged once', async () => {
    const { paymentId, invoiceId } = await orderPaid()
    faults = { create: ['before', 'before'] }
    expect(await harness.carry(paymentId)).toMatchObject({ state: 'succeeded', sends: 3 })
    expect(requests.filter((one) => one === 'create')).toHaveLength(3)
    expect(await harness.captures()).toEqual({ [paymentId]: 1440 })
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    await expectSound(database, harness)
  })

  test('for a day is asked for again, later and later', async () => {
    const { paymentId } = await orderPaid()
    faults = { confirm: ['after'], read: Array.from({ length: 30 }, () => 'before' as const) }
    for (let run = 0; run < 31; run += 1) await harness.run(paymentId)
    expect(await paymentOf(paymentId)).toMatchObject({ state: 'unknown', unanswered: 31 })
    const { rows } = await database.pool.query(
      `select run_at - $2 < interval '11 minutes' as bounded from graphile_worker.jobs where key = $1`,
      [`payment.reconcile:${paymentId}:timer`, start],
    )
    expect(rows).toEqual([{ bounded: true }])
    expect(await harness.carry(paymentId)).toMatchObject({ state: 'succeeded', unanswered: 0 })
    await expectSound(database, harness)
  })
})

describe('a payment', () => {
  test('is one, however many pay at once and however often its job runs', async () => {
    const method = await harness.addCard('4242424242424242')
    const { invoiceId, paymentId } = await harness.order(1440, method, start)
    const tabs = await Promise.all([1, 2, 3].map(() => pay(invoiceId, method)))
    expect(new Set(tabs.map((tab) => tab?.paymentId))).toEqual(new Set([paymentId]))
    await Promise.all([1, 2, 3, 4].map(() => harness.run(paymentId)))
    expect((await harness.carry(paymentId)).state).toBe('succeeded')
    await harness.run(paymentId)
    expect(requests.filter((one) => one === 'create')).toHaveLength(1)
    await expectSound(database, harness)
  })

  test('with a card that was removed before it was sent takes nothing', async () => {
    const method = await harness.addCard('4242424242424242')
    const { paymentId } = await harness.order(1440, method, start)
    await harness.transact((trx) => removeCard(trx, method.id, start))
    expect(await harness.carry(paymentId)).toMatchObject({ state: 'declined', decline_code: 'cardGone' })
    expect(requests).toEqual([])
    await expectSound(database, harness)
  })

  test('with a card that was removed while its bank was asked is still known, and settled', async () => {
    const method = await harness.addCard('4242424242424242')
    const { paymentId } = await harness.order(1440, method, start)
    faults = { confirm: ['after'] }
    await harness.run(paymentId)
    await harness.transact((trx) => removeCard(trx, method.id, start))
    expect((await harness.carry(paymentId)).state).toBe('succeeded')
    await expectSound(database, harness)
  })

  test.each(['amount_minor = 99', `currency = 'cny'`])('is not paid by a capture of %s', async (other) => {
    const { paymentId, invoiceId } = await harness.order(1440, await harness.addCard('4242424242424242'), start)
    faults = { confirm: ['after'] }
    await harness.run(paymentId)
    await database.pool.query(`update sandbox_payments set ${other} where payment_id = $1`, [paymentId])
    await harness.run(paymentId)
    expect((await paymentOf(paymentId)).state).toBe('unknown')
    expect((await invoiceOf(invoiceId)).state).toBe('open')
  })
})

describe('what no job carries on', () => {
  const wake = () => harness.runJob('payments.wake', {})
  const runAt = async (id: string) =>
    (
      await database.pool.query('select attempts, run_at from graphile_worker.jobs where key like $1', [`%:${id}%`])
    ).rows.map(({ attempts, run_at }) => [attempts, run_at.toISOString()])

  test.each([
    ['was lost', 'delete from graphile_worker._private_jobs where key like $1'],
    ['was given up', 'update graphile_worker._private_jobs set attempts = max_attempts where key like $1'],
  ])('because its job %s is found, and a job that waits is left alone', async (_, loss) => {
    const { paymentId } = await harness.order(1440, await harness.addCard('4242424242424242'), start)
    faults = { confirm: ['after'], read: ['before'] }
    for (let run = 0; run < 2; run += 1) await harness.run(paymentId)
    await database.pool.query('delete from graphile_worker._private_jobs where key = $1', [
      `payment.reconcile:${paymentId}`,
    ])
    const [timer] = await runAt(paymentId)
    await wake()
    expect(await runAt(paymentId)).toEqual([timer])
    await database.pool.query(loss, [`%:${paymentId}%`])
    await wake()
    expect((await runAt(paymentId)).filter(([attempts]) => attempts === 0)).toHaveLength(1)
    expect((await harness.carry(paymentId)).state).toBe('succeeded')
    await wake()
    await expectSound(database, harness)
  })

  test('of a refund is found too', async () => {
    const { paymentId, invoiceId } = await harness.order(1440, await harness.addCard('4242424242424242'), start)
    await harness.carry(paymentId)
    await harness.credit(1440)
    const charged = { userid: harness.userid, paymentId, captureId: null }
    const amount = { minor: 1440, currency: 'usd' } as const
    const refundId = await harness.transact((trx) => orderCardRefund(trx, charged, { amount, at: start }))
    await database.pool.query('delete from graphile_worker._private_jobs where key like $1', [`%:${refundId}`])
    await wake()
    expect(await runAt(String(refundId))).toHaveLength(1)
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
  })
})

describe('an order that lapses', () => {
  test('before its payment was sent: the job finds nothing to do', async () => {
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard('4242424242424242'), start)
    expect(await lapse(invoiceId)).toBe(true)
    await harness.run(paymentId)
    expect([(await paymentOf(paymentId)).state, await harness.captures()]).toEqual(['canceled', {}])
    await expectSound(database, harness)
  })

  test('while its customer is asked: the page is canceled at the gateway first, then it lapses automatically', async () => {
    await harness.credit(500)
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard('4000000000003220'), start)
    await harness.carry(paymentId)
    clock.advance(24 * 60 * 60_000)
    expect(await lapse(invoiceId)).toBe(false)
    expect(await hasOpenPayment(invoiceId)).toBe(true)
    faults = { cancel: ['after'] }
    await harness.run(paymentId)
    await harness.run(paymentId)
    expect((await paymentOf(paymentId)).state).toBe('canceled')
    expect((await invoiceOf(invoiceId)).state).toBe('void')
    expect(await hasOpenPayment(invoiceId)).toBe(false)
    expect(await harness.balance('cash')).toBe(-500)
    expect(harness.woken.length).toBeGreaterThan(0)
    await expectSound(database, harness)
  })

  test('while its page was just confirmed: it is paid, not void', async () => {
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard('4000000000003220'), start)
    await harness.carry(paymentId)
    await database.db.transaction().execute((trx) => updateSandboxPayment(trx, paymentId, { state: 'done' }))
    expect(await lapse(invoiceId)).toBe(false)
    await harness.run(paymentId)
    expect((await invoiceOf(invoiceId)).state).toBe('paid')
    expect(await lapse(invoiceId)).toBe(false)
    await expectSound(database, harness)
  })
})

describe('a capture that comes after its payment had ended', () => {
  const captureLate = async () => {
    const { invoiceId, paymentId } = await harness.order(1440, await harness.addCard('4000000000003220'), start)
    await harness.carry(paymentId)
    await lapse(invoiceId)
    await harness.run(paymentId)
    expect((await invoiceOf(invoiceId)).state).toBe('void')
    await database.db.transaction().execute((trx) => updateSandboxPayment(trx, paymentId, { state: 'done' }))
    return paymentId
  }

  test('goes back to the card automatically, once', async () => {
    const paymentId = await captureLate()
    await harness.run(paymentId)
    await harness.run(paymentId)
    // Set aside until the bank has it: nobody can spend it meanwhile.
    expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([0, -1440])
    faults = { refund: ['before', 'after'] }
    for (let run = 0; run < 4; run += 1) await harness.runRefunds()
    expect(await harness.captures()).toEqual({ [paymentId]: 0 })
    await expectSound(database, harness)
  })

  test('stays credit where something is owed', async () => {
    const paymentId = await captureLate()
    await harness.order(900, null, start)
    await harness.run(paymentId)
    expect(await harness.balance('cash')).toBe(-1440)
    await expectSound(database, harness)
  })

  test('pays a renewal that is owed, at once', async () => {
    await harness.credit(1440)
    await harness.order(1440, null, start)
    clock.set(new Date('2027-02-28T12:00:00Z'))
    await harness.runDue()
    const paymentId = await captureLate()
    await harness.run(paymentId)
    await harness.runDue()
    const renewals = database.db.selectFrom('invoices').select('state').where('userid', '=', harness.userid)
    expect(await renewals.where('kind', '=', 'renewal').execute()).toEqual([{ state: 'paid' }])
    expect(await harness.balance('cash')).toBe(0)
    await expectSound(database, harness)
  })
})
