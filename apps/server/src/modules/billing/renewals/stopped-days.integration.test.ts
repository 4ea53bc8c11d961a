/** Days for which we had stopped machines for want of payment are not charged: at destroy, and when it is paid late. */
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { giveTimeBack } from '../operator/give-time-back.ts'
import { estimateRefund } from '../pay/bills/refund.ts'
import { listItems } from '../records/documents/subscription-store.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { expectProvable } from '../testing/histories/expect-fair.ts'

const start = new Date('2027-01-31T12:00:00Z')
/** The second month, of 31 days. */
const second = new Date('2027-02-28T12:00:00Z')
const dayMs = 86_400_000
const clock = createTestClock(start)
const database = useDatabase()
let harness: Harness

beforeEach(async () => {
  clock.set(start)
  harness = await openHarness(database, { clock })
})

const on = (day: number) => new Date(second.getTime() + day * dayMs)
const run = async (...days: number[]) => {
  for (const day of days) {
    clock.set(on(day))
    await harness.runDue()
  }
}
/** Instances whose first month is paid from the balance, which then holds nothing. */
async function sell(prices: number[]): Promise<string[]> {
  await harness.credit(prices.reduce((sum, price) => sum + price, 0))
  const clusterId = await harness.insertCluster()
  const instances: { instanceId: string; terms: ReturnType<typeof instanceTerms> }[] = []
  for (const price of prices)
    instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
  const order = { userid: harness.userid, clusterId, instances, at: start, coupons: [], method: null }
  await harness.transact((trx) => harness.billing.order(trx, order))
  return instances.map(({ instanceId }) => instanceId)
}
const renewal = async () =>
  (
    await database.pool.query<{ id: string; state: string }>(
      "select id, state from invoices where userid = $1 and kind = 'renewal' order by number limit 1",
      [harness.userid],
    )
  ).rows[0]
async function pay(minor: number): Promise<void> {
  if (minor > 0) await harness.credit(minor)
  const invoiceId = (await renewal())?.id ?? ''
  const attempt = { userid: harness.userid, invoiceId, at: clock.now(), method: null }
  expect(await harness.transact((trx) => harness.billing.pay(trx, attempt))).toMatchObject({ paid: true })
}
const destroy = (ids: string[]) => {
  const instances = ids.map((instanceId) => ({ instanceId, hasRun: true }))
  return harness.transact((trx) => harness.billing.refund(trx, { userid: harness.userid, instances, at: clock.now() }))
}
/** The amounts of each credit note: to the balance, as promotional credit, off the amount owed. */
const notes = async () =>
  (
    await database.pool.query<{ cash: number; promo: number; owed: number }>(
      `select cash_minor as cash, promo_minor as promo, receivable_minor as owed from credit_notes
        where userid = $1 order by issued_at`,
      [harness.userid],
    )
  ).rows

test('a renewal that is given up leaves the five days owed in which the machine ran', async () => {
  await sell([720])
  await run(0, 1, 3, 5, 19)
  // 26 of 31 days of 7.20 come off; 14 of them it was stopped.
  expect(await notes()).toEqual([{ cash: 0, promo: 0, owed: 604 }])
  expect([await harness.balance('writeoff'), (await renewal())?.state]).toEqual([116, 'uncollectible'])
  await expectProvable(database, harness.userid)
})

test('time in which a cluster could not be used through our fault is given back to the second, once', async () => {
  await sell([720])
  const { rows } = await database.pool.query<{ id: string }>(
    'select cluster_id as id from subscriptions where userid = $1 and cluster_id is not null',
    [harness.userid],
  )
  const lost = { userid: harness.userid, clusterId: rows[0]?.id ?? '', from: new Date(start.getTime() + 9 * dayMs) }
  clock.set(new Date(start.getTime() + 10 * dayMs))
  const give = () => harness.transact((trx) => giveTimeBack(harness.deps, trx, lost))
  await give()
  await give()
  // 1 of 28 days.
  expect(await notes()).toEqual([{ cash: 26, promo: 0, owed: 0 }])
  await expectProvable(database, harness.userid)
})

