/** Many orders and payments at once, with a gateway that errs, loses answers and repeats. */
import { createSeededRandom, createTestDatabase, type TestDatabase, until } from '@atoll/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/clock.ts'
import { createDatabase, type Database } from '../../../../platform/db/index.ts'
import { type RunningWorker, startWorker } from '../../../../platform/jobs/index.ts'
import { silentLog } from '../../../../platform/log.ts'
import { updatePayment as updateSandboxPayment } from '../../../payments/drivers/sandbox/sandbox-store.ts'
import { erringGateway } from '../../../payments/testing/erring-gateway.ts'
import { enqueueAttempt } from '../../index.ts'
import { type ChargingHarness, openChargingHarness } from '../../testing/charging-harness.ts'
import { expectSound } from '../../testing/expect-sound.ts'
import { sandboxCharging } from '../../testing/sandbox-charging.ts'

const clients = 8
const ordersEach = 25
const random = createSeededRandom(20_27)
let scratch: TestDatabase
let database: Database
let worker: RunningWorker
let harnesses: ChargingHarness[]

beforeAll(async () => {
  scratch = await createTestDatabase()
  const connection = { connectionString: scratch.url }
  database = createDatabase(connection, { max: 30 })
  // Of eight requests one never arrives, one is not answered, one arrives twice.
  const gateway = erringGateway(
    sandboxCharging(database.db, systemClock).gateway,
    () => (['before', 'after', 'twice'] as const)[random.between(0, 7)],
  )
  harnesses = await Promise.all(Array.from({ length: clients }, () => openChargingHarness(database, { gateway })))
  worker = await startWorker({ connection, jobs: harnesses[0]?.billing.jobs ?? [], log: silentLog })
})
afterAll(async () => {
  await worker.stop()
  await database.close()
  await scratch.drop()
})

/** How payments of the account stand that are still under way. */
const openStates = async ({ userid }: ChargingHarness) =>
  await database.db
    .selectFrom('payments')
    .select(['id', 'state', 'invoice_id', 'canceling_for'])
    .where('userid', '=', userid)
    .where('state', 'not in', ['succeeded', 'declined', 'canceled'])
    .execute()

/** Orders, pays once more in two tabs, confirms or leaves what the bank asks. */
async function shop(harness: ChargingHarness): Promise<void> {
  const { userid, billing, transact } = harness
  const cards = await Promise.all([harness.addCard('4000000000000341'), harness.addCard('4000000000003220')])
  const good = await harness.addCard('4242424242424242')
  await harness.credit(3000)
  for (let count = 0; count < ordersEach; count += 1) {
    const card = random.pick([good, good, cards[0], cards[1]])
    const { invoiceId, paymentId } = await harness.order(random.between(50, 2500), card, new Date())
    const tab = () => transact((trx) => billing.pay(trx, { userid, invoiceId, at: new Date(), method: good }))
    await Promise.all([tab(), tab(), enqueueAttempt(database.db, paymentId)])
    if (count % 7 === 6) await transact((trx) => billing.lapse(trx, { userid, invoiceId, at: new Date() }))
  }
  await until(
    'every payment ended',
    async () => {
      const open = await openStates(harness)
      for (const { id, state, invoice_id: invoiceId, canceling_for } of open) {
        // Webhooks, early, late and more than once: the job's own times to ask again are longer than a test.
        await Promise.all([enqueueAttempt(database.db, id), enqueueAttempt(database.db, id)])
        if (state !== 'needs_action' || canceling_for !== null) continue
        if (random.between(0, 1) === 0) {
          await transact((trx) => billing.lapse(trx, { userid, invoiceId, at: new Date() }))
          continue
        }
        await database.db.transaction().execute((trx) => updateSandboxPayment(trx, id, { state: 'done' }))
      }
      return open.length === 0
    },
    { timeoutMs: 100_000, intervalMs: 500, onTimeout: async () => JSON.stringify(await openStates(harness)) },
  )
}

test('200 orders and payments by 8 clients are each charged once or not at all, and the books say so', async () => {
  await Promise.all(harnesses.map(shop))
  for (const harness of harnesses) {
    await until('nothing is on its way back', async () => {
      const { userid } = harness
      const pending = database.db.selectFrom('card_refunds').select('id').where('userid', '=', userid)
      return (await pending.where('state', '=', 'pending').execute()).length === 0
    })
    await expectSound(database, harness)
    const held = await Promise.all([harness.balance('held:cash'), harness.balance('held:promo')])
    expect(held).toEqual([0, 0])
  }
  const { rows } = await database.pool.query(`select state, count(*)::int as count from payments group by 1`)
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  expect(Object.values<number>(counts).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(200)
  expect(Object.keys(counts).sort()).toEqual(['canceled', 'declined', 'succeeded'])
})
