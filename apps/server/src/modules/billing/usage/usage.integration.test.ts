import { addMonths } from '@atoll/money'
import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { insertRedemption } from '../coupons/coupon-store.ts'
import { findPlanSubscription } from '../documents/subscription-store.ts'
import { verifyDocuments } from '../index.ts'
import { requestPlan } from '../plans/change-plan.ts'
import { type Desk, instanceTerms, openDesk } from '../testing/billing-desk.ts'
import { scriptedMeters } from '../testing/scripted-meters.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { readBackupSizes, readTrafficSizes } from './quota-sizes.ts'
import { setCap } from './set-cap.ts'
import { calculateProduct, listUsage } from './show-usage.ts'

const start = new Date('2027-01-01T00:00:00Z')
const end = addMonths(start, 1, 'UTC')
const [hours, days] = [3_600_000, 86_400_000]
let scratch: TestDatabase
let database: Database
let desk: Desk
const clock = createTestClock(start)
const script = scriptedMeters(clock)

beforeAll(async () => {
  scratch = await createTestDatabase()
  database = createDatabase({ connectionString: scratch.url })
})
afterAll(async () => {
  await database.close()
  await scratch.drop()
})
beforeEach(open)

async function open(): Promise<void> {
  clock.set(start)
  script.forget()
  desk = await openDesk(database, { clock, catalog: catalogOf(testPlans), meters: script.meters })
  await desk.credit(1_000_000)
}