test('a renewal that is paid late gives back the days stopped, once, and at destroy what is left of the rest', async () => {
  const instances = await sell([720])
  await run(0, 1, 3, 5)
  clock.set(on(12))
  await pay(720)
  // 7 of 31 days.
  expect(await notes()).toEqual([{ cash: 163, promo: 0, owed: 0 }])
  expect(await harness.balance('cash')).toBe(-163)
  await expectProvable(database, harness.userid)
  clock.set(on(20))
  const order = { userid: harness.userid, instances: instances.map((instanceId) => ({ instanceId, hasRun: true })) }
  const shown = await estimateRefund(database.db, { ...order, at: clock.now() }, 'usd')
  const given = await destroy(instances)
  expect([shown.toBalance.minor, given.toBalance.minor]).toEqual([255, 255])
  const { rows } = await database.pool.query('select cause from credit_notes where userid = $1 order by issued_at', [
    harness.userid,
  ])
  expect(rows.map(({ cause }) => cause)).toEqual(['stopped', 'ended'])
  // 13 of 31 days are kept.
  expect(await harness.balance('cash')).toBe(-(720 - 302))
  await expectProvable(database, harness.userid)
})

test('a machine that is destroyed while it is stopped owes what it ran; the one beside it is given its days back', async () => {
  const [first = '', other = ''] = await sell([720, 1440])
  await run(0, 1, 3, 5)
  clock.set(on(10))
  expect((await destroy([first])).offOwed.minor).toBe(604)
  clock.set(on(15))
  await pay(2160 - 604)
  // 10 of 31 days of 14.40.
  expect(await notes()).toEqual([
    { cash: 0, promo: 0, owed: 604 },
    { cash: 465, promo: 0, owed: 0 },
  ])
  clock.set(on(31))
  expect((await listItems(database.db, { instanceIds: [other] }))[0]?.state).toBe('active')
  await expectProvable(database, harness.userid)
})

test('the days of what promotional credit paid go back to its grant as far as it is not used', async () => {
  await sell([720])
  await run(0, 1, 3, 5)
  clock.set(on(12))
  await harness.grant(700, on(11))
  await pay(20)
  // Of 7.20 the use is 5.57, all of it promotional: 0.20 of the balance and 1.43 of the grant come back.
  expect(await notes()).toEqual([{ cash: 20, promo: 143, owed: 0 }])
  expect(await harness.promo(clock.now())).toBe(143)
  await expectProvable(database, harness.userid)
})

test('a machine costs the time that it ran, whenever it is paid late and destroyed', async () => {
  await fc.assert(
    fc.asyncProperty(
      // Less stands on the next bill.
      fc.integer({ min: 100, max: 9999 }),
      fc.double({ min: 5, max: 18.9, noNaN: true }),
      fc.double({ min: 0, max: 12, noNaN: true }),
      fc.integer({ min: 0, max: 9999 }),
      async (price, paid, later, promo) => {
        clock.set(start)
        harness = await openHarness(database, { clock })
        const instances = await sell([price])
        await run(0, 1, 3, 5)
        clock.set(on(paid))
        if (promo > 0) await harness.grant(promo, on(paid))
        await pay(Math.max(price - promo, 0))
        const ended = on(Math.min(paid + later, 31))
        clock.set(ended)
        await destroy(instances)
        const back = (await notes()).reduce((sum, { cash, promo: granted }) => sum + cash + granted, 0)
        const ran = (ended.getTime() - on(paid).getTime()) / dayMs + 5
        expect(Math.abs(price - back - (price * ran) / 31)).toBeLessThanOrEqual(1)
        await expectProvable(database, harness.userid)
      },
    ),
    { numRuns: 8, seed: 1 },
  )
})
