import { type Money, money, type Period, periodAt, periodIndexAt, type Zone } from '@atoll/money'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type InstanceTerms, keepPrice, priceOfTerms } from '../../catalog/index.ts'
import type { OrderDeps } from '../billing-deps.ts'
import type { SubscriptionRow } from '../documents/document-tables.ts'
import {
  findClusterSubscription,
  insertSubscription,
  insertSubscriptionItems,
} from '../documents/subscription-store.ts'
import type { CouponFacts } from '../pricing/basket.ts'
import { priceBasket } from '../pricing/price-basket.ts'
import { isPastDue } from '../renewals/dunning-store.ts'
import { dueKinds } from '../time/due-kinds.ts'
import { scheduleDue } from '../time/due-store.ts'
import { beginPayment, type Method, readMeans } from './begin-payment.ts'
import { issueInvoice } from './issue-invoice.ts'

/** How long an order waits to be paid, ms. */
export const orderLifetimeMs = 24 * 60 * 60_000

export interface Order {
  userid: string
  clusterId: string
  /** Instances that were just written, `unpaid`. */
  instances: readonly { instanceId: string; terms: InstanceTerms }[]
  /** Where the period begins: the estimate's instant. Time of the account. */
  at: Date
  coupons: readonly CouponFacts[]
  /** The card on file. */
  method: Method | null
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
 * transaction and under the account's lock. What promotional credit and balance pay whole is paid here. Refuses, free
 * ones too, while a bill is past due.
 */
export async function placeOrder(deps: OrderDeps, trx: Trx, order: Order): Promise<Ordered> {
  const { userid, at, instances } = order
  const { currency, zone } = await deps.accounts.lockLimits(trx, userid)
  if (await isPastDue(trx, userid)) refuse('accountPastDue')
  if (instances.every(({ terms }) => terms.amount === 0)) {
    return { invoiceId: null, paymentId: null, amount: money(0, currency), paid: true, validUntil: null }
  }
  const subscription = await getSubscription(trx, order, zone)
  const period = periodAt(subscription.anchor, periodIndexAt(subscription.anchor, at, zone), zone)
  const items = await insertItems(trx, order, subscription)
  const means = await readMeans(trx, { userid, at, mayRoll: order.method !== null }, currency)
  const basket = priceBasket(
    {
      currency,
      items: items.map(({ id, terms }) => ({ kind: 'instance', key: id, price: priceOfTerms(terms), period })),
      coupons: order.coupons,
      means,
    },
    at,
  )
  const validUntil = new Date(Math.min(at.getTime() + orderLifetimeMs, period.end.getTime()))
  const sold = new Map(items.map((item) => [item.id, item.priceId]))
  const invoice = await issueInvoice(deps, trx, {
    ...{ userid, kind: 'order', at, validUntil, basket },
    soldAs: ({ key }) => ({
      ...({ item_id: key, product_type: 'Instance', revenue: 'instance', reason: 'order' } as const),
      price_id: sold.get(key) ?? '',
    }),
  })
  const { payment, paid } = await beginPayment(deps, trx, invoice, {
    at,
    method: order.method,
    mayRoll: order.method !== null,
  })
  if (!paid) await scheduleDue(trx, { userid, kind: dueKinds.orderLapse, object: invoice.id, dueAt: validUntil })
  await publishChange(trx, { account: userid, topic: 'billing', id: invoice.id })
  const answer = { invoiceId: invoice.id, paymentId: payment.id, amount: basket.total, paid }
  return { ...answer, validUntil: paid ? null : validUntil }
}

/** The cluster's, or a new one whose periods begin now. */
async function getSubscription(trx: Trx, { userid, clusterId, at }: Order, zone: Zone): Promise<SubscriptionRow> {
  const living = await findClusterSubscription(trx, clusterId)
  if (living) return living
  const { start, end }: Period = periodAt(at, 0, zone)
  const times = { anchor: at, period_start: start, period_end: end, created_at: at }
  return await insertSubscription(trx, { id: newId('sub'), userid, kind: 'cluster', cluster_id: clusterId, ...times })
}

interface SoldItem {
  id: string
  priceId: string
  terms: InstanceTerms
}

async function insertItems(trx: Trx, order: Order, subscription: SubscriptionRow): Promise<SoldItem[]> {
  const { userid, at, instances } = order
  const items = []
  for (const { instanceId, terms } of instances) {
    items.push({ id: newId('si'), instanceId, terms, priceId: await keepPrice(trx, terms, at) })
  }
  const of = { userid, subscription_id: subscription.id, created_at: at }
  await insertSubscriptionItems(
    trx,
    items.map(({ id, instanceId, priceId }) => ({ ...of, id, instance_id: instanceId, price_id: priceId })),
  )
  return items
}
