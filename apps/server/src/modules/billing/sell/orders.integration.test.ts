/** An order from its bill to its payment or its end, and what is given back of it. */
import { periodAt } from '@atoll/money'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { endPayment } from '../pay/begin-payment.ts'
import { estimateRefund } from '../pay/bills/refund.ts'
import { settlePayment } from '../pay/settle.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { usd } from '../testing/billing-harness.ts'
import { at, later, type OrderHarness, openOrderHarness } from '../testing/order-harness.ts'

const database = useDatabase({ max: 12 })
let harness: OrderHarness

beforeEach(async () => {
  harness = await openOrderHarness(database)
})

describe('an order', () => {
  it('is paid at once from promotional credit and balance, for the rest of the period', async () => {
    await harness.grant(400, at)
    await harness.credit(2000)
    const ordered = await harness.order([1440])
    expect(ordered).toMatchObject({ amount: usd(1440), paid: true, validUntil: null })
    expect(await harness.itemStates()).toEqual(['active'])
    expect(harness.woken).toEqual([ordered.clusterId])
    expect(await harness.balance('cash')).toBe(-960)
    expect(await harness.promo(at)).toBe(0)
    // Ten days on, a worker costs what is left of the same period.
    const worker = await harness.order([1440], { clusterId: ordered.clusterId, at: later(10) })
    const { start, end } = periodAt(at, 0, 'UTC')
    const rest = 1 - 10 / ((end.getTime() - start.getTime()) / 86_400_000)
    expect(worker.amount.minor).toBe(Math.round(1440 * rest))
    for (const account of ['held:cash', 'held:promo', 'receivable'] as const)
      expect(await harness.balance(account)).toBe(0)
  })

  it('of what is free leaves nothing behind', async () => {
    const ordered = await harness.order([0, 0])
    expect(ordered).toMatchObject({ invoiceId: null, paid: true, amount: usd(0) })
    expect(await harness.itemStates()).toEqual([])
  })

  it('waits for the card with what the customer has set aside, which no other order can take', async () => {
    await harness.credit(500)
    const first = await harness.order([1440])
    expect(first).toMatchObject({ invoiceId: expect.stringMatching(/^inv_/), paid: false, validUntil: later(1) })
    expect(await harness.itemStates()).toEqual(['unpaid'])
    expect(harness.woken).toEqual([])
    expect(await harness.balance('held:cash')).toBe(-500)
    const second = await harness.order([300])
    expect(second.paid).toBe(false)
    const payment = await getPayment(database.db, harness.userid, second.paymentId ?? '')
    expect(payment).toMatchObject({ balance_minor: 0, card_minor: 300, state: 'created' })

    const { transact, billing, userid } = harness
    const invoiceId = first.invoiceId ?? ''
    const attempt = await transact((trx) => billing.pay(trx, { userid, invoiceId, at, method: harness.card }))
    await harness.charge(attempt?.paymentId ?? '')
    await harness.charge(attempt?.paymentId ?? '')
    expect(await getInvoice(database.db, userid, invoiceId)).toMatchObject({
      state: 'paid',
      payment_id: attempt?.paymentId,
    })
    expect(harness.woken).toEqual([first.clusterId])
    expect(await harness.balance('gateway:sandbox')).toBe(940)
    expect(await harness.balance('held:cash')).toBe(0)
    expect(await transact((trx) => billing.pay(trx, { userid, invoiceId, at, method: harness.card }))).toBeUndefined()
  })

  it('is not paid by less than its card was asked for, nor without that card', async () => {
    const { paymentId, invoiceId } = await harness.order([1440], { withCard: true })
    const { transact, billing, userid } = harness
    for (const captured of [null, usd(1), usd(1441)]) {
      const settlement = { userid, paymentId: paymentId ?? '', at, captured }
      await expect(transact((trx) => settlePayment(harness.deps, trx, settlement))).rejects.toThrow('asked for 1440')
    }
    expect(await getInvoice(database.db, userid, invoiceId ?? '')).toMatchObject({ state: 'open' })
  })

  it('below the card’s minimum stands on the next one, which collects it', async () => {
    expect(await harness.order([60], { withCard: true })).toMatchObject({ paid: true })
    expect(await harness.balance('cash')).toBe(60)
    const next = await harness.order([900], { withCard: true })
    const payment = await getPayment(database.db, harness.userid, next.paymentId ?? '')
    expect(payment).toMatchObject({ card_minor: 960, collected_minor: 60 })
    // While that is on its way, no other asks for the same.
    const other = await harness.order([500], { withCard: true })
    expect(await getPayment(database.db, harness.userid, other.paymentId ?? '')).toMatchObject({ card_minor: 500 })
    await harness.charge(payment.id)
    expect(await harness.balance('cash')).toBe(0)
    expect(await harness.balance('gateway:sandbox')).toBe(960)
  })

  it('that lapses leaves no trace on the balance; one that a card may have paid is waited for', async () => {
    await harness.grant(100, at)
    await harness.credit(500)
    const { userid, billing, transact } = harness
    const ordered = await harness.order([1440, 900], { withCard: true })
    const invoiceId = ordered.invoiceId ?? ''
    const lapse = () => transact((trx) => billing.lapse(trx, { userid, invoiceId, at: later(1) }))
    const payment = await getPayment(database.db, userid, ordered.paymentId ?? '')
    await transact((trx) => movePaymentOn(trx, payment, 'sent', { at }))
    expect(await lapse()).toBe(false)
    await transact((trx) =>
      endPayment(trx, { ...payment, state: 'sending' }, { event: 'declined', at, code: 'lostCard' }),
    )
    expect(await lapse()).toBe(true)
    expect(await lapse()).toBe(false)
    expect(await harness.itemStates()).toEqual(['canceled', 'canceled'])
    expect(harness.woken).toEqual([ordered.clusterId])
    expect([await harness.balance('cash'), await harness.balance('promo'), await harness.promo(at)]).toEqual([
      -500, -100, 100,
    ])
    expect([await harness.balance('receivable'), await harness.balance('revenue:instance')]).toEqual([0, 0])
    // The gateway had charged after all: nobody owes it, so it is set aside to go back to the card.
    await harness.charge(payment.id, later(2))
    await harness.charge(payment.id, later(2))
    expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-500, -payment.card_minor])
  })
})

