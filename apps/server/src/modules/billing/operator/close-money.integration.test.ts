/** The money of an account that closes: the amount that is named, and the one that comes back. */
import { money } from '@atoll/money'
import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { DisputeState, Movements } from '../../payments/index.ts'
import { openChargingHarness } from '../testing/charging-harness.ts'
import { sandboxCharging } from '../testing/sandbox-charging.ts'
import { payOut, quoteClosing, readUnsettled } from './close-money.ts'

const database = useDatabase()
const clock = { now: () => new Date() }
const dayMs = 86_400_000
const price = 2880

test('the amount that is named while an account closes stays the same, and is what comes back at the end', async () => {
  const closing = createTestClock(new Date('2027-03-01T12:00:00Z'))
  const instances: { instanceId: string; hasRun: boolean }[] = []
  const more = { clock: closing, listOwnInstances: async () => instances }
  const harness = await openChargingHarness(database, more)
  const { userid, billing, transact } = harness
  const { paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), closing.now())
  await harness.carry(paymentId)
  const { rows } = await database.pool.query<{ instance_id: string }>(
    'select instance_id from subscription_items where userid = $1',
    [userid],
  )
  instances.push(...rows.map((one) => ({ instanceId: one.instance_id, hasRun: true })))
  closing.advance(5 * dayMs)
  const since = closing.now()
  const quote = () => quoteClosing(harness.deps, userid, { clusterIds: ['cl_any'], since })
  const named = await quote()
  // 26 of 31 days.
  expect(named).toMatchObject({ balance: 0, unused: 2415, toCard: 2415, givenUp: 0 })
  closing.advance(14 * dayMs)
  expect(await quote()).toEqual(named)
  await transact((trx) => billing.endSales(trx, { userid, from: since }))
  await transact((trx) => billing.refund(trx, { userid, instances, at: closing.now() }))
  expect(await readUnsettled(database.db, userid)).toEqual({ isMoving: false, balance: named.toCard })
})

test.each<{ asked: DisputeState; withdrawn: number; ended: DisputeState }>([
  { asked: 'inquiry', withdrawn: 0, ended: 'closed' },
  { asked: 'open', withdrawn: 1000, ended: 'won' },
])('a payment is not given up while its dispute is $asked, and goes back to its card afterwards', async (dispute) => {
  const { asked, withdrawn, ended } = dispute
  const shown: Movements = { refunds: [], disputes: [] }
  const charging = sandboxCharging(database.db, clock)
  const readMovements = async () => ({ kind: 'movements' as const, ...shown })
  const harness = await openChargingHarness(database, { clock, gateway: { ...charging.gateway, readMovements } })
  const { userid, billing, transact } = harness
  const { paymentId } = await harness.order(price, await harness.addCard('4242424242424242'), clock.now())
  await harness.carry(paymentId)
  const sold = await database.pool.query<{ instanceId: string }>(
    'select instance_id as "instanceId" from subscription_items where userid = $1',
    [userid],
  )
  const instances = sold.rows.map((one) => ({ ...one, hasRun: false }))
  await transact((trx) => billing.refund(trx, { userid, instances, at: clock.now() }))
  const { rows } = await database.pool.query('select ref from sandbox_payments where payment_id = $1', [paymentId])
  const paymentRef: string = rows[0].ref
  const show = async (state: DisputeState, minor: number) => {
    const about = { paymentRef, ref: `dp ${paymentRef}`, amount: money(price, 'usd'), reason: 'fraudulent' }
    shown.disputes = [{ ...about, withdrawn: money(minor, 'usd'), state, dueBy: null }]
    await harness.runJob('billing.movements', { paymentRef })
  }
  const end = () => transact((trx) => payOut({ clock }, trx, { userid, isPaidOut: false }))

  await show(asked, withdrawn)
  expect(await readUnsettled(database.db, userid)).toEqual({ isMoving: true, balance: price - withdrawn })
  await end()
  expect(await harness.balance('cash')).toBe(-price)

  await show(ended, 0)
  expect(await readUnsettled(database.db, userid)).toEqual({ isMoving: false, balance: price })
  await end()
  expect(await readUnsettled(database.db, userid)).toEqual({ isMoving: true, balance: 0 })
  await harness.runRefunds()
  expect(await harness.captures()).toEqual({ [paymentId]: 0 })
  expect(await readUnsettled(database.db, userid)).toEqual({ isMoving: false, balance: 0 })
})

test('an account that ends gets its balance back to the card, and not once more after a restore brought it back', async () => {
  const endWith = async (isPaidOut: boolean) => {
    const harness = await openChargingHarness(database)
    const { userid } = harness
    const { paymentId } = await harness.order(1440, await harness.addCard('4242424242424242'), new Date())
    await harness.carry(paymentId)
    await harness.credit(500)
    await harness.transact((trx) => payOut(harness.deps, trx, { userid, isPaidOut }))
    const sent = await database.db
      .selectFrom('card_refunds')
      .select('amount_minor')
      .where('userid', '=', userid)
      .execute()
    return { sent: sent.map(({ amount_minor }) => Number(amount_minor)), ...(await readUnsettled(database.db, userid)) }
  }
  expect(await endWith(false)).toEqual({ sent: [500], isMoving: true, balance: 0 })
  expect(await endWith(true)).toEqual({ sent: [], isMoving: false, balance: 0 })
})