const after = (ms: number) => new Date(start.getTime() + ms)
const caller = () => ({ userid: desk.userid, sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' })
const change = (planLevel: number) => requestPlan(desk.deps, caller(), { planLevel })
const cap = (amount?: number) => setCap(desk.deps, caller(), amount === undefined ? {} : { amount })
const traffic = async () =>
  (await listUsage(desk.deps, desk.userid)).find(({ productType }) => productType === 'cloud_traffic')
const room = () => desk.billing.trafficRoom(database.db, desk.userid)
const mayUse = () => desk.billing.mayUse(database.db, desk.userid, 'cloud_traffic')
/** Moves to that time and has what is due done, as often as it falls due by then. */
async function runUntil(at: Date): Promise<void> {
  // No more often than a period may ask its meters.
  for (let runs = 0; ; runs += 1) {
    if (runs > 100) throw new Error('What is due stays due')
    const { rows } = await database.pool.query<{ due_at: Date }>(
      "select due_at from due_items where userid = $1 and kind = 'usage' and due_at <= $2 order by due_at limit 1",
      [desk.userid, at],
    )
    const [next] = rows
    if (!next) break
    if (next.due_at > clock.now()) clock.set(next.due_at)
    await desk.runDue()
  }
  clock.set(at)
}
const bills = async () =>
  (
    await database.pool.query(
      `select i.total_minor as total, product_type as product, period_start as at, amount_minor as amount
        from invoices i join invoice_items l on l.invoice_id = i.id
        where i.userid = $1 and i.kind = 'usage' order by i.number, line`,
      [desk.userid],
    )
  ).rows

describe('usage', () => {
  test('above the quota is billed when the period is over, on an invoice of its own, with its readings kept', async () => {
    await change(1)
    script.flow('cloud_traffic', after(3 * days), 250)
    script.flow('cloud_traffic', after(5 * days), 70.5)
    clock.set(after(6 * days))
    expect(await traffic()).toMatchObject({ used: 320.5, quota: 300, overage: 20.5, amount: 62, state: 'charged' })
    // What a cluster shows is its part of the same.
    const part = async (clusterId: string) =>
      (await desk.billing.clusterParts(database.db, { owner: desk.userid, clusterId })).traffic
    expect(await part('cl_a')).toEqual({ used: 320.5, quota: 300 })
    expect(await part('cl_b')).toMatchObject({ used: 0, quota: 300 })
    // And what a personal server is told, in bytes.
    expect(await readTrafficSizes(desk.deps, desk.userid)).toEqual({
      ...{ totalSize: 300e9, usedSize: 320.5e9, overageSize: 20.5e9 },
    })
    await runUntil(after(31 * days - 1))
    expect(await bills()).toEqual([])
    await runUntil(end)
    // 20.5 GB at 3 cents: 61.5, half-even.
    expect(await bills()).toEqual([{ total: 62, product: 'cloud_traffic', at: start, amount: 62 }])
    expect(await desk.balance('revenue:usage')).toBe(-62)
    const { rows } = await database.pool.query(
      "select used from usage_readings where userid = $1 and product_type = 'cloud_traffic'",
      [desk.userid],
    )
    expect(rows).toEqual([{ used: '320500000' }])
    expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
  })

  test('within the quota, or of a product that the plan stops, is not billed', async () => {
    await change(1)
    script.flow('cloud_traffic', after(days), 300)
    script.flow('cdn_traffic', after(days), 500)
    clock.set(after(2 * days))
    expect((await listUsage(desk.deps, desk.userid)).map(({ state }) => state)).toEqual([
      'within',
      'within',
      'within',
      'limited',
    ])
    await runUntil(addMonths(start, 3, 'UTC'))
    expect(await bills()).toEqual([])
  })

  test('of backups is told to a personal server in bytes, and that there may be no more above what the plan includes', async () => {
    const sizes = () => readBackupSizes(desk.deps, desk.userid)
    expect(await sizes()).toEqual({ totalSize: 5e9, usageSize: 0, canBackup: true, planLevel: 0 })
    // Two days of the 31.
    script.flow('cloud_backup', after(days), 310)
    clock.set(after(2 * days))
    expect(await sizes()).toEqual({ totalSize: 5e9, usageSize: 20e9, canBackup: false, planLevel: 0 })
    await change(1)
    expect(await sizes()).toMatchObject({ totalSize: 5e9, planLevel: 1 })
  })

  test('on Free counts from the first day of the account, stops at the quota and is never billed', async () => {
    script.flow('cloud_traffic', after(days), 51)
    clock.set(after(2 * days))
    expect(await traffic()).toMatchObject({ used: 51, quota: 50, overage: 1, amount: 0, state: 'limited' })
    expect(await mayUse()).toBe('limited')
    expect(await room()).toEqual({ isLimited: true, until: end, bytes: 0, bandwidthMbit: 20 })
    clock.set(addMonths(start, 1, 'UTC'))
    expect(await traffic()).toMatchObject({ used: 0, state: 'within' })
    expect(await room()).toMatchObject({ isLimited: false, bytes: 50_000_000_000 })
    await runUntil(addMonths(start, 2, 'UTC'))
    expect(await bills()).toEqual([])
  })

  test('that meters cannot tell yet is asked for again for six hours; later it is on the next bill', async () => {
    await change(1)
    script.flow('cloud_traffic', after(days), 400)
    script.flow('cloud_traffic', after(30 * days), 100, new Date(end.getTime() + 10 * hours))
    script.beSilentUntil(new Date(end.getTime() + 9 * hours))
    await runUntil(new Date(end.getTime() + 5.5 * hours))
    expect(await bills()).toEqual([])
    await runUntil(new Date(end.getTime() + 6 * hours))
    expect(await bills()).toMatchObject([{ total: 300 }])
    script.flow('cloud_traffic', new Date(end.getTime() + days), 310)
    await runUntil(addMonths(start, 2, 'UTC'))
    expect((await bills()).slice(1)).toEqual([
      { total: 330, product: 'cloud_traffic', at: end, amount: 30 },
      { total: 330, product: 'cloud_traffic', at: start, amount: 300 },
    ])
    await runUntil(addMonths(start, 4, 'UTC'))
    expect(await bills()).toHaveLength(3)
  })

  test('is cut where the plan was raised: above the old quota at the old rate, the rest against the new quota', async () => {
    await change(1)
    script.flow('cloud_traffic', after(days), 310)
    clock.set(after(10 * days))
    await change(2)
    script.flow('cloud_traffic', after(20 * days), 305)
    await runUntil(end)
    // 10 GB above 300 at once, and 300 + 305 - 600 above the new one.
    expect(await bills()).toMatchObject([{ total: 45 }])
  })

  test('of what is stored counts for the part of the period that it was stored', async () => {
    await change(1)
    script.flow('cloud_storage', start, 120)
    await runUntil(end)
    expect(await bills()).toMatchObject([{ product: 'cloud_storage', total: 500 }])
  })

  test('is billed until the plan ended, and not after', async () => {
    await change(1)
    script.flow('cloud_traffic', after(days), 310)
    clock.set(after(2 * days))
    await database.pool.query(
      "update subscription_items set state = 'ended', ended_at = $2 where userid = $1 and state = 'active'",
      [desk.userid, clock.now()],
    )
    await database.pool.query("update subscriptions set state = 'ended', ended_at = $2 where userid = $1", [
      desk.userid,
      clock.now(),
    ])
    script.flow('cloud_traffic', after(3 * days), 500)
    await runUntil(addMonths(start, 3, 'UTC'))
    expect(await bills()).toMatchObject([{ total: 30 }])
  })

  test('is reduced by a coupon for it, and can be reckoned before', async () => {
    await change(1)
    const coupon = { code: 'USE50', percentOff: 50, duration: 'forever' as const, appliesTo: ['usage' as const] }
    await database.pool.query("insert into coupons (code, redeemed) values ('USE50', 1) on conflict do nothing")
    await desk.transact((trx) => insertRedemption(trx, desk.userid, { coupon, redeemedAt: start, endsAt: null }))
    const asked = { productType: 'cloud_traffic' as const, quantity: '400.000001' }
    const answer = { amount: 300, quota: 300, rate: '0.03', unitLabel: 'GB', currency: 'usd' }
    expect(await calculateProduct(desk.deps, desk.userid, asked)).toEqual(answer)
    script.flow('cloud_traffic', after(days), 400)
    await runUntil(end)
    expect(await bills()).toMatchObject([{ total: 150, amount: 300 }])
  })
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
      await open()
      await change(1)
      script.flow('cloud_traffic', after(days), 400)
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
    await change(1)
    clock.set(after(2 * days))
    const clusterId = await desk.insertCluster()
    const instances = [{ instanceId: await desk.insertInstance(clusterId), terms: instanceTerms(1440) }]
    const order = { userid: desk.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
    await desk.transact((trx) => desk.billing.order(trx, order))
    await spendAll()
    await desk.credit(300)
    await runUntil(end)
    await failAll(new Date(end.getTime() + 2 * days))
    script.flow('cloud_traffic', clock.now(), 400)
    clock.advance(hours)
    expect([await planState(), await mayUse()]).toEqual(['active', 'frozen'])
    // Visitors do not notice.
    expect(await room()).toMatchObject({ isLimited: false })
    await pay('renewal')
    expect(await mayUse()).toBe('charged')
  })
})

test('a plan that falls to Free for its usage gives back what is left of its time, which was paid', async () => {
  await change(1)
  clock.set(after(days))
  // Raised within the period: what the lower one was paid for counts.
  await change(2)
  script.flow('cloud_traffic', after(2 * days), 2000)
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
    { kind: 'renewal', state: 'paid', total: 900 },
    { kind: 'usage', state: 'uncollectible' },
  ])
  expect(await findPlanSubscription(database.db, desk.userid)).toBeUndefined()
  // 9 of 28 days.
  expect([await desk.balance('cash'), await desk.balance('writeoff')]).toEqual([-289, rows[3]?.total])
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
})

