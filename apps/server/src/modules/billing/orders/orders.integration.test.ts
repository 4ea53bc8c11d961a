import { periodAt } from '@atoll/money'
import { createTestDatabase, type TestDatabase } from '@atoll/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { getPayment, movePaymentOn } from '../documents/payment-store.ts'
import { verifyDocuments } from '../index.ts'
import { type Desk, instanceTerms, openDesk, usd } from '../testing/billing-desk.ts'
import { endPayment } from './begin-payment.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
let scratch: TestDatabase
let database: Database
let desk: Desk
let card: { id: string; gateway: string }

const at = new Date('2027-01-31T12:00:00Z')
const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url }, { max: 12 })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})
beforeEach(async () => {
  desk = await openDesk(database)
  card = await keepCard(desk)
})

async function keepCard({ userid }: Desk): Promise<{ id: string; gateway: string }> {
  const id = `pm_${userid.slice(-12)}`
  const ref = { customer_ref: 'c', card_ref: id, brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 }
  await database.pool.query(
    `insert into payment_methods (id, userid, gateway, ${Object.keys(ref)}, is_default, created_at)
      values ($1, $2, 'sandbox', $3, $4, $5, $6, $7, $8, true, now())`,
    [id, userid, ...Object.values(ref)],
  )
  return { id, gateway: 'sandbox' }
}

/** Orders instances of `prices` for a cluster, a new one unless it is named. */
async function order(prices: number[], more: { clusterId?: string; at?: Date; withCard?: boolean; of?: Desk } = {}) {
  const { billing, userid, transact, insertCluster, insertInstance } = more.of ?? desk
  const clusterId = more.clusterId ?? (await insertCluster())
  const instances = []
  for (const price of prices) {
    instances.push({ instanceId: await insertInstance(clusterId), terms: instanceTerms(price) })
  }
  const method = more.withCard ? card : null
  const facts = { userid, clusterId, instances, at: more.at ?? at, coupons: [], method }
  const ordered = await transact((trx) => billing.order(trx, facts))
  return { ...ordered, clusterId, instances: instances.map(({ instanceId }) => instanceId) }
}

/** The gateway has charged the card for a payment. */
async function charge(paymentId: string, when = at, { billing, userid, transact } = desk): Promise<void> {
  await transact(async (trx) => {
    const payment = await getPayment(trx, userid, paymentId)
    if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at: when })
    await billing.settle(trx, { userid, paymentId, at: when, captured: usd(payment.card_minor) })
  })
}

const itemStates = async ({ userid } = desk) =>
  (
    await database.pool.query('select state from subscription_items where userid = $1 order by created_at, id', [
      userid,
    ])
  ).rows.map(({ state }) => state)

