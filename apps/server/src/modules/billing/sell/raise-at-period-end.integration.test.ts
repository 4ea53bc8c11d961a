/** A higher plan whose card has not been answered when the period ends: the next month is that of what comes of it. */
import { createTestClock } from '@atoll/testkit'
import { beforeEach, expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { assumeCards } from '../due/assume-cards.ts'
import { findOpenPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { type Harness, instanceTerms, openHarness } from '../testing/billing-harness.ts'
import { expectProvable } from '../testing/histories/expect-fair.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { changePlan } from './change-plan.ts'
import { listPlans } from './list-plans.ts'

const start = new Date('2027-01-01T00:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()
// A day of it is more than the least that a card is charged.
const plans = testPlans.map((plan) => (plan.level === 3 ? { ...plan, price: { usd: 9300 } } : plan))
let harness: Harness
let card: { id: string; gateway: string } | null

beforeEach(async () => {
  clock.set(start)
  card = null
  harness = await openHarness(database, { clock, catalog: catalogOf(plans), findMethod: async () => card })
})

const change = (planLevel: number) => {
  const caller = {
    userid: harness.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    ip: '127.0.0.1',
  }
  return harness.transact((trx) => changePlan(harness.deps, trx, caller, { planLevel }))
}

/** Starter since `start`, and Pro asked for on the day before its period ends, with a gateway that does not answer. */
async function askForPro(at: string): Promise<void> {
  await harness.credit(300)
  await change(1)
  card = { id: await harness.keepCard(), gateway: 'sandbox' }
  clock.set(new Date(at))
  const { paid, invoiceId } = await change(3)
  expect(paid).toBe(false)
  await harness.transact(async (trx) => {
    const payment = await findOpenPayment(trx, invoiceId ?? '')
    if (payment) await movePaymentOn(trx, payment, 'sent', { at: clock.now() })
  })
}

async function runAt(at: string) {
  clock.set(new Date(at))
  await harness.runDue()
}

const answer = (cards: 'pay' | 'decline') =>
  harness.transact((trx) => assumeCards(harness.deps, trx, { userid: harness.userid, at: clock.now(), cards }))

const level = async () => (await listPlans(harness.deps, harness.userid, 'en-US')).planLevel

/** Of the plan: kind, figure and where the charged time begins. */
async function charged(): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select kind, amount_minor as amount, to_char(period_start at time zone 'utc', 'MM-DD HH24:MI') as from
     from invoice_items join invoices on invoices.id = invoice_id
     where invoices.userid = $1 and revenue = 'plan' and state <> 'void' order by issued_at, number`,
    [harness.userid],
  )
  return rows.map(({ kind, amount, from }) => `${kind} ${amount} ${from}`)
}

test('is renewed at its own price, from the end of the period on, once the card is found to have paid', async () => {
  await askForPro('2027-01-31T00:00:00Z')
  const before = ['plan 300 01-01 00:00', 'plan 290 01-31 00:00']
  await runAt('2027-02-01T00:00:00Z')
  expect([await charged(), await level()]).toEqual([before, 1])

  clock.set(new Date('2027-02-01T09:00:00Z'))
  await answer('pay')
  await runAt('2027-02-01T09:01:30Z')
  expect([await charged(), await level()]).toEqual([[...before, 'renewal 9300 02-01 00:00'], 3])
  await answer('pay')
  await runAt('2027-03-01T00:00:00Z')
  expect((await charged()).slice(3)).toEqual(['renewal 9300 03-01 00:00'])
  await expectProvable(database, harness.userid)
})

test('is renewed as it was once the card has declined and the order is over', async () => {
  await askForPro('2027-01-31T00:00:00Z')
  await runAt('2027-02-01T00:00:00Z')
  await answer('decline')
  await runAt('2027-02-01T00:01:30Z')
  await runAt('2027-02-01T00:03:00Z')
  expect([await charged(), await level()]).toEqual([['plan 300 01-01 00:00', 'renewal 300 02-01 00:00'], 1])
  await expectProvable(database, harness.userid)
})

test('is left out of what is renewed earlier on that day', async () => {
  const clusterId = await harness.insertCluster()
  const instances = [{ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(500) }]
  await harness.credit(500)
  const order = { userid: harness.userid, clusterId, instances, at: clock.now(), coupons: [], method: null }
  await harness.transact((trx) => harness.billing.order(trx, order))
  clock.set(new Date('2027-01-01T12:00:00Z'))
  await askForPro('2027-01-31T18:00:00Z')
  await harness.credit(500)
  await runAt('2027-02-01T00:00:00Z')
  expect(await charged()).toEqual(['plan 300 01-01 12:00', 'plan 218 01-31 18:00'])
  await runAt('2027-02-01T10:00:00Z')
  await answer('pay')
  await runAt('2027-02-01T12:00:00Z')
  expect([(await charged()).slice(2), await level()]).toEqual([['renewal 9300 02-01 12:00'], 3])
  await expectProvable(database, harness.userid)
})
