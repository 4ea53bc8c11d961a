import { type Currency, money, type Period, periodAt, periodIndexAt, type Zone } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { BasketItem, CouponFacts, Means, PricedBasket } from '../../pricing/basket.ts'
import { couponFacts } from '../../pricing/coupons/coupon-facts.ts'
import { estimateInstant } from '../../pricing/estimate-token.ts'
import type { PrepaidExplain } from '../../pricing/explain.ts'
import { priceBasket } from '../../pricing/price-basket.ts'
import { findRedemption } from '../../records/coupon-store.ts'
import type { InvoiceItemRow, InvoiceRow, SubscriptionRow } from '../../records/documents/document-tables.ts'
import { getSubscription, listItems } from '../../records/documents/subscription-store.ts'

/** After so long an order is paid late, ms: its period begins with the payment. As long as an estimate counts. */
const lateAfterMs = 15 * 60_000

/** An order as it costs when its period begins at `at`. */
export interface RepricedOrder {
  at: Date
  subscription: SubscriptionRow
  period: Period
  basket: PricedBasket
  lines: InvoiceItemRow[]
}

/**
 * The price of an order or of a higher plan that is paid late: with its own prices and coupon, for the rest of its
 * period from `at` on, or for a whole period for a new cluster or a plan in place of Free. Undefined if the invoice
 * stays as it is: not late, not an order, or the new price is higher.
 */
export async function repriceLateOrder(
  db: Db,
  invoice: InvoiceRow,
  { now, zone, means }: { now: Date; zone: Zone; means: Means },
): Promise<RepricedOrder | undefined> {
  const { currency, kind, issued_at: issuedAt, id } = invoice
  // An invoice that was paid and whose payment a bank took back was used: it stays as it is.
  if (invoice.reopened > 0) return undefined
  if ((kind !== 'order' && kind !== 'plan') || now.getTime() - issuedAt.getTime() <= lateAfterMs) return undefined
  const at = estimateInstant(now)
  const lines = await db.selectFrom('invoice_items').selectAll().where('invoice_id', '=', id).orderBy('line').execute()
  const [item] = await listItems(db, { ids: lines.map((line) => line.item_id) })
  if (!item) throw new Error(`The invoice ${id} is for nothing`)
  const subscription = await getSubscription(db, item.subscription_id)
  // A new cluster's periods begin with its first payment.
  const anchor = subscription.state === 'unpaid' ? at : subscription.anchor
  const period = periodAt(anchor, periodIndexAt(anchor, at, zone), zone)
  // A plan that was paid ahead beyond its period stands on two lines.
  if (kind === 'plan' && lines.length > 1) return undefined
  const items = lines.map((line) => ({ ...basketItemOf(line, period, currency), subscription: subscription.id }))
  const coupons = await keptCoupon(db, invoice)
  const basket = priceBasket({ currency, items, coupons, means }, at)
  return basket.total.minor > invoice.total_minor ? undefined : { at, subscription, period, basket, lines }
}

function basketItemOf(
  { item_id: key, revenue, explain }: InvoiceItemRow,
  period: Period,
  currency: Currency,
): BasketItem {
  // An order's lines, and those of a plan, are priced ahead.
  const { price: minor, instead } = JSON.parse(explain) as PrepaidExplain
  const price = money(minor, currency)
  if (revenue !== 'plan') return { kind: 'instance', key, price, period }
  return { kind: 'plan', key, price, period, ...(instead !== undefined && { instead: money(instead, currency) }) }
}

/** The coupon as it was redeemed, though its time may be over by now. */
async function keptCoupon(db: Db, { id: but, userid, coupon: code, currency }: InvoiceRow): Promise<CouponFacts[]> {
  const redemption = code === null ? undefined : await findRedemption(db, userid, { code, but })
  if (!redemption) return []
  const { endsAt: _, begins: __, isOnce: ___, ...kept } = couponFacts(redemption, currency)
  return [kept]
}
