/** Usage above a quota is credit: what pays for it, when it is billed, and where it stops. */
import { addMonths, money } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { silentLog } from '../../../platform/log.ts'
import type { PaymentGateway } from '../../payments/index.ts'
import { creditAccount, refundPayment, verifyDocuments } from '../index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { takeMovements } from '../pay/movements/movements-job.ts'
import type { AttemptDeps } from '../records/attempt-deps.ts'
import { instanceTerms } from '../testing/billing-harness.ts'
import { openCreditHarness } from '../testing/credit-harness.ts'
import { after, days, end, hours, start } from '../testing/usage-harness.ts'
import { readBackupQuota } from './backup-quota.ts'

const clock = createTestClock(start)
const database = useDatabase()
let harness: Awaited<ReturnType<typeof openCreditHarness>>

beforeEach(async () => {
  harness = await openCreditHarness(database, clock)
})

type Harness = typeof harness

/** Orders an instance of 8.00, paid from the balance and `method`; whether that is paid at once. */
async function order({ userid, billing, transact, insertCluster, insertInstance }: Harness, method: Method | null) {
  const clusterId = await insertCluster()
  const instances = [{ instanceId: await insertInstance(clusterId), terms: instanceTerms(800) }]
  const asked = { userid, clusterId, instances, at: clock.now(), coupons: [], method }
  return (await transact((trx) => billing.order(trx, asked))).paid
}

describe('an account without a card', () => {
  test('is charged for no more than its balance and promotional credit cover, and stops there as on Free', async () => {
    await harness.credit(300)
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 100_000)
    clock.set(after(days + hours))
    expect(await harness.traffic()).toMatchObject({ used: 100_000, amount: 0, state: 'limited', stop: 'means' })
    expect(await harness.room()).toMatchObject({ isLimited: true, bytes: 0 })
    await harness.runUntil(addMonths(start, 2, 'UTC'))
    expect(await harness.bills()).toEqual([])
  })

  test('has what its balance covers billed and paid as soon as it is reached, once, and goes on with more of it', async () => {
    await harness.credit(300 + 500)
    await harness.grant(100, start)
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    expect(await harness.traffic()).toMatchObject({ amount: 300, state: 'charged' })
    // 3.00 of 6.00 are left: 99 GB and a little at 3 cents, but for the last cent.
    expect(await harness.room()).toMatchObject({ isLimited: false, bytes: 99_666_666_000 })
    await harness.check()
    expect(await harness.bills()).toEqual([])
    harness.script.flow('cloud_traffic', after(2 * days), 150)
    clock.set(after(2 * days + hours))
    await harness.check()
    expect(await harness.bills()).toMatchObject([{ total: 600, amount: 600 }])
    expect([await harness.balance('cash'), await harness.promo(clock.now())]).toEqual([0, 0])
    expect(await harness.traffic()).toMatchObject({ amount: 600, state: 'limited', stop: 'means' })
    await harness.credit(1000)
    expect(await harness.traffic()).toMatchObject({ amount: 750, state: 'charged', stop: null })
    await harness.runUntil(end)
    expect(await harness.bills()).toMatchObject([{ total: 600 }, { total: 150 }])
    expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
  })

  test('owes what was covered when it was used, though the balance went for something else since', async () => {
    await harness.credit(300 + 500)
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    await harness.check()
    await harness.credit(-500)
    harness.script.flow('cloud_traffic', after(2 * days), 400)
    await harness.runUntil(end)
    expect(await harness.bills()).toMatchObject([{ total: 300 }])
  })

  test.each([
    ['an order', async (one: Harness) => expect(await order(one, null)).toBe(true)],
    ['a higher plan', (one: Harness) => one.change(2)],
  ])('owes what its balance covered, though %s takes it before the next check', async (_, spend) => {
    await harness.credit(300 + 800)
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    expect(await harness.traffic()).toMatchObject({ amount: 300, state: 'charged' })
    await spend(harness)
    await harness.check()
    expect(await harness.bills()).toMatchObject([{ total: 300 }])
  })

  test('owes what promotional credit covered until it expired, though that is between two checks, and nothing since', async () => {
    await harness.credit(300)
    await harness.grant(800, start, after(2 * days))
    await harness.change(1)
    harness.script.flow('cloud_traffic', after(days), 400)
    harness.script.flow('cloud_traffic', after(2 * days), 100)
    clock.set(after(2 * days + hours / 2))
    await harness.runDue()
    expect(await harness.promo(clock.now())).toBe(0)
    await harness.runUntil(end)
    expect(await harness.bills()).toMatchObject([{ total: 300 }])
  })

  test.each([
    ['goes on', async () => undefined],
    ['has ended with it', (one: Harness) => one.change(0)],
  ])(
    'owes what its balance covered of a period that is over, though an order takes it before its bill: a plan that %s',
    async (_, prepare) => {
      await harness.credit(300 + 300 + 800)
      await harness.change(1)
      await prepare(harness)
      harness.script.beSilentUntil(new Date(end.getTime() + 2 * hours))
      harness.script.flow('cloud_traffic', after(days), 400)
      clock.set(new Date(end.getTime() + 60_000))
      await harness.runDue()
      // One that ended was not renewed.
      const isRenewed = (await harness.balance('cash')) === -800
      if (!isRenewed) await harness.credit(-300)
      await order(harness, null)
      await harness.runUntil(new Date(end.getTime() + 3 * hours))
      expect(await harness.bills()).toMatchObject([{ total: 300 }])
    },
  )

  test('has its backups kept to what the plan includes, and what it stores is not charged for', async () => {
    await harness.credit(300)
    await harness.change(1)
    harness.script.flow('cloud_storage', start, 500)
    clock.set(after(10 * days))
    expect(await harness.mayUse('cloud_storage')).toBe('limited')
    expect(await readBackupQuota(harness.deps, database.db, harness.userid)).toBe(5e9)
    await harness.runUntil(end)
    expect(await harness.bills()).toEqual([])
  })
})

