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
import { instanceTerms } from '../testing/billing-desk.ts'
import { openCreditDesk } from '../testing/credit-desk.ts'
import { after, days, end, hours, start } from '../testing/usage-desk.ts'
import { readBackupQuota } from './backup-quota.ts'

const clock = createTestClock(start)
const database = useDatabase()
let desk: Awaited<ReturnType<typeof openCreditDesk>>

beforeEach(async () => {
  desk = await openCreditDesk(database, clock)
})

type Desk = typeof desk

/** Orders an instance of 8.00, paid from the balance and `method`; whether that is paid at once. */
async function order({ userid, billing, transact, insertCluster, insertInstance }: Desk, method: Method | null) {
  const clusterId = await insertCluster()
  const instances = [{ instanceId: await insertInstance(clusterId), terms: instanceTerms(800) }]
  const asked = { userid, clusterId, instances, at: clock.now(), coupons: [], method }
  return (await transact((trx) => billing.order(trx, asked))).paid
}

describe('an account without a card', () => {
  test('is charged for no more than its balance and promotional credit cover, and stops there as on Free', async () => {
    await desk.credit(300)
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 100_000)
    clock.set(after(days + hours))
    expect(await desk.traffic()).toMatchObject({ used: 100_000, amount: 0, state: 'limited', stop: 'means' })
    expect(await desk.room()).toMatchObject({ isLimited: true, bytes: 0 })
    await desk.runUntil(addMonths(start, 2, 'UTC'))
    expect(await desk.bills()).toEqual([])
  })

  test('has what its balance covers billed and paid as soon as it is reached, once, and goes on with more of it', async () => {
    await desk.credit(300 + 500)
    await desk.grant(100, start)
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    expect(await desk.traffic()).toMatchObject({ amount: 300, state: 'charged' })
    // 3.00 of 6.00 are left: 99 GB and a little at 3 cents, but for the last cent.
    expect(await desk.room()).toMatchObject({ isLimited: false, bytes: 99_666_666_000 })
    await desk.check()
    expect(await desk.bills()).toEqual([])
    desk.script.flow('cloud_traffic', after(2 * days), 150)
    clock.set(after(2 * days + hours))
    await desk.check()
    expect(await desk.bills()).toMatchObject([{ total: 600, amount: 600 }])
    expect([await desk.balance('cash'), await desk.promo(clock.now())]).toEqual([0, 0])
    expect(await desk.traffic()).toMatchObject({ amount: 600, state: 'limited', stop: 'means' })
    await desk.credit(1000)
    expect(await desk.traffic()).toMatchObject({ amount: 750, state: 'charged', stop: null })
    await desk.runUntil(end)
    expect(await desk.bills()).toMatchObject([{ total: 600 }, { total: 150 }])
    expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
  })

  test('owes what was covered when it was used, though the balance went for something else since', async () => {
    await desk.credit(300 + 500)
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    await desk.check()
    await desk.credit(-500)
    desk.script.flow('cloud_traffic', after(2 * days), 400)
    await desk.runUntil(end)
    expect(await desk.bills()).toMatchObject([{ total: 300 }])
  })

  test.each([
    ['an order', async (one: Desk) => expect(await order(one, null)).toBe(true)],
    ['a higher plan', (one: Desk) => one.change(2)],
  ])('owes what its balance covered, though %s takes it before the next check', async (_, spend) => {
    await desk.credit(300 + 800)
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    expect(await desk.traffic()).toMatchObject({ amount: 300, state: 'charged' })
    await spend(desk)
    await desk.check()
    expect(await desk.bills()).toMatchObject([{ total: 300 }])
  })

  test('owes what promotional credit covered until it expired, though that is between two checks, and nothing since', async () => {
    await desk.credit(300)
    await desk.grant(800, start, after(2 * days))
    await desk.change(1)
    desk.script.flow('cloud_traffic', after(days), 400)
    desk.script.flow('cloud_traffic', after(2 * days), 100)
    clock.set(after(2 * days + hours / 2))
    await desk.runDue()
    expect(await desk.promo(clock.now())).toBe(0)
    await desk.runUntil(end)
    expect(await desk.bills()).toMatchObject([{ total: 300 }])
  })

  test.each([
    ['goes on', async () => undefined],
    ['has ended with it', (one: Desk) => one.change(0)],
  ])(
    'owes what its balance covered of a period that is over, though an order takes it before its bill: a plan that %s',
    async (_, prepare) => {
      await desk.credit(300 + 300 + 800)
      await desk.change(1)
      await prepare(desk)
      desk.script.beSilentUntil(new Date(end.getTime() + 2 * hours))
      desk.script.flow('cloud_traffic', after(days), 400)
      clock.set(new Date(end.getTime() + 60_000))
      await desk.runDue()
      // One that ended was not renewed.
      const isRenewed = (await desk.balance('cash')) === -800
      if (!isRenewed) await desk.credit(-300)
      await order(desk, null)
      await desk.runUntil(new Date(end.getTime() + 3 * hours))
      expect(await desk.bills()).toMatchObject([{ total: 300 }])
    },
  )

  test('has its backups kept to what the plan includes, and what it stores is not charged for', async () => {
    await desk.credit(300)
    await desk.change(1)
    desk.script.flow('cloud_storage', start, 500)
    clock.set(after(10 * days))
    expect(await desk.mayUse('cloud_storage')).toBe('limited')
    expect(await readBackupQuota(desk.deps, database.db, desk.userid)).toBe(5e9)
    await desk.runUntil(end)
    expect(await desk.bills()).toEqual([])
  })
})

