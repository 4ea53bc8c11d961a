/** Books and documents after random orders; changes made outside the ledger are detected. */
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { createSealer } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../index.ts'
import { endPayment } from '../pay/begin-payment.ts'
import { estimateRefund } from '../pay/bills/refund.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { at, later, type OrderHarness, openOrderHarness } from '../testing/order-harness.ts'

const sealer = createSealer(Buffer.alloc(32, 7))
const database = useDatabase({ max: 12 })

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
    const own = await openOrderHarness(database)
    await own.grant(100, at)
    await own.credit(500)
    const ordered = await own.order([1440], { withCard: true })
    await own.charge(ordered.paymentId ?? '')
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
      const own = await openOrderHarness(database)
      const { userid, billing, transact } = own
      const orders: Awaited<ReturnType<OrderHarness['order']>>[] = []
      const pick = (n: number) => orders[n % Math.max(orders.length, 1)]
      for (const step of steps) {
        if (step.do === 'credit') await own.credit(step.minor)
        else if (step.do === 'grant') await own.grant(step.minor, at)
        else if (step.do === 'order') {
          orders.push(await own.order(step.prices, { withCard: step.withCard, at: later(step.day) }))
        } else {
          const chosen = pick(step.which)
          if (!chosen?.invoiceId || !chosen.paymentId) continue
          const [invoiceId, paymentId, when] = [chosen.invoiceId, chosen.paymentId, later(step.day)]
          const payment = await getPayment(database.db, userid, paymentId)
          if (step.do === 'charge') {
            if (payment.method_id !== null && payment.state === 'created') await own.charge(paymentId, when)
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
            const shown = await estimateRefund(database.db, facts, 'usd')
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
