import { createTestClock, createTestDatabase } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createDatabase } from '../../../platform/db/index.ts'
import type { BillingDeps } from '../index.ts'
import type { Method } from '../pay/begin-payment.ts'
import { getInvoice } from '../records/documents/invoice-store.ts'
import { findOpenPayment } from '../records/documents/payment-store.ts'
import { isPastDue } from '../records/dunning-store.ts'
import { openChargingHarness } from '../testing/charging-harness.ts'
import { expectSound } from '../testing/expect-sound.ts'

const start = new Date('2027-01-31T12:00:00Z')

test('a try that waits for the customer has failed: it is ended before the next one, and before the verdict', async () => {
  await using scratch = await createTestDatabase()
  const database = createDatabase({ connectionString: scratch.url })
  try {
    const clock = createTestClock(start)
    let method: Method | null = null
    const mails: { at: Date; subject: string; after: string[]; action?: { label: string; path: string } }[] = []
    const mail = {
      post: async (_: unknown, { at, params }: { at: Date; params: unknown }) => {
        mails.push({ ...(params as Omit<(typeof mails)[number], 'at'>), at })
        return 'ml_none'
      },
    }
    const harness = await openChargingHarness(database, {
      clock,
      findMethod: async () => method,
      mail: { post: mail.post as unknown as BillingDeps['mail']['post'] },
    })
    const { userid } = harness
    await database.pool.query("update accounts set email = 'reef@mail.example' where account_id = $1", [userid])
    method = await harness.addCard('4242424242424242')
    const { paymentId } = await harness.order(1440, method, start)
    await harness.carry(paymentId)
    method = await harness.addCard('4000000000003220')
    await harness.credit(500)
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
      await harness.runDue()
      const open = 'select id from payments where userid = $1 and method_id is not null and ended_at is null'
      for (const { id } of (await database.pool.query(open, [userid])).rows) await harness.carry(id)
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
    // At the first try and two days before the stop; the page of the bill offers the try that is present.
    const asked = mails.filter(({ action }) => action?.label.startsWith('Approve'))
    expect(asked).toMatchObject([
      { subject: 'Approve $9.40 by 5 Mar 2027, 12:00 UTC', at: new Date('2027-02-28T12:00:00Z') },
      // Each of the two tries between waited a minute for the one before to be ended.
      { subject: 'Approve $9.40 by 5 Mar 2027, 12:02 UTC', at: new Date('2027-03-03T12:02:00Z') },
    ])
    for (const one of asked) {
      expect(one.action).toEqual({ label: 'Approve $9.40', path: `/payment/${rows[0].id}` })
      expect(JSON.stringify(one)).toMatch(
        /If it is still unpaid on 5 Mar 2027, .+ will be stopped. Files are kept until 19 Mar 2027/,
      )
    }
    expect([await harness.balance('cash'), await harness.balance('held:cash')]).toEqual([-500, 0])
    await expectSound(database, harness)
  } finally {
    await database.close()
  }
})