describe('an account with a card', () => {
  beforeEach(async () => {
    await desk.addCard()
    await desk.change(1)
    await desk.answer('pay')
  })

  test('is billed for all products as soon as they come to one threshold, and goes on when that is paid', async () => {
    desk.script.flow('cloud_traffic', after(days), 900)
    desk.script.flow('cloud_storage', start, 60)
    clock.set(after(20 * days))
    // 18.00 and 20 days of 40 GB-months at 5 cents.
    expect(await desk.traffic()).toMatchObject({ amount: 1800, state: 'charged' })
    desk.script.flow('cloud_traffic', after(20 * days), 70)
    clock.set(after(20 * days + hours))
    await desk.check()
    const bills = await desk.bills()
    expect(bills.map(({ product }) => product)).toEqual(['cloud_storage', 'cloud_traffic'])
    expect(bills[0]?.total).toBeGreaterThanOrEqual(2000)
    // Not while that is being charged.
    expect(await desk.traffic()).toMatchObject({ state: 'frozen', stop: 'credit' })
    await desk.check()
    expect(await desk.bills()).toHaveLength(2)
    await desk.answer('pay')
    expect(await desk.traffic()).toMatchObject({ state: 'charged', stop: null })
    await desk.runUntil(end)
    const all = await desk.bills()
    // In parts what it would have been at once: 670 GB, and of 60 GB-months 40.
    const sum = (of: string) =>
      all.filter(({ product }) => product === of).reduce((total, { amount }) => total + amount, 0)
    expect([sum('cloud_traffic'), sum('cloud_storage')]).toEqual([2010, 200])
    expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
    await desk.expectProvable()
  })

  test('is billed at most hourly, and stops until that is possible and paid', async () => {
    desk.script.flow('cloud_traffic', after(days), 1000)
    clock.set(after(days + hours))
    await desk.check()
    await desk.answer('pay')
    clock.advance(hours / 2)
    desk.script.flow('cloud_traffic', clock.now(), 700)
    clock.advance(1000)
    await desk.check()
    expect(await desk.bills()).toHaveLength(1)
    expect(await desk.traffic()).toMatchObject({ state: 'frozen', stop: 'credit' })
    clock.advance(hours / 2)
    await desk.runDue()
    expect(await desk.bills()).toMatchObject([{ total: 2100 }, { total: 2100 }])
    expect(await desk.traffic()).toMatchObject({ stop: 'credit' })
    await desk.answer('pay')
    expect(await desk.traffic()).toMatchObject({ state: 'charged' })
  })

  test('stops at the first try that is declined until the bill is paid, and is charged for nothing meanwhile', async () => {
    desk.script.flow('cloud_traffic', after(days), 1000)
    clock.set(after(days + hours))
    await desk.check()
    await desk.answer('decline')
    expect(await desk.traffic()).toMatchObject({ state: 'frozen', stop: 'bill' })
    expect(await desk.room()).toMatchObject({ isLimited: true })
    desk.script.flow('cloud_traffic', after(2 * days), 5000)
    clock.set(after(2 * days))
    await desk.check()
    expect(await desk.bills()).toHaveLength(1)
    await desk.credit(2100)
    await desk.payAll()
    expect((await desk.traffic())?.stop).not.toBe('bill')
  })

  test('whose newest charge was declined has no threshold; what is written off stops it, too', async () => {
    await desk.credit(500)
    await desk.declineSomething()
    desk.script.flow('cloud_traffic', after(days), 400)
    clock.set(after(days + hours))
    expect(await desk.traffic()).toMatchObject({ amount: 300, state: 'charged' })
    desk.script.flow('cloud_traffic', after(2 * days), 4000)
    clock.set(after(2 * days + hours))
    await desk.check()
    expect(await desk.bills()).toMatchObject([{ total: 500 }])
    expect(await desk.traffic()).toMatchObject({ amount: 500, state: 'limited', stop: 'means' })
  })
})

