/** Readings that change after their period was billed: what is billed or given back for that. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { foresee } from '../due/forecast.ts'
import { insertRedemption } from '../records/coupon-store.ts'
import { openCreditHarness } from '../testing/credit-harness.ts'
import { expectProvable } from '../testing/histories/expect-fair.ts'
import { after, days, end, openUsageHarness, start, type UsageHarness } from '../testing/usage-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: UsageHarness

beforeEach(async () => {
  harness = await openUsageHarness(database, clock)
  await harness.change(1)
})

const month = (count: number) => addMonths(start, count, 'UTC')
/** From then on the meters say so much more of the first day, or less. */
const change = (gb: number, knownAt: Date, of = harness) => of.script.flow('cloud_traffic', after(days), gb, knownAt)
const notes = async ({ userid } = harness) =>
  (
    await database.pool.query(
      `select number as invoice, cash_minor as cash, promo_minor as promo, receivable_minor as owed from credit_notes n
        join invoices i on i.id = n.invoice_id where n.userid = $1 order by n.issued_at, number`,
      [userid],
    )
  ).rows
const usageInvoices = async ({ userid } = harness) =>
  (
    await database.pool.query(
      "select number, state, total_minor as total from invoices where userid = $1 and kind = 'usage' order by number",
      [userid],
    )
  ).rows

describe('a reading that changes after its bill', () => {
  test('to less gives back what it was billed for, by a credit note that names the invoice, once', async () => {
    change(1050, start)
    await harness.runUntil(end)
    // 750 GB above 300 at 3 cents.
    expect(await harness.bills()).toMatchObject([{ total: 2250, at: start }])
    const before = await harness.balance('cash')
    change(-1000, after(40 * days))
    await harness.runUntil(month(2))
    const [bill] = await usageInvoices()
    expect(await notes()).toEqual([{ invoice: bill?.number, cash: 2250, promo: 0, owed: 0 }])
    const { rows } = await database.pool.query('select cause from credit_notes where userid = $1', [harness.userid])
    expect(rows).toEqual([{ cause: 'readings' }])
    // The plan's month of 3 dollars, besides.
    expect((await harness.balance('cash')) - before).toBe(-2250 + 300)
    await harness.runUntil(month(5))
    expect([await notes(), await harness.bills()]).toMatchObject([[{}], [{}]])
    await expectProvable(database, harness.userid)
  })

  test('to more is billed two periods later, on a line of the next bill that says it is a correction', async () => {
    change(50, start)
    change(2000, after(70 * days))
    harness.script.flow('cloud_traffic', after(75 * days), 310)
    await harness.runUntil(month(3))
    expect(await harness.bills()).toEqual([
      { total: 5280, product: 'cloud_traffic', at: month(2), amount: 30 },
      { total: 5280, product: 'cloud_traffic', at: start, amount: 5250 },
    ])
    const { rows } = await database.pool.query(
      `select period_start as at, explain::json ->> 'correction' as correction from invoice_items
        where userid = $1 and revenue = 'usage' order by line`,
      [harness.userid],
    )
    expect(rows).toEqual([
      { at: month(2), correction: null },
      { at: start, correction: 'true' },
    ])
    await harness.runUntil(month(6))
    expect(await harness.bills()).toHaveLength(2)
    await expectProvable(database, harness.userid)
  })

  test('of the last period before Free is billed on a bill of its own, and given back after it', async () => {
    change(50, start)
    clock.set(after(2 * days))
    await harness.change(0)
    change(2000, after(35 * days))
    change(-1000, after(65 * days))
    await harness.runUntil(end)
    expect(await harness.bills()).toEqual([])
    await harness.runUntil(after(36 * days))
    const shown = await foresee(harness.deps, { userid: harness.userid, months: 4, cards: 'pay', locale: 'en-US' })
    await harness.runUntil(month(2))
    expect(await harness.bills()).toEqual([{ total: 5250, product: 'cloud_traffic', at: start, amount: 5250 }])
    expect(shown.documents.filter(({ kind }) => kind === 'usage')).toMatchObject([{ amount: 5250 }])
    await harness.runUntil(month(3))
    expect(await notes()).toMatchObject([{ cash: 3000 }])
    await harness.runUntil(month(8))
    expect([await notes(), await harness.bills()]).toMatchObject([[{}], [{}]])
    await expectProvable(database, harness.userid)
  })

  test('over 90 days back changes nothing any more', async () => {
    change(50, start)
    change(2000, new Date(end.getTime() + 91 * days))
    await harness.runUntil(month(6))
    expect(await harness.bills()).toEqual([])
  })

  test('is corrected on the 90th day, though the bills before and after it are of the 61st and the 92nd', async () => {
    const used = (gb: number, knownAt: Date) =>
      harness.script.flow('cloud_traffic', new Date(month(6).getTime() + days), gb, knownAt)
    const billed = new Date(month(7).getTime() + 90 * days)
    used(1050, month(6))
    used(-1000, new Date(billed.getTime() - days))
    await harness.runUntil(new Date(billed.getTime() - 1))
    expect(await notes()).toEqual([])
    await harness.runUntil(billed)
    expect(await notes()).toMatchObject([{ cash: 2250 }])
    await harness.runUntil(month(12))
    expect([await notes(), await harness.bills()]).toMatchObject([[{}], [{}]])
    await expectProvable(database, harness.userid)
  })

  test('to more is billed automatically on the 90th day, once', async () => {
    const used = (gb: number, knownAt: Date) =>
      harness.script.flow('cloud_traffic', new Date(month(6).getTime() + days), gb, knownAt)
    const last = new Date(month(7).getTime() + 90 * days)
    used(400, month(6))
    used(100, new Date(last.getTime() - days))
    harness.script.flow('cloud_traffic', new Date(last.getTime() - 2 * days), 310)
    await harness.runUntil(last)
    expect((await harness.bills()).map(({ amount }) => amount)).toEqual([300, 300])
    await harness.runUntil(month(12))
    expect((await harness.bills()).map(({ amount }) => amount)).toEqual([300, 300, 30])
    await expectProvable(database, harness.userid)
  })

  test('up, down and up again comes to the price of what it is at last', async () => {
    change(1050, start)
    change(-900, after(40 * days))
    change(500, after(70 * days))
    await harness.runUntil(month(5))
    expect(await notes()).toMatchObject([{ cash: 2250 }])
    // 650 GB in all.
    expect((await harness.bills()).map(({ amount }) => amount)).toEqual([2250, 1050])
    await expectProvable(database, harness.userid)
  })

  test('is priced with the coupon of its own period, used up or not', async () => {
    const coupon = { code: 'ONCE50', percentOff: 50, duration: 'once' as const, appliesTo: ['usage' as const] }
    await database.pool.query("insert into coupons (code, redeemed) values ('ONCE50', 1) on conflict do nothing")
    await harness.transact((trx) => insertRedemption(trx, harness.userid, { coupon, redeemedAt: start }))
    change(1050, start)
    harness.script.flow('cloud_traffic', after(40 * days), 400)
    change(100, after(41 * days))
    change(-1000, after(65 * days))
    await harness.runUntil(month(2))
    // 22.50 half; then 3.00 of the second period whole, and 3.00 of the first half.
    expect((await usageInvoices()).map(({ total }) => total)).toEqual([1125, 450])
    await harness.runUntil(month(3))
    expect(await notes()).toMatchObject([{ cash: 1125 }, { cash: 150 }])
    await harness.runUntil(month(5))
    await expectProvable(database, harness.userid)
  })

  test('comes within what the cap of its period left', async () => {
    await harness.cap(1000)
    change(400, start)
    change(1000, after(40 * days))
    await harness.runUntil(month(2))
    expect((await harness.bills()).map(({ amount }) => amount)).toEqual([300, 700])
    await harness.runUntil(month(4))
    expect(await harness.bills()).toHaveLength(2)
  })
})

