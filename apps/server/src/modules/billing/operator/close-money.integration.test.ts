/** The money of an account that ends while a bank asks about what its card paid. */
import { money } from '@atoll/money'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { DisputeState, Movements } from '../../payments/index.ts'
import { openChargingHarness } from '../testing/charging-harness.ts'
import { sandboxCharging } from '../testing/sandbox-charging.ts'
import { payOut, readUnsettled } from './close-money.ts'

const database = useDatabase()
const clock = { now: () => new Date() }
const price = 2880

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
  const end = () => transact((trx) => payOut({ clock }, trx, userid))

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
