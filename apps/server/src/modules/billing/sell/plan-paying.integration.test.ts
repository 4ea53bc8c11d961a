import { createTestClock, createTestDatabase, type TestDatabase } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database } from '../../../platform/db/index.ts'
import { createChangeFeed, createListener, type Listener, storeOf } from '../../../platform/events/index.ts'
import { type RunningWorker, startWorker } from '../../../platform/jobs/index.ts'
import { silentLog } from '../../../platform/log.ts'
import type { BillingDeps } from '../index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { type ChargingHarness, openChargingHarness } from '../testing/charging-harness.ts'
import { expectSound } from '../testing/expect-sound.ts'
import { catalogOf, testPlans } from '../testing/test-plans.ts'
import { requestPlan } from './change-plan.ts'
import { listPlans } from './list-plans.ts'

const clock = createTestClock(new Date('2027-01-31T12:00:00Z'))
let scratch: TestDatabase
let database: Database
let listener: Listener
let worker: RunningWorker
let more: Partial<BillingDeps>

beforeAll(async () => {
  scratch = await createTestDatabase()
  const connection = { connectionString: scratch.url }
  database = createDatabase(connection, { max: 12 })
  listener = await createListener({ connection, log: silentLog })
  const feed = createChangeFeed(listener, storeOf(database.db), silentLog)
  more = { clock, feed, outcomeMs: 10_000, catalog: catalogOf(testPlans) }
  const { billing } = await openChargingHarness(database, more)
  worker = await startWorker({ connection, jobs: billing.jobs, log: silentLog })
})
afterAll(async () => {
  await worker.stop()
  await listener.close()
  await database.close()
  await scratch.drop()
})

const change = (harness: ChargingHarness, planLevel: number, requestId?: string, methodId?: string) =>
  requestPlan(
    harness.deps,
    { userid: harness.userid, did: 'did:key:zTest', sessionId: 'ss_test', role: 'User', ip: '127.0.0.1' },
    { planLevel, requestId, methodId },
  )
async function openHarness(number: string): Promise<ChargingHarness> {
  let card: Method | null = null
  const harness = await openChargingHarness(database, { ...more, findMethod: async () => card })
  card = await harness.addCard(number)
  return harness
}
const show = (harness: ChargingHarness) => listPlans(harness.deps, harness.userid, 'en-US')

test('a plan that the card pays is answered as paid, and is there', async () => {
  const harness = await openHarness('4242424242424242')
  const changed = await change(harness, 2, 'request-1')
  expect(changed).toMatchObject({ paid: true, planLevel: 2, amount: 900 })
  expect(changed.pending).toBeUndefined()
  expect(await change(harness, 2, 'request-1')).toEqual(changed)
  expect(await show(harness)).toMatchObject({ planLevel: 2, pending: null })
  expect(Object.values(await harness.captures())).toEqual([900])
  await expectSound(database, harness)
})

test('one that the card declines waits for another payment, and is not there', async () => {
  const harness = await openHarness('4000000000000341')
  const changed = await change(harness, 2)
  expect(changed).toMatchObject({ paid: false, amount: 900 })
  expect([changed.pending, changed.actionUrl]).toEqual([undefined, undefined])
  expect(await show(harness)).toMatchObject({ planLevel: 0, pending: { planLevel: 2, invoiceId: changed.invoiceId } })
  await expectSound(database, harness)
})

test('one for which another card is named is charged to that; the card of another account is refused', async () => {
  const harness = await openHarness('4000000000000341')
  const named = await harness.addCard('5555555555554444')
  const other = await openHarness('4242424242424242')
  const theirs = await other.addCard('4242424242424242')
  await expect(change(harness, 2, 'request-1', theirs.id)).rejects.toMatchObject({
    key: 'cardUnknown',
    field: 'methodId',
  })
  const changed = await change(harness, 2, 'request-1', named.id)
  expect(changed).toMatchObject({ paid: true, planLevel: 2, amount: 900 })
  expect(await change(harness, 2, 'request-1', named.id)).toEqual(changed)
  const paidBy = database.db.selectFrom('payments').select('method_id').where('userid', '=', harness.userid)
  expect(await paidBy.execute()).toEqual([{ method_id: named.id }])
  await expectSound(database, harness)
})

test('one that the customer has to confirm returns where, and is taken back at the gateway first', async () => {
  const harness = await openHarness('4000000000003220')
  const changed = await change(harness, 2)
  expect(changed).toMatchObject({ paid: false, actionUrl: expect.stringContaining('/pay/sandbox/confirm/') })
  expect((await show(harness)).planLevel).toBe(0)
  await expect(change(harness, 0)).rejects.toMatchObject({ key: 'paymentUnderWay' })
  const { rows } = await database.pool.query('select id from payments where userid = $1', [harness.userid])
  expect(await harness.carry(rows[0].id)).toMatchObject({ state: 'canceled' })
  expect(await change(harness, 0)).toMatchObject({ paid: true, planLevel: 0 })
  expect(await show(harness)).toMatchObject({ planLevel: 0, pending: null })
  await expectSound(database, harness)
})