describe('what is given back', () => {
  test('comes first off what is owed, and the bill of which nothing is left is closed, given up or not', async () => {
    const poor = await openCreditHarness(database, clock)
    await poor.credit(900)
    await poor.change(1)
    await poor.addCard()
    change(700, start, poor)
    await poor.runUntil(end)
    expect(await usageInvoices(poor)).toMatchObject([{ state: 'open', total: 1200 }])
    change(-200, after(35 * days), poor)
    change(-200, after(65 * days), poor)
    await poor.runUntil(month(2))
    expect(await notes(poor)).toMatchObject([{ cash: 0, promo: 0, owed: 600 }])
    await poor.runUntil(month(3))
    expect(await notes(poor)).toMatchObject([{}, { cash: 0, promo: 0, owed: 600 }])
    expect(await usageInvoices(poor)).toMatchObject([{ state: 'paid' }])
    await poor.expectProvable()
  })

  test('is promotional credit where that paid what is not used', async () => {
    const poor = await openCreditHarness(database, clock)
    await poor.credit(300)
    await poor.change(1)
    await poor.grant(1000, start)
    await poor.credit(1000)
    change(800, start, poor)
    await poor.runUntil(end)
    await poor.runDue()
    await poor.payAll()
    expect(await usageInvoices(poor)).toMatchObject([{ state: 'paid', total: 1500 }])
    change(-300, after(35 * days), poor)
    await poor.runUntil(month(2))
    // The plan's second month took 3.00 of it and this bill 7.00, of which 6.00 are used.
    expect(await notes(poor)).toMatchObject([{ cash: 800, promo: 100, owed: 0 }])
    await poor.expectProvable()
  })
})
