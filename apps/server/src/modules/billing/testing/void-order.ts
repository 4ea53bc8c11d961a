import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { keepPrice } from '../../catalog/index.ts'
import { closeInvoice, insertInvoice } from '../records/documents/invoice-store.ts'
import { insertPayment, movePaymentOn } from '../records/documents/payment-store.ts'
import {
  insertSubscription,
  insertSubscriptionItems,
  listItems,
  moveItemsOn,
} from '../records/documents/subscription-store.ts'

/** An order of a plan that was taken back: documents of an account that nothing more becomes of. */
export async function insertVoidOrder(
  trx: Trx,
  userid: string,
): Promise<{ subscriptionId: string; invoiceId: string; paymentId: string }> {
  const at = new Date('2027-01-31T12:00:00Z')
  const end = new Date('2027-02-28T12:00:00Z')
  const title = { 'en-US': 'Basic', 'zh-CN': 'Basic' }
  const quotas = { vCpu: 32, storageGB: 200, backupGB: 100, trafficGB: 1000, cdnGB: 100, bandwidthMbit: 200, drills: 0 }
  const terms = { kind: 'plan', level: 2, quotas, overage: {}, title, amount: 900, currency: 'usd' } as const
  const price_id = await keepPrice(trx, { ...terms, interval: 'month' }, at)
  const [subscriptionId, itemId] = [newId('sub'), newId('si')]
  const period = { anchor: at, period_start: at, period_end: end }
  await insertSubscription(trx, {
    id: subscriptionId,
    userid,
    kind: 'plan',
    cluster_id: null,
    created_at: at,
    ...period,
  })
  const item = { id: itemId, userid, subscription_id: subscriptionId, instance_id: null, price_id, created_at: at }
  await insertSubscriptionItems(trx, [item])
  const invoice = await insertInvoice(
    trx,
    {
      id: newId('inv'),
      userid,
      kind: 'plan',
      currency: 'usd',
      coupon: null,
      gross_minor: 900,
      discount_minor: 0,
      total_minor: 900,
      issued_at: at,
      recorded_at: at,
      valid_until: end,
    },
    [
      {
        item_id: itemId,
        product_type: 'Instance',
        revenue: 'plan',
        price_id,
        reason: 'order',
        period_start: at,
        period_end: end,
        proration: false,
        amount_minor: 900,
        discount_minor: 0,
        explain: JSON.stringify({ rule: 'prepaid', price: 900, periodSeconds: 2_419_200, fromSecond: 0, rounded: 900 }),
      },
    ],
  )
  const amounts = { promo_minor: 0, balance_minor: 0, rolled_minor: 0, card_minor: 0, collected_minor: 0 }
  const payment = await insertPayment(trx, {
    id: newId('pay'),
    userid,
    invoice_id: invoice.id,
    currency: 'usd',
    method_id: null,
    gateway: null,
    ...amounts,
    created_at: at,
    round: 0,
  })
  await movePaymentOn(trx, payment, 'canceled', { at })
  await closeInvoice(trx, invoice, 'voided', { at })
  await moveItemsOn(trx, await listItems(trx, { ids: [itemId] }), 'lapsed', at)
  return { subscriptionId, invoiceId: invoice.id, paymentId: payment.id }
}
