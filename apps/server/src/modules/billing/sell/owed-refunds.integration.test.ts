import { addMonths, type Money } from '@atoll/money'
import * as fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { createSealer, newId } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { postToLedger, verifyLedger } from '../../ledger/index.ts'
import { verifyDocuments } from '../index.ts'
import { countBills } from '../operator/count-bills.ts'
import { estimateRefund } from '../pay/bills/refund.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { getInvoice, insertInvoice } from '../records/documents/invoice-store.ts'
import { findOpenPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { listItems, moveItemsOn } from '../records/documents/subscription-store.ts'
import { type Harness, instanceTerms, openHarness, usd } from '../testing/billing-harness.ts'
import { sumToPay } from '../views/read-invoices.ts'

const database = useDatabase({ max: 8 })

const march = new Date('2027-03-01T00:00:00Z')
const april = addMonths(march, 1, 'UTC')
const day = 86_400_000
const after = (from: Date, days: number) => new Date(from.getTime() + days * day)

/** Instances that are paid for March. */
async function sell(harness: Harness, prices: number[]): Promise<string[]> {
  const clusterId = await harness.insertCluster()
  const instances: { instanceId: string; terms: ReturnType<typeof instanceTerms> }[] = []
  for (const price of prices) {
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  }
  await harness.credit(prices.reduce((sum, price) => sum + price, 0))
  const order = { userid: harness.userid, clusterId, instances, at: march, coupons: [], method: null }
  await harness.transact((trx) => harness.billing.order(trx, order))
  return instances.map(({ instanceId }) => instanceId)
}

/** An invoice for April, which nobody has paid: a renewal. */
async function renew(harness: Harness, instanceIds: string[], prices: number[]): Promise<string> {
  const { userid } = harness
  return await harness.transact(async (trx) => {
    const items = await listItems(trx, { instanceIds })
    const priceOf = new Map(instanceIds.map((id, at) => [id, prices[at] ?? 0]))
    const lines = items.map(({ id, price_id, instance_id }) => ({
      ...({ item_id: id, product_type: 'Instance', revenue: 'instance', reason: 'renewal', price_id } as const),
      period_start: april,
      period_end: addMonths(march, 2, 'UTC'),
      proration: false,
      amount_minor: priceOf.get(instance_id ?? '') ?? 0,
      discount_minor: 0,
      explain: '{}',
    }))
    const total_minor = lines.reduce((sum, line) => sum + line.amount_minor, 0)
    const about = { id: newId('inv'), userid, kind: 'renewal', currency: 'usd', coupon: null } as const
    const times = { issued_at: april, recorded_at: new Date(), valid_until: null }
    const { id } = await insertInvoice(
      trx,
      { ...about, ...times, gross_minor: total_minor, discount_minor: 0, total_minor },
      lines,
    )
    const earned = lines.map((line) => ({
      revenue: 'instance' as const,
      gross: usd(line.amount_minor),
      discount: usd(0),
    }))
    const posting = { userid, at: april, document: id, key: `${id} issued` }
    await postToLedger(trx, { ...posting, kind: 'invoice', facts: { items: earned } })
    return id
  })
}

const due = async (harness: Harness, invoiceId: string): Promise<Money> =>
  getDue(database.db, await getInvoice(database.db, harness.userid, invoiceId))
const refund = (harness: Harness, instanceIds: string[], at: Date, hasRun = true) =>
  harness.transact((trx) =>
    harness.billing.refund(trx, {
      userid: harness.userid,
      instances: instanceIds.map((instanceId) => ({ instanceId, hasRun })),
      at,
    }),
  )
async function expectWhole({ userid }: Harness): Promise<void> {
  const sealer = createSealer(Buffer.alloc(32, 7))
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
  expect(await verifyLedger(database.db, { sealer, userid })).toMatchObject({ whole: true })
}

it('takes what is unused off an invoice that is owed; the rest can be paid, and nothing more', async () => {
  const harness = await openHarness(database)
  const [master = '', worker = ''] = await sell(harness, [1500, 600])
  const invoiceId = await renew(harness, [master, worker], [1500, 600])
  const attempt = { userid: harness.userid, invoiceId, at: april, method: null }
  await harness.transact((trx) => harness.billing.pay(trx, attempt))
  const items = await listItems(database.db, { instanceIds: [master, worker] })
  await harness.transact((trx) => moveItemsOn(trx, items, 'overdue', after(april, 5)))

  // Of 30 days it ran 5: it is stopped since.
  expect(await refund(harness, [worker], after(april, 10))).toMatchObject({ toBalance: usd(0), offOwed: usd(500) })
  expect(await due(harness, invoiceId)).toEqual(usd(1600))
  expect(await harness.billing.getCustomerInfo(harness.userid)).toMatchObject({ openInvoice: { amount: 1600 } })
  expect(await sumToPay(database.db, harness.userid)).toEqual({ count: 1, amount: 1600 })
  expect(await countBills(database.db)).toEqual({ open: 1, overdue: 0, unknown: 0 })
  expect(await harness.balance('cash')).toBe(0)
  expect(await harness.balance('receivable')).toBe(1600)
  await expectWhole(harness)

  await harness.credit(1600)
  const late = { ...attempt, at: after(april, 10) }
  expect(await harness.transact((trx) => harness.billing.pay(trx, late))).toMatchObject({ paid: true })
  // For the five days in which it was stopped, the master has 2.50 back.
  expect([await harness.balance('receivable'), await harness.balance('cash')]).toEqual([0, -250])
  // The worker's credited time is not refunded again; of the master, which is paid now, the rest of its time is.
  expect(await refund(harness, [worker], after(april, 11))).toMatchObject({ toBalance: usd(0), offOwed: usd(0) })
  expect(await refund(harness, [master], after(april, 15))).toMatchObject({ toBalance: usd(750) })
  await expectWhole(harness)
})

it('closes an invoice of which nothing is left, and leaves one alone whose card may be charged', async () => {
  const harness = await openHarness(database)
  const [master = ''] = await sell(harness, [1500])
  const invoiceId = await renew(harness, [master], [1500])
  await harness.transact((trx) =>
    harness.billing.pay(trx, { userid: harness.userid, invoiceId, at: april, method: null }),
  )
  const payment = await findOpenPayment(database.db, invoiceId)
  if (!payment) throw new Error('Nothing is to be paid')
  await harness.transact((trx) => movePaymentOn(trx, payment, 'sent', { at: april }))
  const instances = [{ instanceId: master, hasRun: true }]
  expect(await estimateRefund(database.db, { userid: harness.userid, instances, at: april }, 'usd')).toMatchObject({
    offOwed: usd(0),
  })
  await harness.transact((trx) => movePaymentOn(trx, { ...payment, state: 'sending' }, 'declined', { at: april }))
  expect(await refund(harness, [master], april)).toMatchObject({ offOwed: usd(1500) })
  expect(await getInvoice(database.db, harness.userid, invoiceId)).toMatchObject({ state: 'paid' })
  expect([await harness.balance('receivable'), await harness.balance('cash')]).toEqual([0, 0])
  await expectWhole(harness)
})

test('any life costs at most the price of its time and one minor unit, paid or owed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9999 }),
      fc.integer({ min: 0, max: 61 * 86_400 }),
      fc.boolean(),
      async (price, seconds, pays) => {
        const harness = await openHarness(database)
        const [instance = ''] = await sell(harness, [price])
        const end = new Date(march.getTime() + seconds * 1000)
        const isRenewed = end >= april
        if (isRenewed) {
          const invoiceId = await renew(harness, [instance], [price])
          if (pays) await harness.credit(price)
          const attempt = { userid: harness.userid, invoiceId, at: april, method: null }
          if (pays) await harness.transact((trx) => harness.billing.pay(trx, attempt))
        }
        const { toBalance, offOwed } = await refund(harness, [instance], end)
        const charged = price * (isRenewed ? 2 : 1) - toBalance.minor - offOwed.minor
        const lengths = [april.getTime() - march.getTime(), addMonths(march, 2, 'UTC').getTime() - april.getTime()]
        const used = [end.getTime() - march.getTime(), end.getTime() - april.getTime()]
        const worth = [0, 1].map((k) => price * Math.min(Math.max((used[k] ?? 0) / (lengths[k] ?? 1), 0), 1))
        expect(charged).toBeLessThanOrEqual((worth[0] ?? 0) + (worth[1] ?? 0) + 1)
        expect(charged).toBeGreaterThanOrEqual((worth[0] ?? 0) + (worth[1] ?? 0) - 1)
        await expectWhole(harness)
      },
    ),
    { numRuns: 20 },
  )
})