describe('an order', () => {
  it('is paid at once from promotional credit and balance, for the rest of the period', async () => {
    await desk.grant(400, at)
    await desk.credit(2000)
    const ordered = await order([1440])
    expect(ordered).toMatchObject({ amount: usd(1440), paid: true, validUntil: null })
    expect(await itemStates()).toEqual(['active'])
    expect(desk.woken).toEqual([ordered.clusterId])
    expect(await desk.balance('cash')).toBe(-960)
    expect(await desk.promo(at)).toBe(0)
    // Ten days on, a worker costs what is left of the same period.
    const worker = await order([1440], { clusterId: ordered.clusterId, at: later(10) })
    const { start, end } = periodAt(at, 0, 'UTC')
    const rest = 1 - 10 / ((end.getTime() - start.getTime()) / 86_400_000)
    expect(worker.amount.minor).toBe(Math.round(1440 * rest))
    for (const account of ['held:cash', 'held:promo', 'receivable'] as const)
      expect(await desk.balance(account)).toBe(0)
  })

  it('of what is free leaves nothing behind', async () => {
    const ordered = await order([0, 0])
    expect(ordered).toMatchObject({ invoiceId: null, paid: true, amount: usd(0) })
    expect(await itemStates()).toEqual([])
  })

  it('waits for the card with what the customer has set aside, which no other order can take', async () => {
    await desk.credit(500)
    const first = await order([1440])
    expect(first).toMatchObject({ paid: false, validUntil: later(1) })
    expect(await itemStates()).toEqual(['unpaid'])
    expect(desk.woken).toEqual([])
    expect(await desk.balance('held:cash')).toBe(-500)
    const second = await order([300])
    expect(second.paid).toBe(false)
    const payment = await getPayment(database.db, desk.userid, second.paymentId ?? '')
    expect(payment).toMatchObject({ balance_minor: 0, card_minor: 300, state: 'created' })

    const { transact, billing, userid } = desk
    const invoiceId = first.invoiceId ?? ''
    const attempt = await transact((trx) => billing.pay(trx, { userid, invoiceId, at, method: card }))
    await charge(attempt?.paymentId ?? '')
    await charge(attempt?.paymentId ?? '')
    expect(await getInvoice(database.db, userid, invoiceId)).toMatchObject({
      state: 'paid',
      payment_id: attempt?.paymentId,
    })
    expect(desk.woken).toEqual([first.clusterId])
    expect(await desk.balance('gateway:sandbox')).toBe(940)
    expect(await desk.balance('held:cash')).toBe(0)
    expect(await transact((trx) => billing.pay(trx, { userid, invoiceId, at, method: card }))).toBeUndefined()
  })

  it('is not paid by less than its card was asked for, nor without that card', async () => {
    const { paymentId, invoiceId } = await order([1440], { withCard: true })
    const { transact, billing, userid } = desk
    for (const captured of [null, usd(1), usd(1441)]) {
      const settlement = { userid, paymentId: paymentId ?? '', at, captured }
      await expect(transact((trx) => billing.settle(trx, settlement))).rejects.toThrow('asked for 1440')
    }
    expect(await getInvoice(database.db, userid, invoiceId ?? '')).toMatchObject({ state: 'open' })
  })

  it('below the card’s minimum stands on the next one, which collects it', async () => {
    expect(await order([60], { withCard: true })).toMatchObject({ paid: true })
    expect(await desk.balance('cash')).toBe(60)
    const next = await order([900], { withCard: true })
    const payment = await getPayment(database.db, desk.userid, next.paymentId ?? '')
    expect(payment).toMatchObject({ card_minor: 960, collected_minor: 60 })
    // While that is on its way, no other asks for the same.
    const other = await order([500], { withCard: true })
    expect(await getPayment(database.db, desk.userid, other.paymentId ?? '')).toMatchObject({ card_minor: 500 })
    await charge(payment.id)
    expect(await desk.balance('cash')).toBe(0)
    expect(await desk.balance('gateway:sandbox')).toBe(960)
  })

  it('that lapses leaves no trace on the balance; one that a card may have paid is waited for', async () => {
    await desk.grant(100, at)
    await desk.credit(500)
    const { userid, billing, transact } = desk
    const ordered = await order([1440, 900], { withCard: true })
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
    expect(await itemStates()).toEqual(['canceled', 'canceled'])
    expect(desk.woken).toEqual([ordered.clusterId])
    expect([await desk.balance('cash'), await desk.balance('promo'), await desk.promo(at)]).toEqual([-500, -100, 100])
    expect([await desk.balance('receivable'), await desk.balance('revenue:instance')]).toEqual([0, 0])
    // The gateway had charged after all: nobody owes it, so it is set aside to go back to the card.
    await charge(payment.id, later(2))
    await charge(payment.id, later(2))
    expect([await desk.balance('cash'), await desk.balance('held:cash')]).toEqual([-500, -payment.card_minor])
  })
})

