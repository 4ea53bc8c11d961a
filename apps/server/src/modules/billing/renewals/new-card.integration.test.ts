import { createTestClock } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import type { Method } from '../pay/begin-payment.ts'
import { retryOwed } from '../records/retry-owed.ts'
import { openChargingHarness } from '../testing/charging-harness.ts'
import { expectSound } from '../testing/expect-sound.ts'

const start = new Date('2027-01-31T12:00:00Z')
const clock = createTestClock(start)
const database = useDatabase()

test('a card that comes is what is tried for a renewal that is owed, though another stays the default', async () => {
  let method: Method | null = null
  const harness = await openChargingHarness(database, { clock, findMethod: async () => method })
  const { userid, transact } = harness
  method = await harness.addCard('5555555555554444')
  const { paymentId } = await harness.order(1440, method, start)
  await harness.carry(paymentId)
  method = await harness.addCard('4000000000000341')
  const run = async () => {
    await harness.runDue()
    const open = 'select id from payments where userid = $1 and method_id is not null and ended_at is null'
    for (const { id } of (await database.pool.query(open, [userid])).rows) await harness.carry(id)
  }
  const tries = async () =>
    (
      await database.pool.query(
        `select method_id as card, payments.state, invoices.state as invoice from payments
         join invoices on invoices.id = invoice_id where payments.userid = $1 and invoices.kind = 'renewal'
         order by payments.created_at, payments.ended_at`,
        [userid],
      )
    ).rows
  clock.set(new Date('2027-02-28T12:00:00Z'))
  await run()
  expect(await tries()).toEqual([{ card: method.id, state: 'declined', invoice: 'open' }])

  const { id: coming } = await harness.addCard('4242424242424242')
  clock.advance(60_000)
  await transact((trx) => retryOwed(trx, userid, clock.now(), coming))
  await run()
  expect((await tries()).at(-1)).toEqual({ card: coming, state: 'succeeded', invoice: 'paid' })
  expect(await tries()).toHaveLength(2)
  await expectSound(database, harness)
})
