import { addMonths } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { findPayment, movePaymentOn } from '../documents/payment-store.ts'
import { verifyDocuments } from '../index.ts'
import type { Method } from '../orders/begin-payment.ts'
import { requestPlan } from '../plans/change-plan.ts'
import { type Desk, openDesk } from '../testing/billing-desk.ts'
import { scriptedMeters } from '../testing/scripted-meters.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { assumeCards } from '../time/assume-cards.ts'
import { isPastDue } from './dunning-store.ts'

const start = new Date('2027-01-01T00:00:00Z')
const end = addMonths(start, 1, 'UTC')
const dayMs = 86_400_000
const database = useDatabase()
let desk: Desk
const clock = createTestClock(start)

beforeEach(async () => {
  clock.set(start)
  const script = scriptedMeters(clock)
  desk = await openDesk(database, { clock, catalog: catalogOf(testPlans), meters: script.meters })
  await desk.credit(900)
  const caller = { userid: desk.userid, sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
  await requestPlan(desk.deps, caller, { planLevel: 2 })
  // 50 GB above what Basic includes, for 3 cents each.
  script.flow('cloud_traffic', new Date(start.getTime() + dayMs), 650)
})

const runOn = async (...days: number[]) => {
  for (const day of days) {
    clock.set(new Date(end.getTime() + day * dayMs))
    await desk.runDue()
  }
}
const bills = async () =>
  (
    await database.pool.query<{ id: string; kind: string; state: string; total: number }>(
      'select id, kind, state, total_minor as total from invoices where userid = $1 order by number',
      [desk.userid],
    )
  ).rows.slice(1)
const states = async () => (await bills()).map(({ kind, state, total }) => `${kind} ${total} ${state}`)

test('what comes back for a plan that falls to Free pays what was given up with it, where that is enough', async () => {
  await desk.credit(900)
  await runOn(0, 1, 3, 5, 19)
  expect(await states()).toEqual(['renewal 900 paid', 'usage 150 paid'])
  // Of 289 that came back: 9 of 28 days.
  expect([await desk.balance('cash'), await desk.balance('writeoff')]).toEqual([-139, 0])
  expect(await isPastDue(database.db, desk.userid)).toBe(false)
  expect(await verifyDocuments(database.db, desk.userid)).toBeUndefined()
})

test('what a card pays for a plan while its usage is given up is not lost: that waits, and gives the rest back', async () => {
  await runOn(0, 1, 3, 5)
  const renewal = (await bills()).find(({ kind }) => kind === 'renewal')
  const method: Method = { id: await desk.keepCard(), gateway: 'sandbox' }
  clock.set(new Date(end.getTime() + 18 * dayMs))
  const { userid, billing } = desk
  const about = { userid, invoiceId: renewal?.id ?? '', at: clock.now(), method }
  const attempt = await desk.transact((trx) => billing.pay(trx, about))
  // Sent, and not answered yet.
  const payment = await findPayment(database.db, attempt?.paymentId ?? '')
  if (!payment) throw new Error('nothing is being paid')
  await desk.transact((trx) => movePaymentOn(trx, payment, 'sent', { at: clock.now() }))
  await runOn(19)
  expect(await states()).toEqual(['renewal 900 open', 'usage 150 open'])
  await desk.transact((trx) => assumeCards(desk.deps, trx, { userid, at: clock.now(), cards: 'pay' }))
  expect(await states()).toEqual(['renewal 900 paid', 'usage 150 open'])
  clock.advance(60_000)
  await desk.runDue()
  expect(await states()).toEqual(['renewal 900 paid', 'usage 150 paid'])
  expect([await desk.balance('cash'), await desk.balance('writeoff')]).toEqual([-139, 0])
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
})
