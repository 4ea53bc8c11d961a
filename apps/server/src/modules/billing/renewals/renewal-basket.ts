import { dayInZone, type Period, periodAt, periodIndexAt, type Zone } from '@atoll/money'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { heldScopeOf } from '../../accounts/index.ts'
import { getPrices, type PriceTerms, priceOfTerms } from '../../catalog/index.ts'
import type { BasketItem } from '../pricing/basket.ts'
import type { SubscriptionItemRow, SubscriptionRow } from '../records/documents/document-tables.ts'

/** A subscription whose period ends, and the next one. */
export interface Renewing {
  subscription: SubscriptionRow
  next: Period
}

/** An item that is sold for another period, at the price that it was sold at. */
export interface RenewedItem {
  item: SubscriptionItemRow
  terms: PriceTerms
  period: Period
}

/**
 * Subscriptions that are renewed together: all that are paid, not suspended, and end on the same day in the account's
 * zone.
 */
export async function listRenewing(
  db: Db,
  { userid, zone, day }: { userid: string; zone: Zone; day: Date },
): Promise<Renewing[]> {
  const subscriptions = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('userid', '=', userid)
    .where('state', '=', 'active')
    .where(
      (from) =>
        sql<SqlBool>`${heldScopeOf(from.ref('subscriptions.userid'), from.ref('subscriptions.cluster_id'))} is null`,
    )
    .orderBy('period_end')
    .orderBy('id')
    .execute()
  return subscriptions
    .filter(({ period_end }) => dayInZone(period_end, zone) === dayInZone(day, zone))
    .map((subscription) => {
      const { anchor, period_end } = subscription
      return { subscription, next: periodAt(anchor, periodIndexAt(anchor, period_end, zone), zone) }
    })
}

/** Ids of the plans among these of which a higher one was asked for that may still be paid. */
export async function listRaised(
  db: Db,
  renewing: readonly Pick<Renewing, 'subscription'>[],
): Promise<ReadonlySet<string>> {
  const plans = renewing.filter(({ subscription: { kind } }) => kind === 'plan').map(({ subscription: { id } }) => id)
  if (plans.length === 0) return new Set()
  const rows = await db
    .selectFrom('subscription_items')
    .select('subscription_id')
    .where('subscription_id', 'in', plans)
    .where('state', '=', 'unpaid')
    .execute()
  return new Set(rows.map(({ subscription_id }) => subscription_id))
}

/** The items that go on, but those that were ordered after their period had ended and so are paid beyond it. */
export async function listRenewedItems(db: Db, renewing: readonly Renewing[]): Promise<RenewedItem[]> {
  const periods = new Map(renewing.map(({ subscription, next }) => [subscription.id, next]))
  const items = await db
    .selectFrom('subscription_items')
    .selectAll()
    .where('subscription_id', 'in', [...periods.keys()])
    .where('state', '=', 'active')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const prices = await getPrices(db, items)
  const charged = await listChargedUntil(
    db,
    items.map(({ id }) => id),
  )
  return items.flatMap((item) => {
    const period = periods.get(item.subscription_id)
    const terms = prices.get(item.price_id)
    const until = charged.get(item.id)
    if (!period || !terms || (until && until > period.start)) return []
    return [{ item, terms, period }]
  })
}

/** Until when each item was charged, on invoices that are not void. */
async function listChargedUntil(db: Db, itemIds: readonly string[]): Promise<Map<string, Date>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('invoice_items')
    .innerJoin('invoices', 'invoices.id', 'invoice_items.invoice_id')
    .select((from) => ['item_id', from.fn.max('period_end').as('until')])
    .where('item_id', 'in', itemIds)
    .where('invoices.state', '<>', 'void')
    .groupBy('item_id')
    .execute()
  return new Map(rows.map(({ item_id, until }) => [item_id, until]))
}

export function basketItemOf({ item, terms, period }: RenewedItem): BasketItem {
  return { kind: terms.kind, key: item.id, subscription: item.subscription_id, price: priceOfTerms(terms), period }
}
