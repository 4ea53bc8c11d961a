/** The statement of an account that everything has happened to is sound by the customer's own program. */
import { addMonths } from '@atoll/money'
import type { StatementFile } from '@atoll/statement'
import { createTestClock } from '@atoll/testkit'
import { beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { refundPayment } from '../../index.ts'
import { retryOwed } from '../../records/retry-owed.ts'
import { changePlan } from '../../sell/change-plan.ts'
import { type ChargingHarness, openChargingHarness } from '../../testing/charging-harness.ts'
import { expectProvable } from '../../testing/histories/expect-fair.ts'
import { scriptedMeters } from '../../testing/scripted-meters.ts'
import { catalogOf, testPlans } from '../../testing/test-plans.ts'

const start = new Date('2027-01-31T12:00:00Z')
const days = 86_400_000
const clock = createTestClock(start)
const script = scriptedMeters(clock)
const database = useDatabase()
let harness: ChargingHarness
let method: { id: string; gateway: string }

beforeAll(async () => {
  const more = { clock, meters: script.meters, catalog: catalogOf(testPlans), findMethod: async () => method }
  harness = await openChargingHarness(database, more)
})

/** Moves there through all that is due, each card asked until it has answered. */
async function runUntil(until: Date): Promise<void> {
  for (;;) {
    await harness.runDue()
    await carryAll()
    const { rows } = await database.pool.query<{ at: Date | null }>(
      'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1',
      [harness.userid],
    )
    const next = rows[0]?.at
    if (!next || next > until) break
    if (next > clock.now()) clock.set(next)
  }
  clock.set(until)
}
async function carryAll(): Promise<string[]> {
  const open = database.db.selectFrom('payments').select('id').where('userid', '=', harness.userid)
  const ids = (await open.where('method_id', 'is not', null).where('state', '=', 'created').execute()).map(
    ({ id }) => id,
  )
  for (const id of ids) await harness.carry(id)
  return ids
}
const changeTo = async (planLevel: number) => {
  const caller = {
    userid: harness.userid,
    did: 'did:key:zTest',
    sessionId: 'ss_test',
    role: 'User' as const,
    ip: '127.0.0.1',
  }
  await harness.transact((trx) => changePlan(harness.deps, trx, caller, { planLevel }))
  await carryAll()
}
const pay = async (invoiceId: string) => {
  const { userid, billing, transact } = harness
  await transact((trx) => billing.pay(trx, { userid, invoiceId, at: clock.now(), method }))
  await carryAll()
}
const newCard = async (number: string) => {
  method = await harness.addCard(number)
  await harness.transact((trx) => retryOwed(trx, harness.userid, clock.now()))
}

test('renewals, plans, usage that came late, late payments, bills given up, and refunds to a card', async () => {
  const { userid, billing, transact } = harness
  method = await harness.addCard('4242424242424242')
  await harness.grant(700, start)
  const first = await harness.order(1440, method, clock.now())
  await harness.carry(first.paymentId)
  await changeTo(1)
  // Late: what flowed is known to the meters only after its period was billed.
  script.flow('cloud_traffic', new Date(start.getTime() + 3 * days), 320.5)
  script.flow(
    'cloud_traffic',
    new Date(start.getTime() + 4 * days),
    55.25,
    new Date(addMonths(start, 1, 'UTC').getTime() + days),
  )
  script.flow('cloud_storage', new Date(start.getTime() + 5 * days), 40)
  clock.advance(9 * days)
  await changeTo(3)
  await runUntil(new Date(addMonths(start, 2, 'UTC').getTime() + days))
  // An order is declined and paid six hours later, another is never paid.
  await newCard('4000000000000341')
  const late = await harness.order(9900, method, clock.now())
  await harness.order(5000, method, clock.now())
  await carryAll()
  clock.advance(6 * 3_600_000)
  await newCard('4242424242424242')
  await pay(late.invoiceId)
  // The balance is refunded to the card: one refund succeeds, another is on its way.
  const again = await harness.order(3000, method, clock.now())
  await harness.carry(again.paymentId)
  const { rows: sold } = await database.pool.query<{ id: string }>(
    'select instance_id as id from subscription_items join invoice_items on item_id = subscription_items.id where invoice_id = $1',
    [again.invoiceId],
  )
  const instances = sold.map(({ id }) => ({ instanceId: id, hasRun: false }))
  await transact((trx) => billing.refund(trx, { userid, instances, at: clock.now() }))
  await refundPayment(harness.deps, again.paymentId, '10')
  await harness.runRefunds()
  // Later, as they are listed by when they began.
  clock.advance(60_000)
  await refundPayment(harness.deps, again.paymentId, '5.5')
  await newCard('4000000000000341')
  // Nothing is collected any more: all is given up on, and one bill is paid after all.
  await runUntil(new Date(addMonths(start, 4, 'UTC').getTime()))
  await newCard('4242424242424242')
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from invoices where userid = $1 and state = 'uncollectible' order by number",
    [userid],
  )
  await pay(rows[0]?.id ?? '')

  const { statement } = JSON.parse(await expectProvable(database, userid)) as StatementFile
  const states = new Set(statement.invoices.map(({ kind, state }) => `${kind} ${state}`))
  expect([...states]).toEqual(
    expect.arrayContaining([
      'order paid',
      'order void',
      'plan paid',
      'renewal paid',
      'renewal uncollectible',
      'usage paid',
    ]),
  )
  const explained = statement.invoices.flatMap(({ items }) => items.map(({ explain }) => explain))
  expect(explained.filter((explain) => explain.rule === 'usage' && explain.charged !== undefined)).not.toEqual([])
  expect(statement.cardRefunds?.map(({ state, amount }) => [state, amount])).toEqual([
    ['done', 1000],
    ['pending', 550],
  ])
})
