/** Limits of charged usage: past due bills, and the cap. */
import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { verifyDocuments } from '../index.ts'
import { findPlanSubscription } from '../records/documents/subscription-store.ts'
import { instanceTerms } from '../testing/billing-desk.ts'
import { after, days, end, hours, openUsageDesk, start, type UsageDesk } from '../testing/usage-desk.ts'

const clock = createTestClock(start)
const database = useDatabase()
let desk: UsageDesk

beforeEach(async () => {
  desk = await openUsageDesk(database, clock)
})

describe('what is past due', () => {
  const spendAll = async () => desk.credit(await desk.balance('cash'))
  /** Tries until nothing is left but to pay. */
  async function failAll(from: Date) {
    for (const day of [0, 1, 3, 5]) {
      clock.set(new Date(from.getTime() + day * days))
      await desk.runDue()
    }
  }
  const pay = async (kind: string) => {
    const { rows } = await database.pool.query<{ id: string; total: number }>(
      'select id, total_minor as total from invoices where userid = $1 and kind = $2 order by number desc limit 1',
      [desk.userid, kind],
    )
    const { id: invoiceId = '', total = 0 } = rows[0] ?? {}
    await desk.credit(total)
    const facts = { userid: desk.userid, invoiceId, at: clock.now(), method: null }
    await desk.transact((trx) => desk.billing.pay(trx, facts))
  }
  const planState = async () => (await findPlanSubscription(database.db, desk.userid))?.state

  test('stays so while the renewal is owed, though the usage of the same plan is paid, and the other way round', async () => {
    for (const [first, second] of [['usage', 'renewal'] as const, ['renewal', 'usage'] as const]) {
      desk = await openUsageDesk(database, clock)
      await desk.change(1)
      desk.script.flow('cloud_traffic', after(days), 400)
      clock.set(after(days + hours))
      // Usage that was covered when it was used is owed, even if the balance is spent later.
      await desk.check()
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
    await desk.change(1)
    clock.set(after(2 * days))
    const clusterId = await desk.insertCluster()
    const instances = [{ instanceId: await desk.insertInstance(clusterId), terms: instanceTerms(1440) }]
    const order = { userid: desk.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
    await desk.transact((trx) => desk.billing.order(trx, order))
    await spendAll()
    await desk.credit(300)
    await desk.runUntil(end)
    await failAll(new Date(end.getTime() + 2 * days))
    desk.script.flow('cloud_traffic', clock.now(), 400)
    clock.advance(hours)
    // There are means, which nothing is paid from while a bill is past due.
    await desk.credit(1000)
    expect([await planState(), await desk.mayUse()]).toEqual(['active', 'frozen'])
    // Visitors do not notice.
    expect(await desk.room()).toMatchObject({ isLimited: false })
    await pay('renewal')
    expect(await desk.mayUse()).toBe('charged')
  })
})

test('a plan that falls to Free for its usage gives back what is left of its time, and stops no cluster', async () => {
  await desk.change(1)
  clock.set(after(days))
  // Raised within the period: what the lower one was paid for counts.
  await desk.change(2)
  desk.script.flow('cloud_traffic', after(2 * days), 2000)
  clock.set(after(2 * days + hours))
  await desk.check()
  // Paid for until after the verdict.
  clock.set(after(20 * days))
  await desk.credit(1440)
  const clusterId = await desk.insertCluster()
  const instanceId = await desk.insertInstance(clusterId)
  const instances = [{ instanceId, terms: instanceTerms(1440) }]
  const order = { userid: desk.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
  await desk.transact((trx) => desk.billing.order(trx, order))
  await desk.credit((await desk.balance('cash')) + 900)
  for (const day of [0, 1, 3, 5, 19]) {
    clock.set(new Date(end.getTime() + day * days))
    await desk.runDue()
  }
  const { rows } = await database.pool.query(
    'select kind, state, total_minor as total from invoices where userid = $1 order by number',
    [desk.userid],
  )
  expect(rows.slice(2)).toMatchObject([
    { kind: 'order', state: 'paid', total: 1440 },
    { kind: 'renewal', state: 'paid', total: 900 },
    { kind: 'usage', state: 'uncollectible' },
  ])
  expect(await findPlanSubscription(database.db, desk.userid)).toBeUndefined()
  // 9 of 28 days.
  expect([await desk.balance('cash'), await desk.balance('writeoff')]).toEqual([-289, rows[4]?.total])
  expect((await desk.billing.standings(database.db, clusterId)).of(instanceId)).toBe('clear')
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
})

describe('the cap', () => {
  test('freezes what is charged once it is reached, until it is raised; what is within the quota goes on', async () => {
    await desk.change(1)
    await desk.cap(200)
    desk.script.flow('cloud_traffic', after(days), 350)
    clock.set(after(2 * days))
    expect([await desk.mayUse(), (await desk.traffic())?.amount]).toEqual(['charged', 150])
    // 49 cents at 3 cents a GB.
    expect(await desk.room()).toMatchObject({ isLimited: false, bytes: 16_333_333_000 })
    desk.script.flow('cloud_traffic', after(2 * days), 100)
    clock.set(after(3 * days))
    expect([await desk.mayUse(), (await desk.traffic())?.amount]).toEqual(['frozen', 200])
    expect(await desk.room()).toMatchObject({ isLimited: true, bytes: 0 })
    expect(await desk.mayUse('cloud_storage')).toBe('within')
    await desk.cap(1000)
    expect([await desk.mayUse(), (await desk.traffic())?.amount]).toEqual(['charged', 450])
    await desk.cap()
    const { rows } = await database.pool.query(
      "select after::jsonb ->> 'spendCap' as cap from audit_entries where owner = $1 and action = 'plan.setCap' order by seq",
      [desk.did],
    )
    expect(rows.map((row) => row.cap)).toEqual(['2.00', '10.00', null])
  })

  test('cannot be set below what the period costs already', async () => {
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(2 * days))
    await expect(desk.cap(299)).rejects.toSatisfy((error) => error instanceof Refusal && error.key === 'capBelowUsage')
    expect(await desk.cap(300)).toEqual({ amount: 300 })
  })

  test('that is set after its period is for the next one', async () => {
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 400)
    desk.script.beSilentUntil(new Date(end.getTime() + 2 * hours))
    await desk.runUntil(new Date(end.getTime() + hours))
    await desk.cap(10)
    await desk.runUntil(new Date(end.getTime() + 3 * hours))
    expect(await desk.bills()).toMatchObject([{ total: 300 }])
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
          desk = await openUsageDesk(database, clock)
          await desk.change(1)
          await desk.cap(most)
          for (const { product, at, gb, late } of flows) {
            desk.script.flow(product, after(at * hours), gb, after((at + late) * hours))
          }
          if (raisedAt !== null) {
            await desk.runUntil(after(raisedAt * hours))
            await desk.change(2)
          }
          await desk.runUntil(addMonths(start, 3, 'UTC'))
          const { rows } = await database.pool.query<{ total: number; at: Date; period: number }>(
            `select i.id, i.total_minor as total from invoices i where i.userid = $1 and i.kind = 'usage'`,
            [desk.userid],
          )
          for (const { total } of rows) expect(total).toBeLessThanOrEqual(most)
          const periods = await database.pool.query<{ charged: number }>(
            `select sum(amount_minor)::bigint as charged from invoice_items
              where userid = $1 and revenue = 'usage' group by period_start`,
            [desk.userid],
          )
          for (const { charged } of periods.rows) expect(charged).toBeLessThanOrEqual(most)
          expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
          expect((await findPlanSubscription(database.db, desk.userid))?.state).toBe('active')
        },
      ),
      { numRuns: 10 },
    )
  })
})
