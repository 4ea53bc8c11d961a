import { type Money, money } from '@atoll/money'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type InstanceTerms, keepPrices, priceIdOf } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import { beginPayment } from '../pay/begin-payment.ts'
import { scheduleLapse, writeInvoice } from '../pay/bills/issue-invoice.ts'
import { type OrderFacts, type PricedOrder, priceOrder } from '../pay/bills/price-order.ts'
import type { SubscriptionRow } from '../records/documents/document-tables.ts'
import { insertSubscription, insertSubscriptionItems, type SoldItem } from '../records/documents/subscription-store.ts'
import { type Buyer, loadBuyer, whyNotSold } from './buyer.ts'

export interface Order extends Omit<OrderFacts, 'clusterId' | 'terms'> {
  clusterId: string
  /** Instances that were just written, `unpaid`. */
  instances: readonly { instanceId: string; terms: InstanceTerms }[]
}

export interface Ordered {
  /** Null where everything is free: nothing is sold. */
  invoiceId: string | null
  paymentId: string | null
  amount: Money
  paid: boolean
  /** Until when the rest can be paid. */
  validUntil: Date | null
}

/**
 * Sells instances of one cluster for the rest of its period: subscription, invoice and a payment, in the caller's
 * transaction and under the account's lock. If promotional credit and balance cover all of it, it is paid here. Refuses
 * all orders, free ones too, while a bill is past due.
 */
export async function placeOrder(deps: OrderDeps, trx: Trx, order: Order): Promise<Ordered> {
  const { userid, instances } = order
  const limits = await deps.accounts.lockLimits(trx, userid)
  if (instances.every(({ terms }) => terms.amount === 0)) {
    requireSold(await loadBuyer(trx, userid), { costs: false })
    return { invoiceId: null, paymentId: null, amount: money(0, limits.currency), paid: true, validUntil: null }
  }
  const terms = instances.map((instance) => instance.terms)
  return await placePriced(deps, trx, order, await priceOrder(trx, limits, { ...order, terms }))
}

/** As `placeOrder`, for what costs and was priced under the lock that is held. */
export async function placePriced(
  deps: OrderDeps,
  trx: Trx,
  { method, ...order }: Pick<Order, 'userid' | 'clusterId' | 'instances' | 'method'>,
  priced: PricedOrder,
): Promise<Ordered> {
  const { userid } = order
  const { at, basket, validUntil } = priced
  requireSold(await loadBuyer(trx, userid), { costs: true })
  // Nothing is left for a card: what is sold is written as paid, and not moved on in the same transaction.
  const isPaid = basket.split.card.minor === 0 && priced.living?.state !== 'unpaid'
  const subscription = priced.living ?? (await beginSubscription(trx, order, priced, isPaid))
  const items = await insertItems(trx, order.instances, { subscription, at, isPaid })
  const { invoice, postings } = await writeInvoice(deps, trx, {
    userid,
    kind: 'order',
    at,
    validUntil,
    basket,
    soldAs({ key }) {
      const item = items[Number(key)]
      if (!item) throw new Error(`No instance was sold at place ${key}`)
      const { id: item_id, price_id } = item
      return { item_id, price_id, product_type: 'Instance', revenue: 'instance', reason: 'order' }
    },
  })
  const { payment, paid } = await beginPayment(deps, trx, invoice, {
    at,
    method,
    split: basket.split,
    postings,
    items,
    before: 0,
  })
  const answer = { invoiceId: invoice.id, paymentId: payment.id, amount: basket.total, paid }
  if (paid) return { ...answer, validUntil: null }
  await scheduleLapse(trx, invoice, validUntil)
  await publishChange(trx, { account: userid, topic: 'billing', id: invoice.id })
  return { ...answer, validUntil }
}

function requireSold(buyer: Buyer, { costs }: { costs: boolean }): void {
  const why = whyNotSold(buyer, { costs })
  if (why) refuse(why)
}

async function beginSubscription(
  trx: Trx,
  { userid, clusterId }: Pick<Order, 'userid' | 'clusterId'>,
  { anchor, period: { start, end }, at }: PricedOrder,
  isPaid: boolean,
): Promise<SubscriptionRow> {
  const times = { anchor, period_start: start, period_end: end, created_at: at }
  const about = { id: newId('sub'), userid, kind: 'cluster', cluster_id: clusterId } as const
  return await insertSubscription(trx, { ...about, ...times }, { isPaid })
}

/** The items in the order of the instances. */
async function insertItems(
  trx: Trx,
  instances: Order['instances'],
  { subscription, at: created_at, isPaid }: { subscription: SubscriptionRow; at: Date; isPaid: boolean },
): Promise<SoldItem[]> {
  const { id: subscription_id, userid, cluster_id } = subscription
  const sold = instances.map(({ terms }) => terms)
  await keepPrices(trx, sold, created_at)
  const items = instances.map(({ instanceId: instance_id, terms }) => {
    return { id: newId('si'), userid, subscription_id, instance_id, price_id: priceIdOf(terms), created_at }
  })
  const written = await insertSubscriptionItems(trx, items, isPaid ? created_at : null)
  return written.map((item) => ({ ...item, cluster_id }))
}
