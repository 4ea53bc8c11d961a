import { expect, test } from 'vitest'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { refundPayment } from '../index.ts'
import { usd } from '../testing/billing-harness.ts'
import { type ChargingHarness, openChargingHarness } from '../testing/charging-harness.ts'
import { GatewaySilent } from './asked-gateway.ts'
import { verifyCaptures } from './verify-captures.ts'

const database = useDatabase({ max: 6 })

/** An account that paid 14.40 by card, whose payment of 20.00 was declined, and that got 5.00 of the first refunded. */
async function open(): Promise<{ harness: ChargingHarness; paid: string; declined: string }> {
  const harness = await openChargingHarness(database)
  const order = async (minor: number, card: string) => {
    const { paymentId } = await harness.order(minor, await harness.addCard(card), new Date())
    await harness.carry(paymentId)
    return paymentId
  }
  const declined = await order(2000, '4000000000000341')
  const paid = await order(1440, '4242424242424242')
  await harness.credit(500)
  await refundPayment(harness.deps, paid, '5')
  await harness.runRefunds()
  return { harness, paid, declined }
}
const verify = ({ deps, userid }: ChargingHarness) => verifyCaptures(database.db, deps.gateway, userid)

test('what a gateway took and gave back is held to what was posted, and every difference is named', async () => {
  const { harness, paid, declined } = await open()
  const asked = { payments: 2, refunds: 1, disputes: 0, elsewhere: 0 }
  expect(await verify(harness)).toEqual({ differences: [], asked })
  const atGateway = (change: string, id: string) =>
    database.pool.query(`update sandbox_payments set ${change} where payment_id = $1`, [id])

  await atGateway('amount_minor = 1441', paid)
  const more = { table: 'payments', id: paid, problem: 'sandbox took 1441 for it, and 1440 was posted' }
  expect(await verify(harness)).toEqual({ differences: [more], asked })
  await atGateway("state = 'done', code = null", declined)
  const late = { table: 'payments', id: declined, problem: 'sandbox took 2000 for it, and 0 was posted' }
  const both = await verify(harness)
  expect(both.differences).toHaveLength(2)
  expect(both.differences).toEqual(expect.arrayContaining([more, late]))
  await database.pool.query(
    'delete from sandbox_refunds where refund_id in (select id from card_refunds where userid = $1)',
    [harness.userid],
  )
  expect((await verify(harness)).differences).toContainEqual({
    table: 'card_refunds',
    id: expect.any(String),
    problem: 'it is done, and absent at sandbox',
  })
})

test('a refund and a dispute that nothing here stands for are named, and one that is otherwise', async () => {
  const { harness, paid } = await open()
  const { rows } = await database.pool.query<{ ref: string }>(
    'select ref from sandbox_payments where payment_id = $1',
    [paid],
  )
  const ref = rows[0]?.ref ?? ''
  await database.pool.query(
    `insert into sandbox_refunds (refund_id, ref, payment_ref, amount_minor, created_at) values (null, $1, $2, 300, now())`,
    [`sb_refund_${paid}`, ref],
  )
  await database.pool.query(
    `insert into sandbox_disputes (ref, payment_ref, amount_minor, state, due_by, created_at)
      values ($1, $2, 640, 'open', now() + interval '7 days', now())`,
    [`sb_dispute_${paid}`, ref],
  )
  const unknown = await verify(harness)
  expect(unknown.differences).toEqual([
    {
      table: 'card_refunds',
      id: `sb_refund_${paid}`,
      problem: `sandbox gave 300 usd back (sb_refund_${paid}), and there is no such refund`,
    },
    {
      table: 'disputes',
      id: `sb_dispute_${paid}`,
      problem: `sandbox has withdrawn 640 usd (sb_dispute_${paid}), which is open, and there is no such dispute`,
    },
  ])
  await harness.runJob('billing.movements', { paymentRef: ref })
  expect(await verify(harness)).toMatchObject({ differences: [], asked: { disputes: 1 } })
  await database.pool.query("update sandbox_disputes set state = 'won' where payment_ref = $1", [ref])
  expect((await verify(harness)).differences).toMatchObject([
    { problem: `sandbox has withdrawn 0 usd (sb_dispute_${paid}), which is won, and here 640 is, which is open` },
  ])
})

test('a capture that no payment here stands for is named, with what it took and says it paid', async () => {
  const { harness, paid } = await open()
  const own = await database.db.selectFrom('sandbox_payments').selectAll().where('payment_id', '=', paid).execute()
  const pays = { document: 'inv_lost', number: 'ATL-7K3QD-0009', period: '2026-09-01/2026-10-01' }
  // The account has a customer a card: one of them has it all.
  const customers = new Set<string>()
  const listing = (captures: { paymentId: string; ref: string; minor: number }[]) => ({
    ...harness.deps.gateway,
    listCaptures: async ({ customer = '' }: { customer?: string }) => ({
      kind: 'page' as const,
      next: null,
      captures: (customers.add(customer).size > 1 ? [] : captures).map(({ minor, ...one }) => ({
        ...one,
        amount: usd(minor),
        customer: 'cus_1',
        pays,
        at: new Date(),
      })),
    }),
  })
  const known = { paymentId: paid, ref: own[0]?.ref ?? '', minor: 1440 }
  const lost = listing([known, { paymentId: 'pay_lost', ref: 'pi_9', minor: 700 }, { ...known, ref: 'pi_8' }])
  expect((await verifyCaptures(database.db, lost, harness.userid)).differences).toEqual([
    {
      table: 'payments',
      id: 'pay_lost',
      problem: 'sandbox took 700 usd for it (pi_9), and there is no such payment (it says that it paid ATL-7K3QD-0009)',
    },
    {
      table: 'payments',
      id: paid,
      problem: `sandbox took 1440 usd for it (pi_8) a second time, after ${known.ref}`,
    },
  ])
})

test('a gateway that does not answer is no proof, and one that is not in use is not asked', async () => {
  const { harness } = await open()
  const { gateway } = harness.deps
  const silent = async () => ({ kind: 'unknown', why: 'the line was cut' }) as const
  const asked = verifyCaptures(database.db, { ...gateway, read: silent }, harness.userid)
  await expect(asked).rejects.toThrow(GatewaySilent)
  const stripe = await verifyCaptures(database.db, { ...gateway, name: 'stripe' }, harness.userid)
  expect(stripe).toEqual({ differences: [], asked: { payments: 0, refunds: 0, disputes: 0, elsewhere: 2 } })
})
