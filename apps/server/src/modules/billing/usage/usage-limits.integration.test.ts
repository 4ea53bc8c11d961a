/** Limits of charged usage: past due bills, and the cap. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { verifyDocuments } from '../index.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { instanceTerms } from '../testing/billing-harness.ts'
import { after, days, end, hours, openUsageHarness, start, type UsageHarness } from '../testing/usage-harness.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: UsageHarness

beforeEach(async () => {
  harness = await openUsageHarness(database, clock)
})

describe('what is past due', () => {
  const spendAll = async () => harness.credit(await harness.balance('cash'))
  /** Tries until nothing is left but to pay. */
  async function failAll(from: Date) {
    for (const day of [0, 1, 3, 5]) {
      clock.set(new Date(from.getTime() + day * days))
      await harness.runDue()
    }
  }
  const pay = async (kind: string) => {
    const { rows } = await database.pool.query<{ id: string; total: number }>(
      'select id, total_minor as total from invoices where userid = $1 and kind = $2 order by number desc limit 1',
      [harness.userid, kind],
    )
    const { id: invoiceId = '', total = 0 } = rows[0] ?? {}
    await harness.credit(total)
    const facts = { userid: harness.userid, invoiceId, at: clock.now(), method: null }
    await harness.transact((trx) => harness.billing.pay(trx, facts))
  }
  const planState = async () => (await findPlanSubscription(database.db, harness.userid))?.state

  test('stays so while the renewal is owed, though the usage of the same plan is paid, and the other way round', async () => {
    for (const [first, second] of [['usage', 'renewal'] as const, ['renewal', 'usage'] as const]) {
      harness = await openUsageHarness(database, clock)
      await harness.change(1)
      harness.script.flow('cloud_traffic', after(days), 400)
      clock.set(after(days + hours))
      // Usage that was covered when it was used is owed, even if the balance is spent later.
      await harness.check()
      await spendAll()
      await failAll(end)
      expect(await planState()).toBe('past_due')
      await pay(first)
      expect(await planState()).toBe('past_due')
      await pay(second)
      expect(await planState()).toBe('active')
    }
  })

  test('freezes what the plan charges for, whatever the bill is for, until it is paid', async () => {
    await harness.change(1)
    clock.set(after(2 * days))
    const clusterId = await harness.insertCluster()
    const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(1440) }]
    const order = { userid: harness.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
    await harness.transact((trx) => harness.billing.order(trx, order))
    await spendAll()
    await harness.credit(300)
    await harness.runUntil(end)
    await failAll(new Date(end.getTime() + 2 * days))
    harness.script.flow('cloud_traffic', clock.now(), 400)
    clock.advance(hours)
    // There are means, which nothing is paid from while a bill is past due.
    await harness.credit(1000)
    expect([await planState(), await harness.mayUse()]).toEqual(['active', 'frozen'])
    // Visitors do not notice.
    expect(await harness.room()).toMatchObject({ isLimited: false })
    await pay('renewal')
    expect(await harness.mayUse()).toBe('charged')
  })
})