describe('an account with a card', () => {
  beforeEach(async () => {
    await harness.addCard()
    await harness.change(1)
    await harness.answer('pay')
  })

  test('is billed for all products as soon as they come to one threshold, and goes on when that is paid', async () => {
    harness.script.flow('cloud_traffic', after(days), 900)
    harness.script.flow('cloud_storage', start, 60)
    clock.set(after(20 * days))
    // 18.00 and 20 days of 40 GB-months at 5 cents.
    expect(await harness.traffic()).toMatchObject({ amount: 1800, state: 'charged' })
    harness.script.flow('cloud_traffic', after(20 * days), 70)
    clock.set(after(20 * days + hours))
    await harness.check()
    const bills = await harness.bills()
    expect(bills.map(({ product }) => product)).toEqual(['cloud_storage', 'cloud_traffic'])
    expect(bills[0]?.total).toBeGreaterThanOrEqual(2000)
    // Not while that is being charged.
    expect(await harness.traffic()).toMatchObject({ state: 'frozen', stop: 'credit' })
    await harness.check()
    expect(await harness.bills()).toHaveLength(2)
    await harness.answer('pay')
    expect(await harness.traffic()).toMatchObject({ state: 'charged', stop: null })
    await harness.runUntil(end)
    const all = await harness.bills()
    // In parts what it would have been at once: 670 GB, and of 60 GB-months 40.
    const sum = (of: string) =>
      all.filter(({ product }) => product === of).reduce((total, { amount }) => total + amount, 0)
    expect([sum('cloud_traffic'), sum('cloud_storage')]).toEqual([2010, 200])
    expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
    await harness.expectProvable()
  })

  test('is billed at most hourly, and stops until that is possible and paid', async () => {
    harness.script.flow('cloud_traffic', after(days), 1000)
    clock.set(after(days + hours))
    await harness.check()
    await harness.answer('pay')
    clock.advance(hours / 2)
    harness.script.flow('cloud_traffic', clock.now(), 700)
    clock.advance(1000)
    await harness.check()
    expect(await harness.bills()).toHaveLength(1)
    expect(await harness.traffic()).toMatchObject({ state: 'frozen', stop: 'credit' })
    clock.advance(hours / 2)
    await harness.runDue()
    expect(await harness.bills()).toMatchObject([{ total: 2100 }, { total: 2100 }])
    expect(await harness.traffic()).toMatchObject({ stop: 'credit' })
    await harness.answer('pay')
    expect(await harness.traffic()).toMatchObject({ state: 'charged' })
  })

  test('stops at the first try that is declined until the bill is paid, and is charged for nothing meanwhile', async () => {
    harness.script.flow('cloud_traffic', after(days), 1000)
    clock.set(after(days + hours))
    await harness.check()
    await harness.answer('decline')
    expect(await harness.traffic()).toMatchObject({ state: 'frozen', stop: 'bill' })
    expect(await harness.room()).toMatchObject({ isLimited: true })
    harness.script.flow('cloud_traffic', after(2 * days), 5000)
    clock.set(after(2 * days))
    await harness.check()
    expect(await harness.bills()).toHaveLength(1)
    await harness.credit(2100)
    await harness.payAll()
    expect((await harness.traffic())?.stop).not.toBe('bill')
  })

  test('whose newest charge was declined has no threshold; what is written off stops it, too', async () => {
    await harness.credit(500)
    await harness.declineSomething()
    harness.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    expect(await harness.traffic()).toMatchObject({ amount: 300, state: 'charged' })
    harness.script.flow('cloud_traffic', after(2 * days), 4000)
    clock.set(after(2 * days + hours))
    await harness.check()
    expect(await harness.bills()).toMatchObject([{ total: 500 }])
    expect(await harness.traffic()).toMatchObject({ amount: 500, state: 'limited', stop: 'means' })
  })
})

