import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { assumeCards } from '../due/assume-cards.ts'
import { verifyDocuments } from '../index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { findPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { isPastDue } from '../records/dunning-store.ts'
import { testPlans } from '../testing/test-plans.ts'
import { after, days, end, hours, openUsageHarness, start, type UsageHarness } from '../testing/usage-harness.ts'

const database = useDatabase()
let harness: UsageHarness
const clock = createTestClock(start)

beforeEach(async () => {
  harness = await openUsageHarness(database, clock, testPlans, { credit: 1800 })
  await harness.change(2)
  // 50 GB above what Basic includes, for 3 cents each. The 900 that are left cover it when it is used: it is owed,
  // whatever they are spent on since.
  harness.script.flow('cloud_traffic', after(days), 650)
  clock.set(after(days + hours))
  await harness.check()
})

const runOn = async (...daysAfter: number[]) => {
  for (const day of daysAfter) {
    clock.set(new Date(end.getTime() + day * days))
    await harness.runDue()
  }
}
const bills = async () =>
  (
    await database.pool.query<{ id: string; kind: string; state: string; total: number }>(
      'select id, kind, state, total_minor as total from invoices where userid = $1 order by number',
      [harness.userid],
    )
  ).rows.slice(1)
const states = async () => (await bills()).map(({ kind, state, total }) => `${kind} ${total} ${state}`)

test('what comes back for a plan that falls to Free pays what was given up with it, where that is enough', async () => {
  await runOn(0, 1, 3, 5, 19)
  expect(await states()).toEqual(['renewal 900 paid', 'usage 150 paid'])
  // Of 289 that came back: 9 of 28 days.
  expect([await harness.balance('cash'), await harness.balance('writeoff')]).toEqual([-139, 0])
  expect(await isPastDue(database.db, harness.userid)).toBe(false)
  expect(await verifyDocuments(database.db, harness.userid)).toBeUndefined()
})

test('what a card pays for a plan while its usage is given up is not lost: that waits, and gives the rest back', async () => {
  // Spent on something else.
  await harness.credit(await harness.balance('cash'))
  await runOn(0, 1, 3, 5)
  const renewal = (await bills()).find(({ kind }) => kind === 'renewal')
  const method: Method = { id: await harness.keepCard(), gateway: 'sandbox' }
  clock.set(new Date(end.getTime() + 18 * days))
  const { userid, billing } = harness
  const about = { userid, invoiceId: renewal?.id ?? '', at: clock.now(), method }
  const attempt = await harness.transact((trx) => billing.pay(trx, about))
  // Sent, and not answered yet.
  const payment = await findPayment(database.db, attempt?.paymentId ?? '')
  if (!payment) throw new Error('nothing is being paid')
  await harness.transact((trx) => movePaymentOn(trx, payment, 'sent', { at: clock.now() }))
  await runOn(19)
  expect(await states()).toEqual(['renewal 900 open', 'usage 150 open'])
  await harness.transact((trx) => assumeCards(harness.deps, trx, { userid, at: clock.now(), cards: 'pay' }))
  expect(await states()).toEqual(['renewal 900 paid', 'usage 150 open'])
  clock.advance(60_000)
  await harness.runDue()
  expect(await states()).toEqual(['renewal 900 paid', 'usage 150 paid'])
  expect([await harness.balance('cash'), await harness.balance('writeoff')]).toEqual([-139, 0])
  expect(await verifyDocuments(database.db, userid)).toBeUndefined()
})