describe('the cap', () => {
  test('freezes what is charged once it is reached, until it is raised; what is within the quota goes on', async () => {
    await change(1)
    await cap(200)
    script.flow('cloud_traffic', after(days), 350)
    clock.set(after(2 * days))
    expect([await mayUse(), (await traffic())?.amount]).toEqual(['charged', 150])
    // 49 cents at 3 cents a GB.
    expect(await room()).toMatchObject({ isLimited: false, bytes: 16_333_333_000 })
    script.flow('cloud_traffic', after(2 * days), 100)
    clock.set(after(3 * days))
    expect([await mayUse(), (await traffic())?.amount]).toEqual(['frozen', 200])
    expect(await room()).toMatchObject({ isLimited: true, bytes: 0 })
    expect(await desk.billing.mayUse(database.db, desk.userid, 'cloud_storage')).toBe('within')
    await cap(1000)
    expect([await mayUse(), (await traffic())?.amount]).toEqual(['charged', 450])
    await cap()
    const { rows } = await database.pool.query(
      "select after::jsonb ->> 'spendCap' as cap from audit_records where owner = $1 and action = 'plan.setCap' order by seq",
      [desk.userid],
    )
    expect(rows.map((row) => row.cap)).toEqual(['2.00', '10.00', null])
  })

  test('cannot be set below what the period costs already', async () => {
    await change(1)
    script.flow('cloud_traffic', after(days), 400)
    clock.set(after(2 * days))
    await expect(cap(299)).rejects.toSatisfy((error) => error instanceof Refusal && error.key === 'capBelowUsage')
    expect(await cap(300)).toEqual({ amount: 300 })
  })

  test('that is set after its period is for the next one', async () => {
    await change(1)
    script.flow('cloud_traffic', after(days), 400)
    script.beSilentUntil(new Date(end.getTime() + 2 * hours))
    await runUntil(new Date(end.getTime() + hours))
    await cap(10)
    await runUntil(new Date(end.getTime() + 3 * hours))
    expect(await bills()).toMatchObject([{ total: 300 }])
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
          await open()
          await change(1)
          await cap(most)
          for (const { product, at, gb, late } of flows) {
            script.flow(product, after(at * hours), gb, after((at + late) * hours))
          }
          if (raisedAt !== null) {
            await runUntil(after(raisedAt * hours))
            await change(2)
          }
          await runUntil(addMonths(start, 3, 'UTC'))
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
  }, 60_000)
})