test('a card that never paid is asked for one threshold first, however much was used', async () => {
  await harness.credit(300)
  await harness.change(1)
  await harness.addCard()
  harness.script.flow('cloud_traffic', after(days), 100_000)
  clock.set(after(days + hours))
  await harness.check()
  expect(await harness.bills()).toMatchObject([{ total: 2000 }])
  await harness.answer('decline')
  await harness.runUntil(addMonths(start, 2, 'UTC'))
  expect(await harness.bills()).toHaveLength(1)
})

test('before the last card goes, what is not billed yet is, and charged to it', async () => {
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  harness.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  await harness.transact((trx) => harness.billing.beforeLastCard(trx, harness.userid))
  expect(await harness.bills()).toMatchObject([{ total: 1200 }])
  const { rows } = await database.pool.query(
    "select method_id, card_minor from payments where userid = $1 and state = 'created'",
    [harness.userid],
  )
  expect(rows).toEqual([{ method_id: harness.card()?.id, card_minor: 1200 }])
  // Nothing more is to be billed.
  await harness.answer('pay')
  await harness.transact((trx) => harness.billing.beforeLastCard(trx, harness.userid))
  expect(await harness.bills()).toHaveLength(1)
})

test('what a card covered is owed, though another that was declined is chosen before the next check', async () => {
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  harness.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  await harness.transact((trx) => harness.billing.keepUsageCovered(trx, harness.userid))
  await harness.addCard()
  await harness.declineSomething()
  expect(await harness.traffic()).toMatchObject({ amount: 1200, state: 'limited', stop: 'means' })
  await harness.runUntil(end)
  expect(await harness.bills()).toMatchObject([{ total: 1200 }])
})

test('what a card covered is owed, though it declines an order before the next check', async () => {
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  harness.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  await order(harness, harness.card())
  await harness.answer('decline')
  expect(await harness.traffic()).toMatchObject({ amount: 1200, state: 'limited', stop: 'means' })
  await harness.runUntil(end)
  expect(await harness.bills()).toMatchObject([{ total: 1200 }])
})

test('what a balance covered is owed, though a dispute lowers it before the next check', async () => {
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  await harness.addCard()
  await harness.declineSomething()
  await harness.credit(1300)
  harness.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  expect(await harness.traffic()).toMatchObject({ amount: 1200, state: 'charged' })
  const disputed = 'pi_disputed'
  await database.pool.query(
    "update payments set gateway_ref = $2 where userid = $1 and state = 'succeeded' and card_minor = 300",
    [harness.userid, disputed],
  )
  const amount = money(300, 'usd')
  const dispute = { ref: 'dp_1', amount, withdrawn: amount, state: 'open', reason: 'fraudulent', dueBy: end } as const
  const readMovements = async () => ({ kind: 'movements', refunds: [], disputes: [dispute] }) as const
  const gateway = { name: 'sandbox', readMovements } as unknown as PaymentGateway
  await takeMovements({ ...harness.deps, gateway } as AttemptDeps, disputed, silentLog)
  expect(await harness.traffic()).toMatchObject({ amount: 1200 })
})