describe('a refund', () => {
  it('gives back to the balance what is left of the time, as was shown, once', async () => {
    await desk.credit(1440)
    const ordered = await order([1440])
    const { userid, billing, transact } = desk
    const facts = { userid, instances: [{ instanceId: ordered.instances[0] ?? '', hasRun: true }], at: later(7) }
    const shown = await billing.estimateRefund(database.db, facts, 'usd')
    const given = await transact((trx) => billing.refund(trx, facts))
    expect(given).toEqual(shown)
    expect(given.toBalance.minor).toBe(1440 - 360)
    expect(await desk.balance('cash')).toBe(-1080)
    expect(await itemStates()).toEqual(['ended'])
    expect((await transact((trx) => billing.refund(trx, facts))).toBalance.minor).toBe(0)
    expect(await desk.balance('cash')).toBe(-1080)
  })

  it('of an instance that never ran unwinds it whole, promotional credit too; else that counts as used first', async () => {
    const { userid, billing, transact } = desk
    await desk.grant(1000, at)
    await desk.credit(440)
    const ordered = await order([1440])
    const [instanceId = ''] = ordered.instances
    const end = (hasRun: boolean, when: Date) =>
      transact((trx) => billing.refund(trx, { userid, instances: [{ instanceId, hasRun }], at: when }))
    expect(await end(false, later(3))).toMatchObject({ toBalance: usd(440), toPromo: usd(1000), lapsedPromo: usd(0) })
    expect([await desk.balance('cash'), await desk.promo(at)]).toEqual([-440, 1000])

    const again = await order([1440])
    const refunded = await transact((trx) =>
      billing.refund(trx, {
        userid,
        instances: [{ instanceId: again.instances[0] ?? '', hasRun: true }],
        at: later(7),
      }),
    )
    expect(refunded).toMatchObject({ toBalance: usd(440), lapsedPromo: usd(640), toPromo: usd(0) })
  })

  it('follows an item to the instance that takes the place of a broken one', async () => {
    await desk.credit(1440)
    const ordered = await order([1440])
    const { userid, billing, transact } = desk
    const [broken = ''] = ordered.instances
    const repaired = await desk.insertInstance(ordered.clusterId)
    await transact((trx) => billing.moveItem(trx, broken, repaired))
    const end = (instanceId: string) =>
      transact((trx) => billing.refund(trx, { userid, instances: [{ instanceId, hasRun: true }], at: later(14) }))
    expect((await end(broken)).toBalance.minor).toBe(0)
    expect((await end(repaired)).toBalance.minor).toBe(720)
  })
})

describe('documents that somebody changed behind the back of the ledger', () => {
  it.each([
    ['invoices', `update invoices set gross_minor = gross_minor + 1, total_minor = total_minor + 1`],
    ['invoices', `update invoices set discount_minor = 1, total_minor = gross_minor - 1`],
    ['invoices', `update invoices set state = 'void', payment_id = null`],
    ['invoices', `update invoices set state = 'open', payment_id = null, closed_at = null`],
    ['invoices', 'update invoice_items set amount_minor = amount_minor + 1'],
    ['invoices', 'delete from invoices'],
    ['payments', 'update payments set balance_minor = balance_minor - 1'],
    ['payments', 'update payments set card_minor = card_minor + 1'],
    ['invoices', `update payments set state = 'canceled'`],
    ['credit_notes', 'update credit_notes set cash_minor = cash_minor + 1'],
    ['credit_notes', 'delete from credit_notes'],
    ['promo_grants', 'update promo_grants set left_minor = left_minor + 1, amount_minor = amount_minor + 1'],
  ])('are named: %s by %s', async (table, statement) => {
    const own = await openDesk(database)
    card = await keepCard(own)
    await own.grant(100, at)
    await own.credit(500)
    const ordered = await order([1440], { withCard: true, of: own })
    await charge(ordered.paymentId ?? '', at, own)
    const instances = ordered.instances.map((instanceId) => ({ instanceId, hasRun: true }))
    await own.transact((trx) => own.billing.refund(trx, { userid: own.userid, instances, at: later(5) }))
    expect(await verifyDocuments(database.db, own.userid)).toBeUndefined()
    const client = await database.pool.connect()
    try {
      await client.query('set session_replication_role = replica')
      await client.query(`${statement} where userid = $1`, [own.userid])
    } finally {
      client.release(true)
    }
    expect(await verifyDocuments(database.db, own.userid)).toMatchObject({ table })
  })
})

type Step =
  | { do: 'credit'; minor: number }
  | { do: 'grant'; minor: number }
  | { do: 'order'; prices: number[]; withCard: boolean; day: number }
  | { do: 'charge'; which: number; day: number }
  | { do: 'decline'; which: number; day: number }
  | { do: 'lapse'; which: number; day: number }
  | { do: 'refund'; which: number; day: number; hasRun: boolean }