describe('a refund', () => {
  it('gives back to the balance what is left of the time, as was shown, once', async () => {
    await harness.credit(1440)
    const ordered = await harness.order([1440])
    const { userid, billing, transact } = harness
    const facts = { userid, instances: [{ instanceId: ordered.instances[0] ?? '', hasRun: true }], at: later(7) }
    const shown = await estimateRefund(database.db, facts, 'usd')
    const given = await transact((trx) => billing.refund(trx, facts))
    expect(given).toEqual(shown)
    expect(given.toBalance.minor).toBe(1440 - 360)
    expect(await harness.balance('cash')).toBe(-1080)
    expect(await harness.itemStates()).toEqual(['ended'])
    expect((await transact((trx) => billing.refund(trx, facts))).toBalance.minor).toBe(0)
    expect(await harness.balance('cash')).toBe(-1080)
  })

  it('of an instance that never ran unwinds it whole, promotional credit too; else that counts as used first', async () => {
    const { userid, billing, transact } = harness
    await harness.grant(1000, at)
    await harness.credit(440)
    const ordered = await harness.order([1440])
    const [instanceId = ''] = ordered.instances
    const end = (hasRun: boolean, when: Date) =>
      transact((trx) => billing.refund(trx, { userid, instances: [{ instanceId, hasRun }], at: when }))
    expect(await end(false, later(3))).toMatchObject({ toBalance: usd(440), toPromo: usd(1000) })
    expect([await harness.balance('cash'), await harness.promo(at)]).toEqual([-440, 1000])

    const again = await harness.order([1440])
    const refunded = await transact((trx) =>
      billing.refund(trx, {
        userid,
        instances: [{ instanceId: again.instances[0] ?? '', hasRun: true }],
        at: later(7),
      }),
    )
    expect(refunded).toMatchObject({ toBalance: usd(440), toPromo: usd(640) })
    expect([await harness.balance('cash'), await harness.promo(at)]).toEqual([-440, 640])
  })

  it('returns promotional credit that was not used to the grant it came from, with its old expiry', async () => {
    const { userid, billing, transact } = harness
    await harness.grant(2000, at, later(20))
    const [used = '', kept = ''] = (await harness.order([1000, 1000])).instances
    const end = (instanceId: string, when: Date) =>
      transact((trx) => billing.refund(trx, { userid, instances: [{ instanceId, hasRun: true }], at: when }))
    // A minute of it: nothing to speak of is used.
    expect(await end(used, new Date(at.getTime() + 60_000))).toMatchObject({ toBalance: usd(0), toPromo: usd(1000) })
    expect(await harness.promo(at)).toBe(1000)
    expect(await harness.promo(later(20))).toBe(0)
    // The grant that it returns to has expired meanwhile: the credit is lost, and does not become cash.
    expect(await end(kept, later(21))).toMatchObject({ toBalance: usd(0), toPromo: usd(250) })
    expect([await harness.promo(later(21)), await harness.balance('cash')]).toEqual([0, 0])
    const { rows } = await database.pool.query(
      "select count(*)::int as due from due_items where userid = $1 and kind = 'promo.expire' and due_at = $2",
      [userid, later(20)],
    )
    expect(rows).toEqual([{ due: 1 }])
  })

  it('follows an item to the instance that takes the place of a broken one', async () => {
    await harness.credit(1440)
    const ordered = await harness.order([1440])
    const { userid, billing, transact } = harness
    const [broken = ''] = ordered.instances
    const repaired = await harness.insertInstance(ordered.clusterId)
    await transact((trx) => billing.moveItem(trx, broken, repaired))
    const end = (instanceId: string) =>
      transact((trx) => billing.refund(trx, { userid, instances: [{ instanceId, hasRun: true }], at: later(14) }))
    expect((await end(broken)).toBalance.minor).toBe(0)
    expect((await end(repaired)).toBalance.minor).toBe(720)
  })
})
