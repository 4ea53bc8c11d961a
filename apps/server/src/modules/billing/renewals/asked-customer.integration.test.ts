import { createTestClock, createTestDatabase } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../platform/db/index.ts'
import { getInvoice } from '../documents/invoice-store.ts'
import { findOpenPayment } from '../documents/payment-store.ts'
import type { Method } from '../orders/begin-payment.ts'
import { openChargingDesk } from '../testing/charging-desk.ts'
import { expectSound } from '../testing/expect-sound.ts'
import { isPastDue } from './dunning-store.ts'

const start = new Date('2027-01-31T12:00:00Z')

test('a try that waits for the customer has failed: it is ended before the next one, and before the verdict', async () => {
  await using scratch = await createTestDatabase()
  const database = createDatabase({ connectionString: scratch.url })
  try {
    const clock = createTestClock(start)
    let method: Method | null = null
    const desk = await openChargingDesk(database, { clock, findMethod: async () => method })
    const { userid } = desk
    method = await desk.addCard('4242424242424242')
    const { paymentId } = await desk.order(1440, method, start)
    await desk.carry(paymentId)
    method = await desk.addCard('4000000000003220')
    await desk.credit(500)
    const tries = async () =>
      (
        await database.pool.query<{ id: string; state: string; asked: string }>(
          `select payments.id, payments.state, sandbox_payments.state as asked from payments
           join sandbox_payments on payment_id = payments.id
           where userid = $1 and payments.id <> $2 order by payments.created_at`,
          [userid, paymentId],
        )
      ).rows
    const run = async () => {
      await desk.runDue()
      const open = 'select id from payments where userid = $1 and method_id is not null and ended_at is null'
      for (const { id } of (await database.pool.query(open, [userid])).rows) await desk.carry(id)
    }
    while (!(await isPastDue(database.db, userid))) {
      const { rows } = await database.pool.query<{ at: Date }>(
        'select min(greatest(wall_at, retry_at)) as at from due_items where userid = $1',
        [userid],
      )
      clock.set(rows[0]?.at ?? start)
      await run()
    }
    expect((await tries()).map(({ state }) => state)).toEqual(Array(4).fill('canceled'))
    // The pages of those before it were over by then.
    expect((await tries()).at(-1)).toMatchObject({ asked: 'canceled' })
    const { rows } = await database.pool.query("select id from invoices where userid = $1 and kind = 'renewal'", [
      userid,
    ])
    expect(await getInvoice(database.db, userid, rows[0].id)).toMatchObject({ state: 'open' })
    expect(await findOpenPayment(database.db, rows[0].id)).toBeUndefined()
    expect([await desk.balance('cash'), await desk.balance('held:cash')]).toEqual([-500, 0])
    await expectSound(database, desk)
  } finally {
    await database.close()
  }
})
