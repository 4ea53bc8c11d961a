import { expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { refundPayment } from '../index.ts'
import { usd } from '../testing/billing-desk.ts'
import { type ChargingDesk, openChargingDesk } from '../testing/charging-desk.ts'
import { GatewaySilent, verifyCaptures } from './verify-captures.ts'

const database = useDatabase({ max: 6 })

/** Who paid 14.40 by card and 20.00 by one that declined, and has 5.00 back on the first. */
async function open(): Promise<{ desk: ChargingDesk; paid: string; declined: string }> {
  const desk = await openChargingDesk(database)
  const order = async (minor: number, card: string) => {
    const { paymentId } = await desk.order(minor, await desk.addCard(card), new Date())
    await desk.carry(paymentId)
    return paymentId
  }
  const declined = await order(2000, '4000000000000341')
  const paid = await order(1440, '4242424242424242')
  await desk.credit(500)
  await refundPayment({ db: database.db, clock: systemClock }, paid, '5')
  await desk.runRefunds()
  return { desk, paid, declined }
}
const verify = ({ deps, userid }: ChargingDesk) => verifyCaptures(database.db, deps.gateway, userid)

test('what a gateway took and gave back is held to what was posted, payment by payment', async () => {
  const { desk, paid, declined } = await open()
  expect(await verify(desk)).toEqual({ bad: undefined, asked: { payments: 2, refunds: 1, elsewhere: 0 } })
  const atGateway = (change: string, id: string) =>
    database.pool.query(`update sandbox_payments set ${change} where payment_id = $1`, [id])

  await atGateway('amount_minor = 1441', paid)
  const more = { table: 'payments', id: paid, problem: 'sandbox took 1441 for it, and 1440 was posted' }
  expect(await verify(desk)).toEqual({ bad: more })
  await atGateway('amount_minor = 1440', paid)
  await atGateway("state = 'done', code = null", declined)
  expect(await verify(desk)).toMatchObject({
    bad: { id: declined, problem: 'sandbox took 2000 for it, and 0 was posted' },
  })
  await atGateway("state = 'declined', code = 'cardDeclined'", declined)
  await database.pool.query(
    'delete from sandbox_refunds where refund_id in (select id from card_refunds where userid = $1)',
    [desk.userid],
  )
  expect(await verify(desk)).toMatchObject({
    bad: { table: 'card_refunds', problem: 'it is done, and absent at sandbox' },
  })
})

test('a capture that no payment here stands for is named, with what it took', async () => {
  const { desk, paid } = await open()
  const own = await database.db.selectFrom('sandbox_payments').selectAll().where('payment_id', '=', paid).execute()

  const listing = (captures: { paymentId: string; ref: string; minor: number }[]) => ({
    ...desk.deps.gateway,
    listCaptures: async () => ({
      ...{ kind: 'page' as const, next: null },
      captures: captures.map(({ minor, ...one }) => ({ ...one, amount: usd(minor) })),
    }),
  })
  const known = { paymentId: paid, ref: own[0]?.ref ?? '', minor: 1440 }
  expect(
    await verifyCaptures(database.db, listing([known, { paymentId: 'pay_lost', ref: 'pi_9', minor: 700 }])),
  ).toEqual({
    bad: {
      table: 'payments',
      id: 'pay_lost',
      problem: 'sandbox took 700 usd for it (pi_9), and there is no such payment',
    },
  })
  expect(await verifyCaptures(database.db, listing([known, { ...known, ref: 'pi_9' }]))).toMatchObject({
    bad: { id: paid, problem: `sandbox took 1440 usd for it (pi_9) a second time, after ${known.ref}` },
  })
})

test('a gateway that does not answer is no proof, and one that is not in use is not asked', async () => {
  const { desk } = await open()
  const { gateway } = desk.deps
  const silent = async () => ({ kind: 'unknown', why: 'the line was cut' }) as const
  const asked = verifyCaptures(database.db, { ...gateway, read: silent }, desk.userid)
  await expect(asked).rejects.toThrow(GatewaySilent)
  const stripe = await verifyCaptures(database.db, { ...gateway, name: 'stripe' }, desk.userid)
  expect(stripe).toEqual({ bad: undefined, asked: { payments: 0, refunds: 0, elsewhere: 2 } })
})
