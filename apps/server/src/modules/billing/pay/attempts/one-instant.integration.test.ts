/**
 * Payment, lapse, destruction and write-off at one instant: they are applied one after the other, and no money is lost.
 */
import { addMonths } from '@atoll/money'
import { createSeededRandom, createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../platform/db/testing/use-database.ts'
import { cancelingPayments } from '../../index.ts'
import { getInvoice } from '../../records/documents/invoice-store.ts'
import { requestPlan } from '../../sell/change-plan.ts'
import { type ChargingHarness, openChargingHarness } from '../../testing/charging-harness.ts'
import { expectSound } from '../../testing/expect-sound.ts'
import { catalogOf, testPlans } from '../../testing/test-plans.ts'
import type { Method } from '../begin-payment.ts'
import { orderLifetimeMs } from '../bills/price-order.ts'
import { PaymentUnderWay } from '../payment-under-way.ts'

const start = new Date('2027-01-31T12:00:00Z')
const dayMs = 86_400_000
const goodCard = '4242424242424242'
const clock = createTestClock(start)
const database = useDatabase({ max: 12 })
const random = createSeededRandom(1_114)
const rounds = 6

/**
 * Runs all at once, in a random order. A refusal because a payment is under way is accepted: the client would retry.
 */
async function atOnce(...works: (() => Promise<unknown>)[]): Promise<void> {
  const begun = works
    .map((work) => ({ work, at: random.between(0, 1_000_000) }))
    .sort((one, other) => one.at - other.at)
    .map(({ work }) => work())
  for (const ended of await Promise.allSettled(begun)) {
    if (ended.status === 'rejected' && !(ended.reason instanceof PaymentUnderWay)) throw ended.reason
  }
}

async function payAndCarry(harness: ChargingHarness, invoiceId: string, method: Method): Promise<void> {
  const about = { userid: harness.userid, invoiceId, at: clock.now(), method }
  const attempted = await harness.transact((trx) => harness.billing.pay(trx, about))
  if (attempted) await harness.carry(attempted.paymentId)
}

/** Every payment ends, and what goes back to cards has arrived. */
async function carryAll(harness: ChargingHarness): Promise<void> {
  const payments = database.db.selectFrom('payments').select('id').where('userid', '=', harness.userid)
  for (const { id } of await payments.execute()) await harness.carry(id)
  await harness.runRefunds()
}

async function expectNothingHeld(harness: ChargingHarness): Promise<void> {
  await expectSound(database, harness)
  expect(await Promise.all([harness.balance('held:cash'), harness.balance('held:promo')])).toEqual([0, 0])
}

const sum = (captures: Record<string, number>) => Object.values(captures).reduce((all, minor) => all + minor, 0)

test('paying an order, its end after 24 hours and destroying what it is for', async () => {
  for (let round = 0; round < rounds; round += 1) {
    clock.set(start)
    const harness = await openChargingHarness(database, { clock })
    const { userid, billing, transact } = harness
    const { invoiceId } = await harness.order(1440, null, start)
    const method = await harness.addCard(goodCard)
    const sold = await database.db
      .selectFrom('subscription_items')
      .innerJoin('instances', 'instances.id', 'instance_id')
      .select(['instances.id', 'cluster_id'])
      .where('subscription_items.userid', '=', userid)
      .executeTakeFirstOrThrow()
    const instances = [{ instanceId: sold.id, hasRun: false }]
    const whole = { userid, clusterId: sold.cluster_id, instanceId: null, instances }
    const pay = () => payAndCarry(harness, invoiceId, method)
    const destroy = () => cancelingPayments(harness.deps, () => transact((trx) => billing.endInstances(trx, whole)))
    // The last instant at which it can be paid, the first at which it cannot.
    clock.set(new Date(start.getTime() + orderLifetimeMs - (round % 2)))
    await atOnce(pay, destroy, () => harness.runDue())
    await carryAll(harness)
    await destroy()
    await carryAll(harness)
    await expectNothingHeld(harness)
    expect(['paid', 'void']).toContain((await getInvoice(database.db, userid, invoiceId)).state)
    // It never ran, so all that a card gave is the customer's again.
    expect(sum(await harness.captures()) + (await harness.balance('cash'))).toBe(0)
  }
})

test('paying what is owed, and giving it up at the end of grace', async () => {
  const end = addMonths(start, 1, 'UTC')
  for (let round = 0; round < rounds; round += 1) {
    clock.set(start)
    const harness = await openChargingHarness(database, { clock, catalog: catalogOf(testPlans) })
    const { userid } = harness
    await harness.credit(900)
    const caller = { userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User' as const, ip: '127.0.0.1' }
    await requestPlan(harness.deps, caller, { planLevel: 2 })
    for (const day of [0, 1, 3, 5]) {
      clock.set(new Date(end.getTime() + day * dayMs))
      await harness.runDue()
    }
    const owed = await database.db
      .selectFrom('invoices')
      .select('id')
      .where('userid', '=', userid)
      .where('kind', '=', 'renewal')
      .executeTakeFirstOrThrow()
    const method = await harness.addCard(goodCard)
    clock.set(new Date(end.getTime() + 19 * dayMs))
    const pay = () => payAndCarry(harness, owed.id, method)
    await atOnce(pay, () => harness.runDue(), pay)
    await carryAll(harness)
    clock.advance(60_000)
    await harness.runDue()
    await carryAll(harness)
    await expectNothingHeld(harness)
    const { state } = await getInvoice(database.db, userid, owed.id)
    const taken = sum(await harness.captures())
    // Paid first: the plan goes on. Given up first: what is left of the month came off before a card paid the rest.
    expect(state).toBe('paid')
    expect([900, 552]).toContain(taken)
  }
})