test('a card that never paid is asked for one threshold first, however much was used', async () => {
  await desk.credit(300)
  await desk.change(1)
  await desk.addCard()
  desk.script.flow('cloud_traffic', after(days), 100_000)
  clock.set(after(days + hours))
  await desk.check()
  expect(await desk.bills()).toMatchObject([{ total: 2000 }])
  await desk.answer('decline')
  await desk.runUntil(addMonths(start, 2, 'UTC'))
  expect(await desk.bills()).toHaveLength(1)
})

test('before the last card goes, what is not billed yet is, and charged to it', async () => {
  await desk.addCard()
  await desk.change(1)
  await desk.answer('pay')
  desk.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  await desk.transact((trx) => desk.billing.beforeLastCard(trx, desk.userid))
  expect(await desk.bills()).toMatchObject([{ total: 1200 }])
  const { rows } = await database.pool.query(
    "select method_id, card_minor from payments where userid = $1 and state = 'created'",
    [desk.userid],
  )
  expect(rows).toEqual([{ method_id: desk.card()?.id, card_minor: 1200 }])
  // Nothing more is to be billed.
  await desk.answer('pay')
  await desk.transact((trx) => desk.billing.beforeLastCard(trx, desk.userid))
  expect(await desk.bills()).toHaveLength(1)
})

test('what a card covered is owed, though another that was declined is chosen before the next check', async () => {
  await desk.addCard()
  await desk.change(1)
  await desk.answer('pay')
  desk.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  await desk.transact((trx) => desk.billing.keepUsageCovered(trx, desk.userid))
  await desk.addCard()
  await desk.declineSomething()
  expect(await desk.traffic()).toMatchObject({ amount: 1200, state: 'limited', stop: 'means' })
  await desk.runUntil(end)
  expect(await desk.bills()).toMatchObject([{ total: 1200 }])
})

test('what a card covered is owed, though it declines an order before the next check', async () => {
  await desk.addCard()
  await desk.change(1)
  await desk.answer('pay')
  desk.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  await order(desk, desk.card())
  await desk.answer('decline')
  expect(await desk.traffic()).toMatchObject({ amount: 1200, state: 'limited', stop: 'means' })
  await desk.runUntil(end)
  expect(await desk.bills()).toMatchObject([{ total: 1200 }])
})