test('a plan that falls to Free for its usage gives back what is left of its time, and stops no cluster', async () => {
  await harness.change(1)
  clock.set(after(days))
  // Raised within the period: what the lower one was paid for counts.
  await harness.change(2)
  harness.script.flow('cloud_traffic', after(2 * days), 2000)
  clock.set(after(2 * days + hours))
  await harness.check()
  // Paid for until after the verdict.
  clock.set(after(20 * days))
  await harness.credit(1440)
  const clusterId = await harness.insertCluster()
  const instanceId = await harness.insertInstance(clusterId)
  const instances = [{ instanceId, terms: instanceTerms(1440) }]
  const order = { userid: harness.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
  await harness.transact((trx) => harness.billing.order(trx, order))
  await harness.credit((await harness.balance('cash')) + 900)
  for (const day of [0, 1, 3, 5, 19]) {
    clock.set(new Date(end.getTime() + day * days))
    await harness.runDue()
  }
  const { rows } = await database.pool.query(
    'select kind, state, total_minor as total from invoices where userid = $1 order by number',
    [harness.userid],
  )
  expect(rows.slice(2)).toMatchObject([
    { kind: 'order', state: 'paid', total: 1440 },
    { kind: 'renewal', state: 'paid', total: 900 },
    { kind: 'usage', state: 'uncollectible' },
  ])
  expect(await findPlanSubscription(database.db, harness.userid)).toBeUndefined()
  // 9 of 28 days.
  expect([await harness.balance('cash'), await harness.balance('writeoff')]).toEqual([-289, rows[4]?.total])
  expect((await harness.billing.standings(database.db, clusterId)).of(instanceId)).toBe('clear')
  expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
})

describe('the cap', () => {
  test('freezes what is charged once it is reached, until it is raised; what is within the quota goes on', async () => {
    await harness.change(1)
    await harness.cap(200)
    harness.script.flow('cloud_traffic', after(days), 350)
    clock.set(after(2 * days))
    expect([await harness.mayUse(), (await harness.traffic())?.amount]).toEqual(['charged', 150])
    // 49 cents at 3 cents a GB.
    expect(await harness.room()).toMatchObject({ isLimited: false, bytes: 16_333_333_000 })
    harness.script.flow('cloud_traffic', after(2 * days), 100)
    clock.set(after(3 * days))
    expect([await harness.mayUse(), (await harness.traffic())?.amount]).toEqual(['frozen', 200])
    expect(await harness.room()).toMatchObject({ isLimited: true, bytes: 0 })
    expect(await harness.mayUse('cloud_storage')).toBe('within')
    await harness.cap(1000)
    expect([await harness.mayUse(), (await harness.traffic())?.amount]).toEqual(['charged', 450])
    await harness.cap()
    const { rows } = await database.pool.query(
      "select after::jsonb ->> 'spendCap' as cap from audit_entries where owner = $1 and action = 'plan.setCap' order by seq",
      [harness.did],
    )
    expect(rows.map((row) => row.cap)).toEqual(['2.00', '10.00', null])
  })

  test('cannot be set below what the period costs already', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(2 * days))
    await expect(harness.cap(299)).rejects.toSatisfy(
      (error) => error instanceof Refusal && error.key === 'capBelowUsage',
    )
    expect(await harness.cap(300)).toEqual({ amount: 300 })
  })

  test('that is set after its period is for the next one', async () => {
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    harness.script.beSilentUntil(new Date(end.getTime() + 2 * hours))
    await harness.runUntil(new Date(end.getTime() + hours))
    await harness.cap(10)
    await harness.runUntil(new Date(end.getTime() + 3 * hours))
    expect(await harness.bills()).toMatchObject([{ total: 300 }])
  })

  test('is passed by no invoice, whatever was used, however late it is known, and whatever the plan', async () => {
    const flow = fc.record({
      product: fc.constantFrom('cloud_traffic' as const, 'cloud_storage' as const),
      at: fc.integer({ min: 0, max: 50 * 24 }),
      gb: fc.integer({ min: 0, max: 2000 }),
      late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 * 24 })),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(flow, { maxLength: 12 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.option(fc.integer({ min: 1, max: 60 * 24 })),
        async (flows, most, raisedAt) => {
          harness = await openUsageHarness(database, clock)
          await harness.change(1)
          await harness.cap(most)
          for (const { product, at, gb, late } of flows) {
            harness.script.flow(product, after(at * hours), gb, after((at + late) * hours))
          }
          if (raisedAt !== null) {
            await harness.runUntil(after(raisedAt * hours))
            await harness.change(2)
          }
          await harness.runUntil(addMonths(start, 3, 'UTC'))
          const { rows } = await database.pool.query<{ total: number; at: Date; period: number }>(
            `select i.id, i.total_minor as total from invoices i where i.userid = $1 and i.kind = 'usage'`,
            [harness.userid],
          )
          for (const { total } of rows) expect(total).toBeLessThanOrEqual(most)
          const periods = await database.pool.query<{ charged: number }>(
            `select sum(amount_minor)::bigint as charged from invoice_items
              where userid = $1 and revenue = 'usage' group by period_start`,
            [harness.userid],
          )
          for (const { charged } of periods.rows) expect(charged).toBeLessThanOrEqual(most)
          expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
          expect((await findPlanSubscription(database.db, harness.userid))?.state).toBe('active')
        },
      ),
      { numRuns: 10 },
    )
  })
})