test.each([
  ['back to the card', (one: Harness, paid: string) => refundPayment(one.deps, paid, '3')],
  ['off the balance', (one: Harness) => creditAccount(one.deps, { who: one.userid, amount: '-3', kind: 'cash' })],
])('what a balance covered is owed, though the operator takes it %s before the next check', async (_, take) => {
  await harness.addCard()
  await harness.change(1)
  await harness.answer('pay')
  const paid = await database.pool.query<{ id: string }>(
    "select id from payments where userid = $1 and state = 'succeeded' and card_minor = 300",
    [harness.userid],
  )
  await harness.declineSomething()
  await harness.credit(300)
  harness.script.flow('cloud_traffic', after(days), 400)
  clock.set(after(days + hours))
  expect(await harness.traffic()).toMatchObject({ amount: 300 })
  await take(harness, paid.rows[0]?.id ?? '')
  expect(await harness.balance('cash')).toBe(0)
  await harness.runUntil(end)
  expect(await harness.bills()).toMatchObject([{ total: 300 }])
})

test('an account that never set a cap has that of its plan, until it sets one or none', async () => {
  harness = await openCreditHarness(database, clock, { spendCap: { usd: 400 } })
  await harness.credit(100_000)
  await harness.change(1)
  harness.script.flow('cloud_traffic', after(days), 1000)
  clock.set(after(days + hours))
  expect(await harness.traffic()).toMatchObject({ amount: 400, state: 'frozen', stop: 'cap' })
  expect((await harness.billing.getCustomerInfo(harness.userid)).spendCap).toEqual({ amount: 400 })
  await harness.cap(500)
  expect((await harness.traffic())?.amount).toBe(500)
  await harness.cap()
  expect(await harness.traffic()).toMatchObject({ amount: 2100, state: 'charged' })
  expect((await harness.billing.getCustomerInfo(harness.userid)).spendCap).toBeUndefined()
})

test('whatever is used, however cards answer, what is not billed or not paid stays within one threshold of the means, and bills are an hour apart', async () => {
  const step = fc.record({
    hours: fc.integer({ min: 1, max: 60 }),
    gb: fc.integer({ min: 0, max: 300 }),
    stored: fc.integer({ min: 0, max: 60 }),
    credit: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1500 })),
    cards: fc.constantFrom('pay', 'pay', 'decline', 'wait'),
  })
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 4, maxLength: 8 }), async (hasCard, steps) => {
      harness = await openCreditHarness(database, clock)
      if (hasCard) await harness.addCard()
      await harness.credit(300)
      await harness.change(1)
      await harness.answer('pay')
      for (const { hours: more, gb, stored, credit, cards } of steps) {
        // Only what is let through is used.
        const room = await harness.room()
        const letThrough = room.isLimited ? 0 : Math.min(gb, (room.bytes ?? gb * 1e9) / 1e9)
        harness.script.flow('cloud_traffic', clock.now(), Math.floor(letThrough))
        harness.script.flow('cloud_storage', clock.now(), stored)
        await harness.runUntil(new Date(clock.now().getTime() + more * hours))
        await harness.check()
        if (credit > 0) await harness.credit(credit)
        const { unbilled, unpaid, threshold } = await harness.owed()
        // The means of then: what is not paid may have been covered by what was spent on it since.
        expect(unbilled + unpaid).toBeLessThanOrEqual((await harness.means()) + threshold)
        if (cards !== 'wait') await harness.answer(cards)
      }
      const { rows } = await database.pool.query<{ at: Date }>(
        "select issued_at as at from invoices where userid = $1 and kind = 'usage' order by issued_at",
        [harness.userid],
      )
      const times = rows.map(({ at }) => at.getTime())
      for (const [place, time] of times.slice(1).entries()) expect(time - (times[place] ?? 0)).toBeGreaterThan(0)
      expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
      await harness.expectProvable()
    }),
    { numRuns: 3, seed: 5 },
  )
})