test('what a balance covered is owed, though a dispute lowers it before the next check', async () => {
  await desk.addCard()
  await desk.change(1)
  await desk.answer('pay')
  await desk.addCard()
  await desk.declineSomething()
  await desk.credit(1300)
  desk.script.flow('cloud_traffic', after(days), 700)
  clock.set(after(days + hours))
  expect(await desk.traffic()).toMatchObject({ amount: 1200, state: 'charged' })
  const disputed = 'pi_disputed'
  await database.pool.query(
    "update payments set gateway_ref = $2 where userid = $1 and state = 'succeeded' and card_minor = 300",
    [desk.userid, disputed],
  )
  const amount = money(300, 'usd')
  const dispute = { ref: 'dp_1', amount, withdrawn: amount, state: 'open', reason: 'fraudulent', dueBy: end } as const
  const readMovements = async () => ({ kind: 'movements', refunds: [], disputes: [dispute] }) as const
  const gateway = { name: 'sandbox', readMovements } as unknown as PaymentGateway
  await takeMovements({ ...desk.deps, gateway } as AttemptDeps, disputed, silentLog)
  expect(await desk.traffic()).toMatchObject({ amount: 1200 })
})

test.each([
  ['back to the card', (one: Desk, paid: string) => refundPayment(one.deps, paid, '3')],
  ['off the balance', (one: Desk) => creditAccount(one.deps, { who: one.userid, amount: '-3', kind: 'cash' })],
])('what a balance covered is owed, though the operator takes it %s before the next check', async (_, take) => {
  await desk.addCard()
  await desk.change(1)
  await desk.answer('pay')
  const paid = await database.pool.query<{ id: string }>(
    "select id from payments where userid = $1 and state = 'succeeded' and card_minor = 300",
    [desk.userid],
  )
  await desk.declineSomething()
  await desk.credit(300)
  desk.script.flow('cloud_traffic', after(days), 400)
  clock.set(after(days + hours))
  expect(await desk.traffic()).toMatchObject({ amount: 300 })
  await take(desk, paid.rows[0]?.id ?? '')
  expect(await desk.balance('cash')).toBe(0)
  await desk.runUntil(end)
  expect(await desk.bills()).toMatchObject([{ total: 300 }])
})

test('an account that never set a cap has that of its plan, until it sets one or none', async () => {
  desk = await openCreditDesk(database, clock, { spendCap: { usd: 400 } })
  await desk.credit(100_000)
  await desk.change(1)
  desk.script.flow('cloud_traffic', after(days), 1000)
  clock.set(after(days + hours))
  expect(await desk.traffic()).toMatchObject({ amount: 400, state: 'frozen', stop: 'cap' })
  expect((await desk.billing.getCustomerInfo(desk.userid)).spendCap).toEqual({ amount: 400 })
  await desk.cap(500)
  expect((await desk.traffic())?.amount).toBe(500)
  await desk.cap()
  expect(await desk.traffic()).toMatchObject({ amount: 2100, state: 'charged' })
  expect((await desk.billing.getCustomerInfo(desk.userid)).spendCap).toBeUndefined()
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
      desk = await openCreditDesk(database, clock)
      if (hasCard) await desk.addCard()
      await desk.credit(300)
      await desk.change(1)
      await desk.answer('pay')
      for (const { hours: more, gb, stored, credit, cards } of steps) {
        // Only what is let through is used.
        const room = await desk.room()
        const letThrough = room.isLimited ? 0 : Math.min(gb, (room.bytes ?? gb * 1e9) / 1e9)
        desk.script.flow('cloud_traffic', clock.now(), Math.floor(letThrough))
        desk.script.flow('cloud_storage', clock.now(), stored)
        await desk.runUntil(new Date(clock.now().getTime() + more * hours))
        await desk.check()
        if (credit > 0) await desk.credit(credit)
        const { unbilled, unpaid, threshold } = await desk.owed()
        // The means of then: what is not paid may have been covered by what was spent on it since.
        expect(unbilled + unpaid).toBeLessThanOrEqual((await desk.means()) + threshold)
        if (cards !== 'wait') await desk.answer(cards)
      }
      const { rows } = await database.pool.query<{ at: Date }>(
        "select issued_at as at from invoices where userid = $1 and kind = 'usage' order by issued_at",
        [desk.userid],
      )
      const times = rows.map(({ at }) => at.getTime())
      for (const [place, time] of times.slice(1).entries()) expect(time - (times[place] ?? 0)).toBeGreaterThan(0)
      expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
      await desk.expectProvable()
    }),
    { numRuns: 3, seed: 5 },
  )
})
