/** A harness whose account orders instances and has a card that a test charges itself. */
import type { Database } from '../../../platform/db/index.ts'
import { settlePayment } from '../pay/settle.ts'
import { getPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import { instanceTerms, openHarness, usd } from './billing-harness.ts'

/** When orders are placed, unless a test says otherwise. */
export const at = new Date('2027-01-31T12:00:00Z')
export const later = (days: number) => new Date(at.getTime() + days * 86_400_000)

export type OrderHarness = Awaited<ReturnType<typeof openOrderHarness>>

/** An account of its own, with a card and no credit. */
export async function openOrderHarness(database: Database) {
  const harness = await openHarness(database)
  const { billing, userid, transact } = harness
  const card = { id: await harness.keepCard(), gateway: 'sandbox' }

  /** Orders instances of `prices` for a cluster, a new one unless it is named. */
  async function order(prices: number[], more: { clusterId?: string; at?: Date; withCard?: boolean } = {}) {
    const clusterId = more.clusterId ?? (await harness.insertCluster())
    const instances = []
    for (const price of prices) {
      instances.push({ instanceId: await harness.insertInstance(clusterId), terms: instanceTerms(price) })
    }
    const method = more.withCard ? card : null
    const facts = { userid, clusterId, instances, at: more.at ?? at, coupons: [], method }
    const ordered = await transact((trx) => billing.order(trx, facts))
    return { ...ordered, clusterId, instances: instances.map(({ instanceId }) => instanceId) }
  }

  /** The gateway has charged the card for a payment. */
  async function charge(paymentId: string, when = at): Promise<void> {
    await transact(async (trx) => {
      const payment = await getPayment(trx, userid, paymentId)
      if (payment.state === 'created') await movePaymentOn(trx, payment, 'sent', { at: when })
      await settlePayment(harness.deps, trx, { userid, paymentId, at: when, captured: usd(payment.card_minor) })
    })
  }

  const itemStates = async () =>
    (
      await database.pool.query('select state from subscription_items where userid = $1 order by created_at, id', [
        userid,
      ])
    ).rows.map(({ state }) => state)

  return { ...harness, card, order, charge, itemStates }
}