const day = fc.integer({ min: 0, max: 27 })
const which = fc.nat(20)
const minor = fc.integer({ min: 1, max: 3000 })
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('credit' as const), minor }),
  fc.record({ do: fc.constant('grant' as const), minor }),
  fc.record({
    do: fc.constant('order' as const),
    prices: fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 3 }),
    withCard: fc.boolean(),
    day,
  }),
  fc.record({ do: fc.constant('charge' as const), which, day }),
  fc.record({ do: fc.constant('decline' as const), which, day }),
  fc.record({ do: fc.constant('lapse' as const), which, day }),
  fc.record({ do: fc.constant('refund' as const), which, day, hasRun: fc.boolean() }),
)

test('any life of orders, payments, declines, lapses and refunds adds up: books, documents, promotional credit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 14 }), async (steps) => {
      const own = await openDesk(database)
      card = await keepCard(own)
      const { userid, billing, transact } = own
      const orders: Awaited<ReturnType<typeof order>>[] = []
      const pick = (n: number) => orders[n % Math.max(orders.length, 1)]
      for (const step of steps) {
        if (step.do === 'credit') await own.credit(step.minor)
        else if (step.do === 'grant') await own.grant(step.minor, at)
        else if (step.do === 'order') {
          orders.push(await order(step.prices, { withCard: step.withCard, at: later(step.day), of: own }))
        } else {
          const chosen = pick(step.which)
          if (!chosen?.invoiceId || !chosen.paymentId) continue
          const [invoiceId, paymentId, when] = [chosen.invoiceId, chosen.paymentId, later(step.day)]
          const payment = await getPayment(database.db, userid, paymentId)
          if (step.do === 'charge') {
            if (payment.method_id !== null && payment.state === 'created') await charge(paymentId, when, own)
          } else if (step.do === 'decline') {
            if (payment.state !== 'created') continue
            await transact(async (trx) => {
              await movePaymentOn(trx, payment, 'sent', { at: when })
              await endPayment(trx, { ...payment, state: 'sending' }, { event: 'declined', at: when })
            })
          } else if (step.do === 'lapse') {
            await transact((trx) => billing.lapse(trx, { userid, invoiceId, at: when }))
          } else {
            const instances = chosen.instances.map((instanceId) => ({ instanceId, hasRun: step.hasRun }))
            const facts = { userid, instances, at: when }
            const shown = await billing.estimateRefund(database.db, facts, 'usd')
            expect(await transact((trx) => billing.refund(trx, facts))).toEqual(shown)
          }
        }
      }
      expect(await verifyLedger(database.db, { sealer, userid })).toMatchObject({ whole: true })
      expect(await verifyDocuments(database.db, userid)).toBeUndefined()
      const { rows } = await database.pool.query(
        `select
          (select coalesce(sum(total_minor), 0)::int from invoices where userid = $1 and state = 'open') as open,
          (select coalesce(-sum(balance_minor), 0)::int from payments where userid = $1 and state = 'created')
            - (select coalesce(sum(amount_minor), 0)::int from card_refunds where userid = $1 and state = 'pending') as held_cash,
          (select coalesce(-sum(promo_minor), 0)::int from payments where userid = $1 and state = 'created') as held_promo,
          (select coalesce(-sum(left_minor), 0)::int from promo_grants where userid = $1) as promo,
          (select coalesce(sum(total_minor), 0)::int from invoices where userid = $1 and state <> 'void')
            - (select coalesce(sum(cash_minor + promo_minor), 0)::int from credit_notes where userid = $1) as earned`,
        [userid],
      )
      const [facts] = rows
      expect({
        open: await own.balance('receivable'),
        held_cash: await own.balance('held:cash'),
        held_promo: await own.balance('held:promo'),
        promo: await own.balance('promo'),
        earned: 0 - (await own.balance('revenue:instance')) - (await own.balance('discount')),
      }).toEqual(facts)
    }),
    { numRuns: 25 },
  )
})
